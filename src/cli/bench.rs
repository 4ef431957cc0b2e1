//! `goren bench`: searches fixed positions to a fixed depth on one thread
//! (`goren_engine::bench`), each with its nodes, and prints the signature.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use super::variant::{self, shown};
use super::{weights, with_search_stack};
use crate::number::whole;
use goren_core::rules::Variant;
use goren_engine::Params;
use goren_engine::bench::{BenchResult, nodes, positions};
use goren_engine::eval::cpu::{self, VectorExtension};

/// Arguments of `goren bench`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren bench
  goren bench --game connect6
  goren bench --depth 10 --weights renju.bin
  goren bench --params \"iir 4\"

The last line is the signature, the sum of all nodes: it changes exactly when the search or the
evaluation changes. The line before it has nodes and speed as OpenBench reads them.")]
pub struct Args {
    /// Search the positions of this game, such as renju, connect6 or
    /// pente+keryo, instead of those of five in a row.
    #[arg(long)]
    game: Option<String>,
    /// Search depth in plies; default: 12 in five in a row, another in other
    /// games. The signature is that of the default depth.
    #[arg(long, value_parser = whole::<u32>(1..))]
    depth: Option<u32>,
    /// Weights file for the positions of its games; once per rule or game. The
    /// signature changes with it.
    #[arg(long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// Search parameters, as `NAME VALUE NAME VALUE ...`.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    params: String,
    /// Vector instructions of the evaluation: baseline, avx2 or avx512;
    /// default: the best of this processor. The signature does not depend on
    /// them.
    #[arg(long)]
    vectors: Option<VectorExtension>,
}

/// Searches the positions and prints nodes, speed and signature.
///
/// # Errors
/// An unknown game or one without positions, a file that holds no weights, vector
/// instructions that the processor lacks, or no memory for the table.
pub fn run(args: &Args) -> Result<bool> {
    if let Some(vectors) = args.vectors {
        cpu::set_vector_extension(vectors)?;
    }
    let mut params = Params::default();
    params.set_all(&args.params)?;
    let variant = args.game.as_deref().map(variant::game).transpose()?;
    let positions = positions(variant)?;
    let all = || positions.iter().map(|&(game, _)| game).collect();
    let games: Vec<Variant> = variant.map_or_else(all, |game| vec![game]);
    let weights = weights::load(&args.weights, &games)?;
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
        let measured = BenchResult { nodes: total, time: started.elapsed() };
        println!("Time: {:.2} s", measured.time.as_secs_f64());
        println!("Speed: {measured}");
        match variant {
            None => println!("Bench: {total}"),
            Some(variant) => println!("Bench {variant}: {total}"),
        }
        Ok(true)
    })
}
