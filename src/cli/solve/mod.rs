//! `goren solve`: whether the side to move wins, exactly. In five in a row by
//! fours, by threats, or against everything; in Four In A Row what a position
//! is worth.

mod falling;
mod five;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::forms::text_of;
use super::moves::typed;
use super::position::Position;
use super::seconds::seconds;
use super::variant::Board;
use goren_core::rules::Variant;

/// Arguments of `goren solve`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// What is sought in five in a row.
    #[arg(long, value_enum, default_value_t = five::Goal::Win)]
    goal: five::Goal,
    /// With `--goal vcf`: the shortest win by fours, not the first one found.
    #[arg(long)]
    shortest: bool,
    /// Seconds after which the search in five in a row ends.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    time: Duration,
    /// Where the winning tree goes, for `goren check` and `goren walk`.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Threads, in five in a row; without it one for each core.
    #[arg(long)]
    threads: Option<usize>,
    /// MiB of the solver's table.
    #[arg(long, default_value_t = 1024)]
    memory: usize,
    /// A file of positions, the moves of one a line, instead of MOVES.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "proof"])]
    file: Option<PathBuf>,
    /// Moves played before, such as d1 d2 e1 or h8i9j8; columns such as d d e
    /// where pieces fall.
    moves: Vec<String>,
}

/// Solves and prints; whether there was an answer.
///
/// # Errors
/// A game or board that cannot be solved, impossible moves, a file that cannot
/// be read or written, or no memory.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.board.contest()?;
    let by_fours = matches!(contest.variant, Variant::Five(_)) && args.goal == five::Goal::Vcf;
    ensure!(!args.shortest || by_fours, "--shortest is of wins by fours: --goal vcf");
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
