//! `goren analyze`: evaluation of a position. Shows the best PVs during the
//! search, threats and forbidden points, as a table, pictures or JSON.

mod effort;
pub(super) mod findings;
mod first_moves;
pub(super) mod json;
mod live;
pub(super) mod picture;
pub(super) mod table;
#[cfg(test)]
mod tests;
pub(super) mod threats;

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::{Context, Result};

use super::picture::Files;
use super::position::{GivenPosition, PositionArgs};
use super::weights::WeightsArg;
use super::with_search_stack;
use crate::number::whole;
pub(super) use effort::SearchBounds;
use first_moves::FirstMoves;
use goren_engine::{Engine, Findings, Report, TableHandle, WeightSet, new_position};
use live::Live;
use threats::threats;

/// Default time of an analysis.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Arguments of `goren analyze`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren analyze h8i9j8
  goren analyze --game renju --time 5 --multi-pv 5 --png board.png h8i9j8
  goren analyze --plies 20 --depth 14 game.sgf
  goren analyze --json --nodes 100000 - < board.txt
  goren analyze --exclude h8,i9 game.sgf

The search ends after 5 seconds unless --time, --depth, --nodes or --infinite is given.
Scores are in points for the side to move; +M15 is a proven win in 15 plies.")]
pub struct Args {
    #[command(flatten)]
    source: PositionArgs,
    #[command(flatten)]
    effort: SearchBounds,
    /// Search until Enter is pressed, or until killed if there is no terminal.
    #[arg(long, conflicts_with_all = ["time", "depth", "nodes"])]
    infinite: bool,
    /// Number of best moves to search, each with its line (multi-PV).
    #[arg(long, default_value_t = 3, value_name = "K",
        value_parser = whole::<u16>(1..=1000))]
    multi_pv: u16,
    #[command(flatten)]
    first_moves: FirstMoves,
    #[command(flatten)]
    weights: WeightsArg,
    /// Print one line of JSON instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    files: Files,
}

/// Analyses a position and prints the findings.
///
/// # Errors
/// A position that cannot be read or is not of the game, a file that cannot
/// be read or written, or no memory.
pub fn run(args: &Args) -> Result<bool> {
    let position = args.source.position()?;
    args.files.ready(args.source.words())?;
    let weights = args.weights.load(position.contest.variant)?;
    let threats = threats(&position);
    let forbidden = args.files.marked(|| position.forbidden());
    let mut live = Live::new(!args.json);
    if !args.json {
        live.finish(&table::head(&position, &threats, &forbidden, live.style()))?;
    }
    let findings = with_search_stack(|| search(args, &position, &weights, &mut live))?;
    if args.json {
        println!("{}", json::text(&position, &threats, &findings)?);
    } else if !findings.lines.is_empty() {
        live.finish(&table::lines(&position, &findings, live.style()))?;
    }
    args.files.save(|| Ok(picture::picture(&position, &threats, &forbidden, &findings).svg()))?;
    Ok(true)
}

/// Searches, and draws the lines as they arrive.
fn search(
    args: &Args,
    position: &GivenPosition,
    weights: &WeightSet,
    live: &mut Live,
) -> Result<Findings> {
    let (stones, wanted) = (position.root.stones_to_place, usize::from(args.multi_pv));
    let mut findings = Findings::with_turns(stones, wanted);
    if position.ending.is_some() {
        return Ok(findings);
    }
    let mut board = new_position(&position.contest, weights);
    board.set(&position.root);
    let mut engine = Engine::with_hash(TableHandle::exactly(args.effort.bytes()));
    let default_time = if args.infinite { Duration::MAX } else { DEFAULT_TIME };
    let mut request = args.effort.begin(default_time, Vec::new(), 1);
    // The search may find a turn of two stones in both orders.
    request.multi_pv = if wanted > 1 { wanted * stones } else { wanted };
    args.first_moves.apply(&mut request, &board.candidates(), position)?;
    if args.infinite {
        let control = request.control.clone();
        if io::stdin().is_terminal() {
            eprintln!("Press Enter to end the search.");
        }
        // The thread may wait for a key for ever, and must not keep the program running.
        std::thread::spawn(move || {
            if io::stdin().read_line(&mut String::new()).is_ok_and(|bytes| bytes > 0) {
                control.stop();
            }
        });
    }
    let (style, mut write_error) = (live.style(), None);
    let answer = engine.go(&*board, &request, &mut |report: &Report| {
        let Report::Pv(info) = report else { return };
        if !findings.note(info) {
            return;
        }
        if let Err(error) = live.draw(|| table::lines(position, &findings, style)) {
            write_error = Some(error);
            request.control.stop();
        }
    })?;
    match write_error {
        Some(error) => Err(error).context("cannot write"),
        None => {
            findings.settle(&answer);
            Ok(findings)
        }
    }
}
