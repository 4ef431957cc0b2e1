//! `goren bench`: searches fixed positions to a fixed depth on one thread. The
//! total number of nodes is the signature of the search: it changes if and
//! only if the behaviour does. So it is for each game.

mod effort;
mod positions;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use super::moves::played;
use super::searched_game::SearchedGame;
use super::variant::shown;
use super::{weights, with_search_stack};
use effort::{DEPTH, TABLE_BYTES, request, usual_depth};
use goren_core::rules::{Contest, Variant};
use goren_engine::eval::cpu::{self, Vectors};
use goren_engine::{Engine, Hash, Params, WeightSet};
use positions::{BenchPosition, positions};

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
    /// Weights file for the positions of its game; once per game. The signature
    /// changes with it.
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
    let depth = args.depth.unwrap_or(variant.map_or(DEPTH, usual_depth));
    with_search_stack(|| {
        let started = Instant::now();
        let mut total = 0;
        for position in positions(variant)? {
            let nodes = nodes(&position, depth, &weights, &params)?;
            let BenchPosition { contest: Contest { variant, width, height, .. }, plies } = position;
            println!("{nodes:>12} {:<10} {width}x{height} {plies}", shown(variant));
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

/// Nodes of a search of the next stone that knows nothing from before.
///
/// # Errors
/// No memory for the table.
fn nodes(
    position: &BenchPosition,
    depth: u32,
    weights: &WeightSet,
    params: &Params,
) -> Result<u64> {
    let game_state = played(&position.contest, position.plies)?;
    let mut engine = Engine::with_hash(Hash::exactly(TABLE_BYTES));
    engine.set_params(params);
    let mut game = SearchedGame::new(&position.contest, weights);
    game.begin(game_state.actions(), &mut engine)?;
    Ok(engine.go(game.position(), &request(depth), &mut |_| {})?.info.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_of_every_position_are_always_the_same() {
        let mut all = positions(None).unwrap();
        for game in ["pente", "connect6", "four-in-a-row", "irensei"] {
            all.extend(positions(Some(Variant::from_name(game).unwrap())).unwrap());
        }
        let nodes = || -> Vec<u64> {
            let (set, params) = (WeightSet::default(), Params::default());
            all.iter().map(|position| nodes(position, 2, &set, &params).unwrap()).collect()
        };
        let first = with_search_stack(|| Ok(nodes())).unwrap();
        assert!(first.len() == 48 && first.iter().all(|&nodes| nodes > 0));
        assert_eq!(with_search_stack(|| Ok(nodes())).unwrap(), first);
    }
}
