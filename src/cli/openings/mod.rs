//! `goren openings`: makes balanced openings of any game and board, measured by
//! search.
//!
//! An opening is made from a seed: random turns in a box, then the most
//! balanced of some candidates as the last turn, found in rounds of ever longer
//! searches; a last search measures the result.

mod maker;
mod source;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::cores;
use super::opening_file::{self, HEAD, OpeningFormat};
use super::progress::Steps;
use super::run::ordered_jobs::ordered_jobs;
use super::run::stop::Stop;
use super::variant::GameArgs;
use super::weights::WeightsArg;
use crate::number::whole;
use goren_core::opening::Action;
use goren_core::types::{Cell, Score, keys};
use goren_files::output_path;
use goren_notation::words::plural;

use maker::{Maker, Opening, canonical, has_swaps};
pub(super) use maker::{Recipe, identity};
pub(super) use source::RandomOpenings;

/// Maximum number of openings tried in a row without finding a new balanced one.
const TRIES: u64 = 2000;

/// Outcome of a match that is stopped while its openings are made.
const NO_OPENINGS: &str = "no opening is kept; the next run makes them anew";

/// Arguments of `goren openings`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren openings --game standard --count 500 --out openings.txt
  goren openings --game renju --max-score 20 --nodes 100000 --count 10
  goren openings --game connect6 --count 50 --out connect6.txt
  goren openings --game gomoku --size 19 --opening swap-2 --count 16 --nodes 1000000
  goren openings --game gomoku --opening swap-5 --last-swap --count 16 --nodes 1000000
  goren openings --count 50 --exclude openings.txt --out more.txt

With swaps, as in `--opening swap-2`, the plies up to the first swap (or the last) are made, and
the opening is balanced if neither colour is better after them.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Number of openings.
    #[arg(long, default_value_t = 100, value_parser = whole::<u32>(1..))]
    count: u32,
    /// Random seed. Equal seeds and settings give equal openings, on any
    /// machine and with any number of threads.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Minimum number of stones; the last turn is played to its end.
    #[arg(long, default_value_t = 3, value_parser = whole::<usize>(1..))]
    min_stones: usize,
    /// Maximum number of stones.
    #[arg(long, default_value_t = 8, value_parser = whole::<usize>(1..))]
    max_stones: usize,
    /// Make the plies up to the last swap of the opening, not the first: five
    /// stones of swap-5.
    #[arg(long)]
    last_swap: bool,
    /// Maximum score for either side, in points (200 points: a win rate of
    /// about 73%).
    #[arg(long, default_value_t = 40, value_parser = whole::<Score>(0..=20_000))]
    max_score: Score,
    /// Nodes of the search that measures the score. In openings with swaps, a position gets
    /// more if these do not suffice for a single search.
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(1..))]
    nodes: u64,
    /// Search threads; default: one per core.
    #[arg(long, value_parser = whole::<usize>(1..))]
    threads: Option<usize>,
    /// Skip the openings of this file and their symmetric images; may be
    /// repeated.
    #[arg(long)]
    exclude: Vec<PathBuf>,
    #[command(flatten)]
    weights: WeightsArg,
    /// Notation of the openings.
    #[arg(long, value_enum, default_value = "points")]
    format: OpeningFormat,
    /// Write the openings to this file, one per line, instead of printing them. Overwrites a
    /// file of openings, but no other kind of file.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write a table to this file: opening, score for the side to move. Overwrites such a
    /// table, but no other kind of file.
    #[arg(long)]
    scores: Option<PathBuf>,
}

/// Makes and writes openings.
///
/// # Errors
/// Contradictory settings, a file that cannot be read or written, or too few
/// balanced positions.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.game.terms()?.contest();
    let (min, max) = (args.min_stones, args.max_stones);
    ensure!(min <= max, "--min-stones {min} is above --max-stones {max}");
    ensure!(
        max <= contest.width * contest.height / 4,
        "{max} stones are too many for an opening on this board"
    );
    let weights = args.weights.load(contest.variant)?;
    let (nodes, max_score) = (args.nodes, args.max_score);
    let to_last_swap = args.last_swap;
    ensure!(
        !to_last_swap || has_swaps(contest.opening),
        "--last-swap is for openings with swaps, which {} is not; --opening chooses one",
        contest.opening
    );
    let recipe = Recipe { contest, weights, stones: (min, max), to_last_swap, nodes, max_score };
    let mut known = HashSet::new();
    for path in &args.exclude {
        let openings = opening_file::read(path, &contest)?;
        known.extend(openings.iter().map(|actions| canonical(actions, &contest)));
    }
    for path in args.out.iter().chain(&args.scores) {
        let inputs = [&args.exclude[..], args.weights.file.as_slice()].concat();
        opening_file::replaceable(path, &contest, &inputs)?;
    }
    output_path::check_apart(args.out.iter().chain(&args.scores))?;
    // Existing files are replaced only when there is something to write.
    let (mut target, mut scores) = (None, None);
    let steps = Steps::new(args.count.into(), 0, "openings");
    let write = |opening: &Opening| -> Result<()> {
        let line = opening_file::write_line(&opening.actions, &contest, args.format);
        if args.format == OpeningFormat::Offsets {
            opening_file::check_offsets(&line, &opening.actions, &contest)?;
        }
        let head =
            if args.format == OpeningFormat::Points { format!("{HEAD}\n") } else { String::new() };
        let head_of_table = &head[..];
        let (to, head) = match &mut target {
            Some(to) => (to, ""),
            none => (none.insert(sink(args.out.as_deref())?), &head[..]),
        };
        let written = writeln!(to, "{head}{line}").and_then(|()| to.flush());
        written.map_err(|error| unwritten(error, args.out.as_deref()))?;
        if let Some(path) = &args.scores {
            let (scores, head) = match &mut scores {
                Some(scores) => (scores, ""),
                none => (none.insert(create(path)?), head_of_table),
            };
            let written = writeln!(scores, "{head}{line}\t{}", opening.score);
            let written = written.and_then(|()| scores.flush());
            written.map_err(|error| unwritten(error, args.scores.as_deref()))?;
        }
        Ok(())
    };
    let (count, threads) = (args.count as usize, args.threads.unwrap_or_else(cores));
    let batch = OpeningBatch { recipe: &recipe, seed: args.seed, count, threads, stop: None };
    make(&batch, known, &steps, write)?;
    Ok(true)
}

/// Makes balanced openings from a seed, on all cores, no two of them symmetric to
/// each other.
///
/// # Errors
/// Too few positions are balanced, there is no memory for the searches, or the run was
/// stopped.
pub(super) fn balanced_openings(
    recipe: &Recipe,
    seed: u64,
    count: usize,
    stop: Stop,
) -> Result<Vec<Vec<Action>>> {
    let mut openings = Vec::with_capacity(count);
    let steps = Steps::new(count as u64, 0, "openings");
    let batch = OpeningBatch { recipe, seed, count, threads: cores(), stop: Some(stop) };
    make(&batch, HashSet::new(), &steps, |opening| {
        openings.push(opening.actions.clone());
        Ok(())
    })?;
    Ok(openings)
}

/// Openings to make.
struct OpeningBatch<'a> {
    recipe: &'a Recipe,
    seed: u64,
    count: usize,
    threads: usize,
    /// May stop the run before all openings are made.
    stop: Option<Stop>,
}

impl OpeningBatch<'_> {
    /// # Errors
    /// The run is to stop.
    fn check_stop(&self) -> Result<()> {
        match self.stop.filter(|stop| stop.asked().is_some()) {
            Some(stop) => Err(stop.stopped(NO_OPENINGS).into()),
            None => Ok(()),
        }
    }
}

/// Makes the openings of a batch, none of them `known`, and passes them to `write` in order.
fn make(
    batch: &OpeningBatch,
    mut known: HashSet<[Vec<Cell>; 2]>,
    steps: &Steps,
    mut write: impl FnMut(&Opening) -> Result<()>,
) -> Result<()> {
    let OpeningBatch { recipe, seed, count, threads, .. } = *batch;
    let mut found = 0;
    let mut fruitless = 0;
    if count == 0 {
        return Ok(());
    }
    batch.check_stop()?;
    let work = |maker: &mut Maker, item| maker.make(keys::mix(seed ^ keys::mix(item)));
    ordered_jobs(
        0,
        threads,
        || Maker::new(recipe),
        work,
        |_, opening| {
            batch.check_stop()?;
            fruitless += 1;
            ensure!(
                fruitless <= TRIES,
                "only {} found: {TRIES} more tries brought none; allow more stones or a larger \
                 score",
                plural(found, "different balanced opening", "different balanced openings")
            );
            if let Some(opening) = opening?
                && known.insert(canonical(&opening.actions, &recipe.contest))
            {
                steps.beside(|| write(&opening))?;
                (found, fruitless) = (found + 1, 0);
                steps.step();
            } else {
                steps.tried(fruitless);
            }
            Ok(found < count)
        },
    )
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(BufWriter::new(file))
}

/// The error of writing a file, or the standard output. It gets no context if the reader of the
/// output has gone, so that the tool exits quietly.
fn unwritten(error: io::Error, path: Option<&Path>) -> Error {
    let is_reader_gone = error.kind() == io::ErrorKind::BrokenPipe;
    let error = Error::from(error);
    match path {
        Some(path) => error.context(format!("cannot write {}", path.display())),
        None if is_reader_gone => error,
        None => error.context("cannot print the openings"),
    }
}

/// A file, or the standard output.
fn sink(path: Option<&Path>) -> Result<Box<dyn Write>> {
    Ok(match path {
        Some(path) => Box::new(create(path)?),
        None => Box::new(io::stdout()),
    })
}

/// A progress bar that shows how many `things` are done, and the rate.
pub(super) fn progress(total: u64, things: &str) -> ProgressBar {
    let template =
        format!("{{bar:30}} {{pos}}/{{len}} {things}, {{per_sec}}, {{eta}} left {{msg}}");
    let style = ProgressStyle::with_template(&template);
    ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::contest_of;

    #[test]
    fn openings_are_all_different_and_the_same_on_any_number_of_threads() {
        let contest = contest_of("standard", None).unwrap();
        let recipe = Recipe::quick(contest);
        let make_on = |threads| {
            let mut openings = Vec::new();
            let steps = Steps::new(30, 0, "openings");
            let batch = OpeningBatch { recipe: &recipe, seed: 7, count: 30, threads, stop: None };
            make(&batch, HashSet::new(), &steps, |opening| {
                openings.push(opening.clone());
                Ok(())
            })
            .unwrap();
            openings
        };
        let openings = make_on(1);
        assert_eq!(openings, make_on(3));
        let different: HashSet<_> =
            openings.iter().map(|o| canonical(&o.actions, &contest)).collect();
        assert_eq!(different.len(), 30);
    }

    #[test]
    fn a_last_swap_is_refused_where_there_is_none() {
        let run = |line: &str| run(&crate::test_args::parse(line).unwrap());
        let error = run("--game freestyle --last-swap --count 1").unwrap_err().to_string();
        assert!(error.starts_with("--last-swap is for openings with swaps, which free is not"));
    }

    /// Regression: 2^62 stones passed the check, as four times as many are 0 in 64 bits.
    #[test]
    fn openings_have_some_stones_but_not_too_many() {
        let args = |line: &str| crate::test_args::parse::<Args>(line);
        let huge = args("--count 1 --max-stones 4611686018427387904").unwrap();
        assert!(run(&huge).unwrap_err().to_string().contains("too many for an opening"));
        // Nobody can read an empty line of a file.
        assert!(args("--count 1 --min-stones 0").is_err());
    }

    #[test]
    fn fruitless_tries_end_the_run() {
        let contest = contest_of("freestyle", None).unwrap();
        let recipe =
            Recipe { stones: (1, 1), nodes: 1, max_score: 20_000, ..Recipe::quick(contest) };
        let steps = Steps::new(1000, 0, "openings");
        let batch = OpeningBatch { recipe: &recipe, seed: 1, count: 1000, threads: 2, stop: None };
        let error = make(&batch, HashSet::new(), &steps, |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("more tries brought none"), "{error}");
    }
}
