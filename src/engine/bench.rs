//! Bench: fixed positions searched to a fixed depth on one thread. The sum of the nodes
//! is the signature of the search; it changes if and only if the behaviour of the search
//! does.
//!
//! The positions are in the folders of the games (`goren_core::rules`).

use std::fmt;
use std::time::{Duration, Instant};

use goren_core::opening::{GameState, TextError, read};
use goren_core::rules::{BadGame, BenchPosition, Contest, OpeningId, Variant};

use crate::{
    Engine, EngineError, Params, Request, RootPosition, TableHandle, WeightSet, new_position, stack,
};

/// Bytes of the transposition table; every position gets a new one.
const TABLE_BYTES: usize = 16 << 20;

/// A game with its options, and one of its positions to search.
pub type Searched = (Variant, &'static BenchPosition);

/// Why the bench could not run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Unknown game, or a board size that it does not have.
    #[error(transparent)]
    Game(#[from] BadGame),
    /// The plies of a position cannot be played.
    #[error(transparent)]
    Text(#[from] TextError),
    /// No positions exist for the game.
    #[error("there are no bench positions for {0}")]
    None(Variant),
    /// The search could not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The system provides no thread.
    #[error("cannot start a search thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// Totals over all positions.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct BenchResult {
    /// The signature: the sum of all nodes.
    pub nodes: u64,
    /// Total time of the searches.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Writes the line that test frameworks read (OpenBench takes the last numbers before `nodes` and
/// `nps`).
impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.speed())
    }
}

/// Searches the positions of five in a row at their usual depth, on a thread with the
/// stack that a search needs.
///
/// # Errors
/// No memory or no thread.
pub fn five() -> Result<BenchResult, BenchError> {
    stack::run(|| {
        let started = Instant::now();
        let mut total = 0;
        for searched in positions(None)? {
            let depth = searched.0.sheet().bench.depth;
            total += nodes(searched, depth, &WeightSet::default(), &Params::default())?;
        }
        Ok(BenchResult { nodes: total, time: started.elapsed() })
    })?
}

/// Returns the positions of a game: for all its options if `variant` has none, else for the options
/// of `variant`. `None` means all rules of five in a row.
///
/// # Errors
/// The game has no positions.
pub fn positions(variant: Option<Variant>) -> Result<Vec<Searched>, BenchError> {
    let Some(variant) = variant else {
        let mut all = Vec::new();
        for game in Variant::games().filter(|game| matches!(game, Variant::Five(_))) {
            all.extend(positions(Some(game))?);
        }
        return Ok(all);
    };
    let all = variant.sheet().bench.positions;
    let game = variant.plain();
    let mut found = Vec::new();
    for position in all {
        let owner = Variant::from_name(&format!("{game}{}", position.options))?;
        if variant == game || variant == owner {
            found.push((owner, position));
        }
    }
    if found.is_empty() {
        // No positions for these options: use those of the plain game.
        let plain = all.iter().filter(|position| position.options.is_empty());
        found.extend(plain.map(|position| (variant, position)));
    }
    if found.is_empty() { Err(BenchError::None(variant)) } else { Ok(found) }
}

/// Searches a position to `depth` for the next stone, with empty table and histories, and returns
/// the number of nodes.
///
/// # Errors
/// No memory for the table, or a position that cannot be played.
pub fn nodes(
    (variant, position): Searched,
    depth: u32,
    weights: &WeightSet,
    params: &Params,
) -> Result<u64, BenchError> {
    let contest = Contest::new(variant).opened(OpeningId::Free)?;
    let contest = contest.on(position.board.0, position.board.1)?;
    let mut game_state = GameState::new(contest);
    for text in position.plies.split_whitespace() {
        let action = read(&game_state, text)?;
        game_state.apply(&action).map_err(TextError::from)?;
    }
    let mut engine = Engine::with_hash(TableHandle::exactly(TABLE_BYTES));
    engine.set_params(params);
    let mut searched = new_position(&contest, weights);
    let due = game_state.stones_due();
    searched.set(&RootPosition::of(&game_state, &[], game_state.to_move(), due));
    let request = Request { max_depth: Some(depth), ..Request::default() };
    Ok(engine.go(&*searched, &request, &mut |_| {})?.info.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_positions_and_searches_are_deterministic() {
        for variant in Variant::all() {
            let own = positions(Some(variant)).unwrap();
            assert!(own.iter().any(|(owner, _)| *owner == variant), "{variant}");
        }
        let all = || -> Vec<u64> {
            let positions = Variant::games().flat_map(|game| positions(Some(game)).unwrap());
            let nodes = |searched| nodes(searched, 2, &WeightSet::default(), &Params::default());
            positions.map(|searched| nodes(searched).unwrap()).collect()
        };
        let first = stack::run(all).unwrap();
        assert!(first.len() > 40 && first.iter().all(|&nodes| nodes > 0));
        assert_eq!(stack::run(all).unwrap(), first);
    }
}
