//! `goren suite`: how many puzzles are solved with a budget a position, and
//! how soon, by our engine and by another one in the same run.
//!
//! A position is given to our search and, turn by turn, to the other engine;
//! the claims of both are compared with the known result.

mod puzzle;
mod runner;
mod solver;
mod table;
#[cfg(all(test, unix))]
mod tests;
mod verdict;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use crate::engine::EngineSpec;
use crate::output_path;
use crate::seconds::seconds_each;
use puzzle::Puzzle;
use solver::{Means, Rival};
use table::{Counts, ResultTable, Row};
use verdict::{Attempt, PuzzleLimit};

/// How much longer than its budget another engine is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Arguments of `goren suite`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren suite tests/data/puzzles/six.jsonl --nodes 20000
  goren suite puzzles.jsonl --time 1 --engine ./pbrain-rapfi --json results.jsonl

A puzzle counts as solved when the engine proves the known result. The exit status is 1 if ours
claimed a wrong one.")]
pub struct Args {
    /// Puzzle files in JSON Lines, with the keys game (or rule), size, pos,
    /// result, plies, tier.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Search threads per engine.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Memory per engine in MiB: the limit sent to the other engine, and the
    /// largest transposition table of ours.
    #[arg(long, value_name = "MIB", default_value_t = 350,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
    /// Positions searched at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: u32,
    /// Use only the first N positions of each file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Command of a second engine, which searches the same positions.
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Write one line of JSON per position and engine to FILE.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What an engine may spend on a position.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct BudgetArgs {
    /// Time per position in seconds, or with its unit, such as 500ms.
    #[arg(long, value_name = "SECONDS", value_parser = seconds_each)]
    time: Option<Duration>,
    /// Nodes per position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
}

impl BudgetArgs {
    fn budget(&self) -> Option<PuzzleLimit> {
        self.time
            .map(PuzzleLimit::Time)
            .or(self.nodes.map(|nodes| PuzzleLimit::Nodes(nodes.into())))
    }
}

/// Tries the puzzles and prints the tables. Whether our engine claimed nothing
/// wrong.
///
/// # Errors
/// A file that cannot be read, a line that is no puzzle, a second engine that
/// cannot be run, no memory, output that cannot be written.
pub fn run(args: &Args) -> Result<bool> {
    if let Some(path) = &args.json {
        output_path::check(path, &args.files)?;
    }
    let limit = args.limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let files = args
        .files
        .iter()
        .map(|path| Ok((path.display().to_string(), puzzle::read_file(path, limit)?)));
    let suite = Suite {
        files: files.collect::<Result<_>>()?,
        rival: args.engine.clone().map(|command| EngineSpec { command, folder: None }),
        means: Means {
            budget: args.budget.budget().context("a budget is needed")?,
            threads: args.threads,
            memory: (args.memory as usize) << 20,
            patience: PATIENCE,
        },
        jobs: args.jobs as usize,
        json: args.json.clone(),
    };
    let results = suite.run()?;
    print!("{}", results.report);
    Ok(results.ours_wrong == 0)
}

/// A run.
struct Suite {
    /// Names and puzzles.
    files: Vec<(String, Vec<Puzzle>)>,
    rival: Option<EngineSpec>,
    means: Means,
    jobs: usize,
    json: Option<PathBuf>,
}

/// What came of a run.
struct Results {
    /// In words and tables.
    report: String,
    /// Puzzles of which our engine claimed the opposite of the truth.
    ours_wrong: usize,
}

impl Suite {
    fn run(&self) -> Result<Results> {
        let engines = self.engines()?;
        let puzzles: Vec<(&str, &Puzzle)> = self
            .files
            .iter()
            .flat_map(|(file, puzzles)| puzzles.iter().map(|puzzle| (file.as_str(), puzzle)))
            .collect();
        let mut attempts = vec![Vec::new(); puzzles.len()];
        let mut watch = Watch::new(&engines, puzzles.len(), self.json.as_deref())?;
        let plain: Vec<&Puzzle> = puzzles.iter().map(|&(_, puzzle)| puzzle).collect();
        runner::run(&plain, self.rival.as_ref(), &self.means, self.jobs, |i, made| {
            let (file, puzzle) = puzzles[i];
            watch.note(&Row { file, puzzle, attempts: &made })?;
            attempts[i] = made;
            Ok(())
        })?;
        watch.bar.finish_and_clear();
        let rows: Vec<Row> = puzzles
            .iter()
            .zip(&attempts)
            .map(|(&(file, puzzle), attempts)| Row { file, puzzle, attempts })
            .collect();
        let ours_wrong = watch.counts[0].wrong;
        Ok(Results { report: self.report(&engines, &rows), ours_wrong })
    }

    /// Names of the engines. The other one is run once to see that it can be.
    fn engines(&self) -> Result<Vec<String>> {
        let mut engines = vec![concat!("goren ", env!("CARGO_PKG_VERSION")).to_string()];
        if let Some(spec) = &self.rival {
            let mut rival = Rival::new(spec);
            let name = rival.name().with_context(|| format!("engine {}", spec.command))?;
            rival.close();
            engines.push(name.unwrap_or_else(|| spec.command.clone()));
        }
        Ok(engines)
    }

    fn report(&self, engines: &[String], rows: &[Row]) -> String {
        let budget = match self.means.budget {
            PuzzleLimit::Time(time) => format!("{} ms", time.as_millis()),
            PuzzleLimit::Nodes(nodes) => format!("{nodes} nodes"),
        };
        let title = |what: &str, n: usize| format!("{what}: {n} positions, {budget} each");
        let mut report = String::new();
        let mut rest = rows;
        for (file, puzzles) in &self.files {
            let (rows, others) = rest.split_at(puzzles.len());
            rest = others;
            let table = ResultTable { title: title(file, rows.len()), engines, rows };
            report += &format!("{table}\n");
        }
        if self.files.len() > 1 {
            let table = ResultTable { title: title("all files", rows.len()), engines, rows };
            report += &format!("{table}\n");
        }
        report += LEGEND;
        if engines.len() > 1 {
            report += LEGEND_OF_TWO;
        }
        for wrong in rows.iter().flat_map(|row| row.wrong(engines)) {
            report += &format!("WRONG: {wrong}\n");
        }
        report
    }
}

const LEGEND: &str = "solved: a proven win claimed (trap: none claimed); wrong: the opposite of \
    the truth claimed; lost: traps claimed to be lost; ms, nodes: median to the first claim of a \
    win that is one.\n";
const LEGEND_OF_TWO: &str = "common: wins found by both engines, with the medians over these.\n";

/// Shows how the run goes, and writes down what has come.
struct Watch<'a> {
    engines: &'a [String],
    counts: Vec<Counts>,
    bar: ProgressBar,
    json: Option<(&'a Path, File)>,
    complaints: BTreeSet<String>,
}

impl<'a> Watch<'a> {
    fn new(engines: &'a [String], puzzles: usize, json: Option<&'a Path>) -> Result<Watch<'a>> {
        let style = ProgressStyle::with_template("{pos}/{len} {wide_bar} {msg} {eta}")?;
        let create = |path: &'a Path| {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            Ok::<_, anyhow::Error>((path, file))
        };
        Ok(Watch {
            engines,
            counts: vec![Counts::default(); engines.len()],
            json: json.map(create).transpose()?,
            bar: ProgressBar::new(puzzles as u64).with_style(style),
            complaints: BTreeSet::new(),
        })
    }

    fn note(&mut self, row: &Row) -> Result<()> {
        let each = self.counts.iter_mut().zip(self.engines).zip(row.attempts);
        let mut message = Vec::new();
        for ((counts, engine), attempt) in each {
            counts.add(row.puzzle, attempt);
            let Counts { solved, wrong, .. } = counts;
            message.push(format!("{engine}: {solved} solved, {wrong} wrong"));
            let Attempt { failure, complaint, .. } = attempt;
            let line = row.puzzle.line;
            if let Some(failure) = failure {
                self.bar.suspend(|| eprintln!("{} line {line}: {engine} {failure}", row.file));
            }
            if let Some(complaint) = complaint
                && self.complaints.insert(complaint.clone())
            {
                self.bar.suspend(|| eprintln!("{} line {line}: {engine}: {complaint}", row.file));
            }
        }
        self.bar.set_message(message.join(" | "));
        if let Some((path, file)) = &mut self.json {
            let lines = (0..row.attempts.len()).map(|i| row.json(self.engines, i));
            let lines = lines.collect::<serde_json::Result<String>>()?;
            file.write_all(lines.as_bytes()).with_context(|| path.display().to_string())?;
        }
        self.bar.inc(1);
        Ok(())
    }
}
