//! `goren bench`: searches fixed positions to a fixed depth on one thread. The
//! total number of nodes is the signature of the search: it changes if and
//! only if the behaviour does. So it is for each game beyond five in a row.
//!
//! The positions stand in the folders of the games.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::moves::played;
use super::searched_game::SearchedGame;
use super::variant::shown;
use super::{weights, with_search_stack};
use goren_core::rules::{BenchPosition, Contest, OpeningId, Variant};
use goren_engine::eval::cpu::{self, Vectors};
use goren_engine::{Engine, Hash, Params, Request, WeightSet};

/// Bytes of the transposition table, which is new for every position.
const TABLE_BYTES: usize = 16 << 20;

/// Arguments of `goren bench`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren bench
  goren bench --game connect6
  goren bench --depth 10 --weights renju.bin
  goren bench --params \"iir 4\"

The last line is the signature, the sum of all nodes: it changes exactly when the search or the
evaluation changes.")]
pub struct Args {
    /// Search the positions of this game, such as renju, connect6 or
    /// pente+keryo, instead of those of five in a row.
    #[arg(long)]
    game: Option<String>,
    /// Search depth in plies; default: 12 in five in a row, another in other
    /// games. The signature is that of the default depth.
    #[arg(long)]
    depth: Option<u32>,
    /// Weights file for the positions of its games; once per rule or game. The
    /// signature changes with it.
    #[arg(long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// Search parameters, as `NAME VALUE NAME VALUE ...`.
    #[arg(long, value_name = "LIST", default_value = "")]
    params: String,
    /// Vector instructions of the evaluation: baseline, avx2 or avx512;
    /// default: the best of this processor. The signature does not depend on
    /// them.
    #[arg(long)]
    vectors: Option<Vectors>,
}

/// A position to search: the game with its options, and where it was in it.
type Searched = (Variant, &'static BenchPosition);

/// Searches and prints.
///
/// # Errors
/// A game that is not known or has no positions, a file that holds no weights,
/// vectors that the processor lacks, or no memory for the table.
pub fn run(args: &Args) -> Result<bool> {
    if let Some(vectors) = args.vectors {
        cpu::use_vectors(vectors)?;
    }
    let weights = weights::load(&args.weights)?;
    let mut params = Params::default();
    params.set_all(&args.params)?;
    let variant = args.game.as_deref().map(Variant::from_name).transpose()?;
    let positions = positions(variant)?;
    with_search_stack(|| {
        let started = Instant::now();
        let mut total = 0;
        for (variant, position) in positions {
            let depth = args.depth.unwrap_or(variant.sheet().bench.depth);
            let nodes = nodes((variant, position), depth, &weights, &params)?;
            let (width, height) = position.board;
            println!("{nodes:>12} {} {width}x{height} {}", shown(variant), position.plies);
            total += nodes;
        }
        let seconds = started.elapsed().as_secs_f64();
        println!("Time: {seconds:.2} s");
        println!("Speed: {:.0} nodes/s", total as f64 / seconds.max(1e-9));
        match variant {
            None => println!("Bench: {total}"),
            Some(variant) => println!("Bench {variant}: {total}"),
        }
        Ok(true)
    })
}

/// The positions of a game: with all its options if none is named. Of no game, those
/// of five in a row.
///
/// # Errors
/// There are none.
fn positions(variant: Option<Variant>) -> Result<Vec<Searched>> {
    let Some(variant) = variant else {
        let five = Variant::games().filter(|game| matches!(game, Variant::Five(_)));
        return five
            .map(|game| positions(Some(game)))
            .collect::<Result<Vec<_>>>()
            .map(|p| p.concat());
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
    ensure!(!found.is_empty(), "there are no positions of {variant}");
    Ok(found)
}

/// Nodes of a search of the next stone that knows nothing from before.
///
/// # Errors
/// No memory for the table.
fn nodes(
    (variant, position): Searched,
    depth: u32,
    weights: &WeightSet,
    params: &Params,
) -> Result<u64> {
    let contest = Contest::new(variant).opened(OpeningId::Free)?;
    let contest = contest.on(position.board.0, position.board.1)?;
    let game_state = played(&contest, position.plies)?;
    let mut engine = Engine::with_hash(Hash::exactly(TABLE_BYTES));
    engine.set_params(params);
    let mut game = SearchedGame::new(&contest, weights);
    game.begin(game_state.actions(), &mut engine)?;
    let request = Request { max_depth: Some(depth), ..Request::default() };
    Ok(engine.go(game.position(), &request, &mut |_| {})?.info.nodes)
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
        let first = with_search_stack(|| Ok(all())).unwrap();
        assert!(first.len() > 40 && first.iter().all(|&nodes| nodes > 0));
        assert_eq!(with_search_stack(|| Ok(all())).unwrap(), first);
    }
}
