//! `goren suite`: counts the puzzles that our engine, and another one in the same
//! run, solve with a budget per position, and measures the time.
//!
//! Our search and the other engine take turns at each position; the claims of both
//! are compared with the known result.

mod puzzle;
mod report;
mod result_file;
mod runner;
mod solver;
mod table;
#[cfg(all(test, unix))]
mod tests;
mod verdict;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::engine::EngineSpec;
use crate::number::whole;
use crate::run::checksum::{CHECKSUMS, of_file};
use crate::run::shard::{Shard, ShardArgs};
use crate::run::stop::{RESUMED, Stop, StopArgs};
use crate::seconds::seconds_each;
use goren_files::output_path;
use puzzle::SuitePuzzle;
use report::{report, row};
use result_file::ResultFile;
pub(super) use result_file::{FORMAT, join};
use solver::{Resources, Rival};
use table::{Counts, PuzzleRow};
use verdict::{Attempt, PuzzleLimit};

/// Time that another engine is waited for beyond its budget.
const PATIENCE: Duration = Duration::from_secs(5);

/// Outcome of a stopped run without `--json`.
const NO_JSON: &str = "no result is kept; with --json the next run could continue";

/// Arguments of `goren suite`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren suite tests/data/puzzles/six.jsonl --nodes 20000
  goren suite puzzles.jsonl --time 1 --engine ./pbrain-rapfi --json results.jsonl
  goren suite puzzles.jsonl --time 1 --shard 2/8 --json part-2.jsonl

A won puzzle is solved if the engine proves the win, a lost one (tier trap) if the engine answers
and claims no win. The defences of `goren puzzles` have no known result and are not tried. The exit
status is 1 if our engine claims the opposite of the known result.")]
pub struct Args {
    /// Puzzle files in JSON Lines, as `goren puzzles` writes them: with the keys game (or
    /// rule), size, pos, result, plies, tier.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Search threads per engine.
    #[arg(long, default_value_t = 1, value_parser = whole::<u32>(1..=1024))]
    threads: u32,
    /// Memory per engine in MiB: the limit sent to the other engine, and the
    /// largest transposition table of ours.
    #[arg(long, value_name = "MIB", default_value_t = 350,
        value_parser = whole::<u32>(1..=1 << 20))]
    memory: u32,
    /// Positions searched at the same time. The default is fixed, as searches that share
    /// cores prove less in the same time.
    #[arg(short, long, alias = "jobs", default_value_t = 1, value_parser = whole::<u32>(1..=1024))]
    concurrency: u32,
    /// Use only the first N puzzles of each file that are won or lost.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    limit: Option<u64>,
    /// Command of a second engine, such as those of `goren match`, which searches the same
    /// positions.
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Write JSON Lines to FILE: the settings, then one line per position and
    /// engine. Without --resume it must be new or empty.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Continue the run in the file of --json. An engine that failed at a puzzle tries it
    /// again, and its later line counts.
    #[arg(long, requires = "json")]
    resume: bool,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    stop: StopArgs,
}

/// The limit of an engine for a position.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct BudgetArgs {
    /// Time per position in seconds, or with its unit, such as 500ms.
    #[arg(long, value_name = "SECONDS", value_parser = seconds_each)]
    time: Option<Duration>,
    /// Nodes per position.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..))]
    nodes: Option<u32>,
}

impl BudgetArgs {
    fn budget(&self) -> Option<PuzzleLimit> {
        self.time
            .map(PuzzleLimit::Time)
            .or(self.nodes.map(|nodes| PuzzleLimit::Nodes(nodes.into())))
    }
}

/// Tries the puzzles and prints the tables. Returns whether our engine made no false
/// claim.
///
/// # Errors
/// A file cannot be read, a line is no puzzle, the second engine cannot be run, no
/// memory, output cannot be written; the run was stopped.
pub fn run(args: &Args) -> Result<bool> {
    let (shard, stop) = (args.shard.shard()?, args.stop.watch());
    ensure!(
        shard.is_whole() || args.json.is_some(),
        "{shard} of a run needs a file of its own, to be merged: give --json"
    );
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
        resources: Resources {
            budget: args.budget.budget().context("a budget is needed")?,
            threads: args.threads,
            memory: (args.memory as usize) << 20,
            patience: PATIENCE,
        },
        concurrency: args.concurrency as usize,
        json: args.json.clone(),
        resume: args.resume,
        shard,
        stop,
    };
    let results = suite.run()?;
    print!("{}", results.report);
    if results.left > 0 {
        let outcome = if args.json.is_some() { RESUMED } else { NO_JSON };
        return Err(stop.stopped(outcome).into());
    }
    Ok(results.ours_wrong == 0)
}

/// A run.
struct Suite {
    /// Names and puzzles.
    files: Vec<(String, Vec<SuitePuzzle>)>,
    rival: Option<EngineSpec>,
    resources: Resources,
    concurrency: usize,
    json: Option<PathBuf>,
    resume: bool,
    shard: Shard,
    stop: Stop,
}

/// The results of a run.
struct Results {
    /// The printed report.
    report: String,
    /// Puzzles of which our engine claimed the opposite of the truth.
    ours_wrong: usize,
    /// Puzzles that were not tried, as the run was stopped.
    left: usize,
}

impl Suite {
    fn run(&self) -> Result<Results> {
        let engines = self.engines()?;
        let puzzles: Vec<(usize, &str, &SuitePuzzle)> = { self.files.iter().enumerate() }
            .flat_map(|(i, (file, puzzles))| puzzles.iter().map(move |p| (i, file.as_str(), p)))
            .collect();
        let mut journal = match &self.json {
            Some(path) => Some(ResultFile::open(path, &self.header(&engines), self.resume)?),
            None => None,
        };
        let known = |number: usize| {
            let journal = journal.as_ref();
            journal.map_or(Vec::new(), |journal| journal.attempts(number as u64))
        };
        let mut attempts: Vec<Vec<Attempt>> = (0..puzzles.len()).map(known).collect();
        let own = (0..puzzles.len()).filter(|&number| self.shard.has(number as u64));
        let mut watch = Watch::new(&engines, own.clone().count())?;
        for number in own.clone() {
            if !attempts[number].is_empty() {
                watch.note(&row(puzzles[number], &attempts[number]));
            }
        }
        let left: Vec<usize> = own.filter(|&number| attempts[number].is_empty()).collect();
        let to_try: Vec<&SuitePuzzle> = left.iter().map(|&number| puzzles[number].2).collect();
        let rival = self.rival.as_ref();
        runner::run(&to_try, rival, &self.resources, self.concurrency, self.stop, |i, tried| {
            let row = row(puzzles[left[i]], &tried);
            if let Some(journal) = &mut journal {
                journal.append(left[i] as u64, &engines, &row)?;
            }
            watch.note(&row);
            attempts[left[i]] = tried;
            Ok(())
        })?;
        watch.bar.finish_and_clear();
        let left = left.iter().filter(|&&number| attempts[number].is_empty()).count();
        let tried = (0..puzzles.len()).filter(|&number| !attempts[number].is_empty());
        let rows: Vec<PuzzleRow> =
            tried.map(|number| row(puzzles[number], &attempts[number])).collect();
        let report = report(&engines, &self.resources.budget.to_string(), &rows);
        Ok(Results { report, ours_wrong: watch.counts[0].wrong, left })
    }

    /// Names of the engines. Runs the other one once, to check that it can be run.
    fn engines(&self) -> Result<Vec<String>> {
        let mut engines = vec![concat!("goren ", env!("CARGO_PKG_VERSION")).to_string()];
        if let Some(spec) = &self.rival {
            let mut puzzles = self.files.iter().flat_map(|(_, puzzles)| puzzles);
            let terms = puzzles.next().context("no puzzle")?.terms;
            let mut rival = Rival::new(spec);
            let name = rival.name(terms).with_context(|| format!("engine {}", spec.command))?;
            rival.close();
            let ours = engines[0].clone();
            let same = |name: &String| name.eq_ignore_ascii_case(&ours);
            // Two versions may report the same name: then the command distinguishes them.
            engines.push(name.filter(|name| !same(name)).unwrap_or_else(|| spec.command.clone()));
        }
        Ok(engines)
    }

    /// Settings that must be equal when a run is continued, or joined with another.
    fn header(&self, engines: &[String]) -> Value {
        let file = |(file, puzzles): &(String, Vec<SuitePuzzle>)| {
            let positions: Vec<&str> = puzzles.iter().map(|puzzle| puzzle.pos.as_str()).collect();
            let crc32 = crc32fast::hash(positions.join("\n").as_bytes());
            // Everything that the verdicts depend on.
            let settings: Vec<String> = puzzles.iter().map(SuitePuzzle::settings).collect();
            let sum = crc32fast::hash(settings.join("\n").as_bytes());
            json!({
                "name": file,
                "positions": positions.len(),
                "crc32": crc32,
                CHECKSUMS: { "puzzles_checksum": sum },
            })
        };
        json!({
            "format": FORMAT,
            "engines": engines,
            "budget": self.resources.budget.to_string(),
            "threads": self.resources.threads,
            "memory": self.resources.memory >> 20,
            "files": self.files.iter().map(file).collect::<Vec<_>>(),
            "shard": (!self.shard.is_whole()).then(|| self.shard.header()),
            CHECKSUMS: self.rival_checksums(),
        })
    }

    /// Distinguishes the second engine from another one of the same name.
    fn rival_checksums(&self) -> Value {
        let Some(spec) = &self.rival else { return json!({}) };
        let path = spec.program_path();
        // A command without a path is found by the system.
        let sum = path.is_absolute().then(|| of_file(&path)).flatten();
        json!({ "command": spec.command, "program_checksum": sum })
    }
}

/// Progress display of a run.
struct Watch<'a> {
    engines: &'a [String],
    counts: Vec<Counts>,
    bar: ProgressBar,
    complaints: BTreeSet<String>,
}

impl<'a> Watch<'a> {
    fn new(engines: &'a [String], puzzles: usize) -> Result<Watch<'a>> {
        let style = ProgressStyle::with_template("{pos}/{len} {wide_bar} {msg} {eta}")?;
        Ok(Watch {
            engines,
            counts: vec![Counts::default(); engines.len()],
            bar: ProgressBar::new(puzzles as u64).with_style(style),
            complaints: BTreeSet::new(),
        })
    }

    fn note(&mut self, row: &PuzzleRow) {
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
        self.bar.inc(1);
    }
}
