//! `goren solve`: exact result of a position. In five in a row by VCF, VCT or a
//! full winning tree; in Four In A Row the exact value.

mod args;
mod falling;
mod file;
mod five;

use anyhow::{Result, bail, ensure};

use super::moves::typed;
use super::position::Position;
pub use args::Args;
use args::Goal;
use file::lines;
use goren_core::rules::Variant;

/// Solves and prints; whether there was an answer.
///
/// # Errors
/// A game or board that cannot be solved, impossible moves, a file that cannot
/// be read or written, or no memory.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.board.contest()?;
    let vcf = matches!(contest.variant, Variant::Five(_)) && args.goal == Goal::Vcf;
    ensure!(!args.shortest || vcf, "--shortest is of wins by fours: --goal vcf");
    match contest.variant {
        Variant::Five(_) => {
            let position = |text: &str| -> Result<Position> {
                Ok(Position::typed(&typed(&contest, text, false)?))
            };
            match &args.file {
                Some(path) => lines(path, |line| five::line(args, line, &position(line)?)),
                None => five::run(args, &position(&args.moves.join(" "))?),
            }
        }
        Variant::FourInARow(_) => {
            ensure!(args.proof.is_none(), "{} has no winning trees", contest.variant);
            falling::run(args, &contest)
        }
        other => bail!("{other} cannot be solved; five in a row and four-in-a-row can"),
    }
}
