//! `goren bench`: searches fixed positions to a fixed depth on one thread. The
//! total number of nodes is the signature of the search: it changes if and
//! only if the behaviour does. So it is for each game beyond five in a row.

mod effort;
mod games;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::{point, weights, with_search_stack};
use effort::{DEPTH, TABLE_BYTES, request, usual_depth};
use goren_core::rules::{RuleId, Setup, Variant};
use goren_engine::eval::cpu::{self, Vectors};
use goren_engine::{Engine, Hash, Params, WeightSet, new_game_with};

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
    /// Weights file for the positions of its rule; once per rule. The signature
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

/// Variant, board size and the stones played, Black's first: openings and
/// middlegames of short games of the engine against itself after four random
/// stones.
#[rustfmt::skip]
const POSITIONS: [(RuleId, usize, &str); 18] = [
    (RuleId::Freestyle, 15, "h8 g10 h6 e11 i7"),
    (RuleId::Freestyle, 15, "h8 k7 e9 i11 e8 i9 e10 e11 f8 i8 i10"),
    (RuleId::Freestyle, 15, "h8 i10 e11 e10 f8 h11 j9 g8 h7 h9 j11 i8 g10 i7 i9 j10 f6"),
    (RuleId::Freestyle, 20, "k10 h9 k13 n9 j12 k9"),
    (RuleId::Freestyle, 20, "k10 l9 k13 i13 l12 k12 m13 n13 l14"),
    (RuleId::Freestyle, 20, "k10 l10 n11 k9 m12 l11 l12 k12 m11 m10 n9 n10 o10 p9 p11 m8"),
    (RuleId::Standard, 15, "h8 h9 g10 k10"),
    (RuleId::Standard, 15, "h8 j5 f11 i9 f10 i7 f9 f12 i8 f8 g11 e12"),
    (RuleId::Standard, 15, "h8 i8 g6 h9 j7 i9 g9 i7 i6 h6 h5 g4 g5 f5 g8 g7 f8 e8 j5 h7"),
    (RuleId::Renju, 15, "h8 i11 e7 h10 e8"),
    (RuleId::Renju, 15, "h8 k9 f8 h11 g7 g9 h6 i5 f6 e5"),
    (RuleId::Renju, 15, "h8 j11 k7 i5 i7 j8 j7 h7 k5 j6 k6"),
    (RuleId::Renju, 15, "h8 k9 g6 g7 f7 e8 f5 h6 f8 f6 e4 d3 i7 i8 d5 e6 e7 d6 c6 b7 e5 c5 g4 g5 i4"),
    (RuleId::Caro, 15, "h8 h7 k8 e5 j9"),
    (RuleId::Caro, 15, "h8 e9 h6 j11 i6 h9 g8 e8 g6 e6 e7"),
    (RuleId::Caro, 15, "h8 e6 j9 j7 i9 g6 i10 k8 h9 l9 i6 g9 h10 m10 n11 h6 h7 h11 i8 i7 k10 l11"),
    (RuleId::CaroExact, 15, "h8 j5 h9 j8 i9 h7"),
    (RuleId::CaroExact, 15, "h8 j9 e8 g10 f7 g6 f8 i8 h7 h9 j7 i7 i9 f6 f11 g8"),
];

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
        let mut count = |nodes: Result<u64>, position: String| -> Result<()> {
            let nodes = nodes?;
            println!("{nodes:>12} {position}");
            total += nodes;
            Ok(())
        };
        match variant {
            None | Some(Variant::Five(_)) => {
                for (rule, size, moves) in POSITIONS {
                    // An option is searched in the positions of its game.
                    let asked = match variant {
                        Some(Variant::Five(asked)) => asked,
                        _ => rule,
                    };
                    if Variant::Five(asked).sheet().plain == Variant::Five(rule) {
                        let name = format!("{:<10} {size}x{size} {moves}", asked.name());
                        count(nodes((asked, size, moves), depth, &weights, &params), name)?;
                    }
                }
            }
            Some(variant) => {
                ensure!(args.weights.is_empty(), "{variant} is evaluated by no file of weights");
                for position in games::positions(variant)? {
                    let (game, (width, height), plies) = position;
                    let name = format!("{game} {width}x{height} {plies}");
                    count(games::nodes(position, &request(depth), &params), name)?;
                }
            }
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

/// Nodes of a search that knows nothing from before.
fn nodes(
    (rule, size, moves): (RuleId, usize, &str),
    depth: u32,
    weights: &WeightSet,
    params: &Params,
) -> Result<u64> {
    let setup = Setup::new(rule, size, size)?;
    let mut game = new_game_with(setup, weights.of(rule));
    for text in moves.split_whitespace() {
        game.play(point::cell(text, (size, size))?).with_context(|| format!("move {text}"))?;
    }
    let mut engine = Engine::with_hash(Hash::exactly(TABLE_BYTES));
    engine.set_params(params);
    Ok(engine.go(&*game, &request(depth), &mut |_| {})?.info.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_positions_and_the_nodes_are_always_the_same() {
        for rule in RuleId::ALL {
            let plain = Variant::Five(rule).sheet().plain;
            assert!(POSITIONS.iter().any(|p| Variant::Five(p.0) == plain), "{rule}");
        }
        let all = || {
            POSITIONS.map(|position| {
                nodes(position, 2, &WeightSet::default(), &Params::default()).unwrap()
            })
        };
        let first = with_search_stack(|| Ok(all())).unwrap();
        assert!(first.iter().all(|&nodes| nodes > 0));
        assert_eq!(with_search_stack(|| Ok(all())).unwrap(), first);
    }
}
