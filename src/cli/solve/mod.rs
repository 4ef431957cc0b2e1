//! `goren solve`: exact result of a position. In five in a row by VCF, VCT or a
//! full winning tree; in Four In A Row the exact value.

mod args;
mod falling;
mod five;

use anyhow::{Result, bail, ensure};

use super::forms::text_of;
use super::moves::typed;
use super::position::Position;
pub use args::Args;
use args::Goal;
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
            let Some(path) = &args.file else {
                return five::run(args, &position(&args.moves.join(" "))?);
            };
            let text = text_of(path)?;
            let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
            let lines: Vec<(usize, &str)> = lines.collect();
            ensure!(!lines.is_empty(), "{}: there is no position in it", path.display());
            let mut all = true;
            for (number, line) in lines {
                let solved = position(line).and_then(|position| five::line(args, line, &position));
                // The others are not to wait for a good one.
                all &= solved.unwrap_or_else(|error| {
                    eprintln!("{}:{number}: {error:#}", path.display());
                    false
                });
            }
            Ok(all)
        }
        Variant::FourInARow(_) => {
            ensure!(args.proof.is_none(), "{} has no winning trees", contest.variant);
            falling::run(args, &contest)
        }
        other => bail!("{other} cannot be solved; five in a row and four-in-a-row can"),
    }
}
