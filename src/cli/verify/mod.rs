//! `goren verify`: replays rule vectors (JSON Lines) by the rules of the games,
//! openings included, and stones on the fast board where there is one, and counts
//! where they agree with the data.

mod board_judge;
mod checks;
mod compare;
mod games;
mod judge;
mod record;
mod tally;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flate2::bufread::MultiGzDecoder;

use crate::cores;
use crate::forms::{Kind, other_kind};
use crate::run::ordered_jobs::ordered_jobs;
use goren_notation::words::plural;

use checks::NewJudge;
use record::VectorRecord;
pub use tally::{Check, CheckCounts, FileReport};
use tally::{REFEREE, Sheet};

/// Arguments of `goren verify`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren verify tests/data
  goren verify tests/data/renju/games.jsonl.gz

Every record is replayed by the rules of its game, openings included, and by the board of the
search where there is one. The exit status is 1 if anything disagrees.")]
pub struct Args {
    /// Files of rule vectors (.jsonl or .jsonl.gz), or folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Verifies the files and prints a report of each. Returns whether all reports are clean.
///
/// # Errors
/// A file or directory cannot be opened, or has nothing that can be checked.
pub fn run(args: &Args) -> Result<bool> {
    let (mut records, mut disagreed, mut unreadable) = (0, 0, 0);
    let files = vector_files(&args.files)?;
    let check = |(): &mut (), item: u64| files.get(item as usize).map(|path| verify_file(path));
    ordered_jobs(
        0,
        cores(),
        || Ok(()),
        check,
        |_, report| {
            let Some(report) = report.transpose()? else { return Ok(false) };
            println!("{report}");
            records += report.records;
            disagreed += report.disagreed();
            unreadable += report.unreadable.len();
            Ok(true)
        },
    )?;
    ensure!(records > 0 || disagreed > 0 || unreadable > 0, "no record of a supported kind");
    if disagreed > 0 {
        println!("There are disagreements.");
    } else if records > 0 {
        println!("All agree.");
    }
    if unreadable > 0 {
        let lines = plural(unreadable as u64, "line is", "lines are");
        println!("{lines} unreadable and not compared.");
    }
    Ok(disagreed == 0 && unreadable == 0)
}

/// The files named, and those under the directories named, in order.
fn vector_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut inside = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<Vec<_>>>()
            .with_context(|| path.display().to_string())?;
        inside.retain(|path| {
            let name = path.to_string_lossy();
            path.is_dir() || name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
        });
        inside.sort();
        files.extend(vector_files(&inside)?);
    }
    Ok(files)
}

/// Verifies one file.
///
/// # Errors
/// The file cannot be opened, or is of another known kind. Unreadable lines are listed in
/// the report.
pub fn verify_file(path: &Path) -> Result<FileReport> {
    let name = path.display().to_string();
    let file = BufReader::new(File::open(path).with_context(|| name.clone())?);
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let report = if is_packed {
        verify(&name, BufReader::new(MultiGzDecoder::new(file)))
    } else {
        verify(&name, file)
    };
    let is_other = report.records == 0 && !report.unreadable.is_empty() && !is_packed;
    match is_other.then(|| other_kind(path, Kind::Vectors)).flatten() {
        Some(other) => Err(other),
        None => Ok(report),
    }
}

/// Verifies records, one per line, by the referee and the board.
pub fn verify(name: &str, lines: impl BufRead) -> FileReport {
    let mut report = FileReport { name: name.to_string(), ..FileReport::default() };
    for (number, line) in (1..).zip(lines.lines()) {
        // Invalid UTF-8 has been consumed; any other error would repeat for ever.
        let ended = line.as_ref().is_err_and(|error| error.kind() != ErrorKind::InvalidData);
        // A byte order mark is no part of the first line.
        let checked = line
            .map_err(Into::into)
            .and_then(|line| verify_line(line.trim_start_matches('\u{feff}'), &mut report));
        if let Err(error) = checked {
            report.unreadable.push(format!("line {number}: {error:#}"));
        }
        if ended {
            break;
        }
    }
    report
}

fn verify_line(line: &str, report: &mut FileReport) -> Result<()> {
    let record = VectorRecord::read(line)?;
    let judges: [NewJudge; 2] = [judge::referee, board_judge::board];
    match &record {
        VectorRecord::Line(r) => {
            each(judges, &r.id, report, |new, sheet| checks::line(r, new, sheet))?
        }
        VectorRecord::Position(r) => {
            each(judges, &r.id, report, |new, sheet| checks::position(r, new, sheet))?;
        }
        VectorRecord::ForbidQuirk(r) => {
            each(judges, &r.id, report, |new, sheet| checks::quirk(r, new, sheet))?;
        }
        VectorRecord::Game(r) => {
            let sheet = &mut Sheet { report, judge: REFEREE, id: &r.id };
            games::game(r, sheet).with_context(|| r.id.clone())?;
        }
        VectorRecord::Case(r) => {
            let sheet = &mut Sheet { report, judge: REFEREE, id: &r.id };
            games::case(r, sheet).with_context(|| r.id.clone())?;
        }
        VectorRecord::Unsupported(what) => {
            *report.skipped.entry(what.clone()).or_default() += 1;
            return Ok(());
        }
    }
    report.records += 1;
    Ok(())
}

/// Runs the checks of a record with each of the judges.
fn each(
    judges: [NewJudge; 2],
    id: &str,
    report: &mut FileReport,
    check: impl Fn(NewJudge, &mut Sheet<'_>) -> Result<()>,
) -> Result<()> {
    for (judge, new) in judges.into_iter().enumerate() {
        check(new, &mut Sheet { report, judge, id }).with_context(|| id.to_string())?;
    }
    Ok(())
}
