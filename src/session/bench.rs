//! Fixed positions, searched to a fixed depth on one thread. The sum of the nodes is
//! the signature of the search: it changes if and only if the behaviour does.
//!
//! The positions stand in the folders of the games.

use std::time::{Duration, Instant};

use goren_core::opening::{GameState, TextError, read};
use goren_core::rules::{BadGame, BenchPosition, Contest, OpeningId, Variant};
use goren_engine::{
    Engine, EngineError, Hash, Params, Request, RootPosition, WeightSet, new_position, stack,
};

/// Bytes of the transposition table, which is new for every position.
const TABLE_BYTES: usize = 16 << 20;

/// A position to search: the game with its options, and where it was in it.
pub type Searched = (Variant, &'static BenchPosition);

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A game that is not known, or a board that it does not have.
    #[error(transparent)]
    Game(#[from] BadGame),
    /// A position that cannot be played.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A game without positions.
    #[error("there are no positions of {0}")]
    None(Variant),
    /// Nothing was searched.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The system gives no thread.
    #[error("no thread for the search: {0}")]
    Thread(#[from] std::io::Error),
}

/// What all positions took.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Measured {
    /// The signature, the sum of all nodes.
    pub nodes: u64,
    /// The time they took.
    pub time: Duration,
}

impl Measured {
    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches the positions of five in a row at their usual depth, on a thread with the
/// stack that a search needs.
///
/// # Errors
/// No memory or no thread.
pub fn five() -> Result<Measured, BenchError> {
    stack::run(|| {
        let started = Instant::now();
        let mut total = 0;
        for searched in positions(None)? {
            let depth = searched.0.sheet().bench.depth;
            total += nodes(searched, depth, &WeightSet::default(), &Params::default())?;
        }
        Ok(Measured { nodes: total, time: started.elapsed() })
    })?
}

/// The positions of a game: with all its options if none is named. Of no game, those
/// of five in a row.
///
/// # Errors
/// There are none.
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
        let of = Variant::from_name(&format!("{game}{}", position.options))?;
        if variant == game || variant == of {
            found.push((of, position));
        }
    }
    if found.is_empty() {
        // An option without positions of its own is searched in those of its game.
        let plain = all.iter().filter(|position| position.options.is_empty());
        found.extend(plain.map(|position| (variant, position)));
    }
    if found.is_empty() { Err(BenchError::None(variant)) } else { Ok(found) }
}

/// Nodes of a search of the next stone that knows nothing from before.
///
/// # Errors
/// No memory for the table.
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
    let mut engine = Engine::with_hash(Hash::exactly(TABLE_BYTES));
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
    fn every_variant_has_positions_and_the_nodes_are_always_the_same() {
        for variant in Variant::all() {
            let own = positions(Some(variant)).unwrap();
            assert!(own.iter().any(|(of, _)| *of == variant), "{variant}");
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
