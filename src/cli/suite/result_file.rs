//! File of the results of a run: a line with its settings, then a line for each
//! position and engine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::report::{report, row};
use super::table::{JsonLine, PuzzleRow};
use super::verdict::Attempt;
use crate::run::journal::RunJournal;
use crate::run::parts::{Parts, hold, with_target};
use crate::run::shard::Shard;
use goren_notation::words::plural;

/// The format in the first line.
pub(in super::super) const FORMAT: &str = "goren suite 1";

/// The file of a run, open for appending.
pub(super) struct ResultFile {
    journal: RunJournal,
    /// Attempts already in the file, by puzzle and engine, without failures.
    known: BTreeMap<(u64, usize), Attempt>,
    engines: usize,
}

impl ResultFile {
    /// Opens the file of a run described by `header`; continues an existing one with
    /// `resume`.
    ///
    /// # Errors
    /// Those of [`RunJournal::open`]; a line that is no result of this run.
    pub(super) fn open(path: &Path, header: &Value, resume: bool) -> Result<ResultFile> {
        let engines = names(header)?;
        let mut known = BTreeMap::new();
        let (journal, _) = RunJournal::open(path, "run", header, resume, |line, _| {
            let line: JsonLine = serde_json::from_slice(line)?;
            let place = (line.number, engine(&engines, &line)?);
            let before = known.insert(place, line.attempt());
            ensure!(before.as_ref().is_none_or(Attempt::has_failed), "the position comes twice");
            Ok(())
        })?;
        known.retain(|_, attempt| !attempt.has_failed());
        Ok(ResultFile { journal, known, engines: engines.len() })
    }

    /// The attempts at a puzzle already in the file; none unless those of all engines
    /// are there.
    pub(super) fn attempts(&self, number: u64) -> Vec<Attempt> {
        let known = (0..self.engines).map(|engine| self.known.get(&(number, engine)).cloned());
        known.collect::<Option<_>>().unwrap_or_default()
    }

    /// Appends the attempts at a puzzle, except those already in the file.
    ///
    /// # Errors
    /// An I/O error.
    pub(super) fn append(
        &mut self,
        number: u64,
        engines: &[String],
        row: &PuzzleRow,
    ) -> Result<()> {
        let new = (0..row.attempts.len()).filter(|&at| !self.known.contains_key(&(number, at)));
        let lines = new.map(|at| row.json(number, engines, at));
        self.journal.append(&lines.collect::<serde_json::Result<String>>()?)
    }
}

fn names(header: &Value) -> Result<Vec<String>> {
    let names: Option<Vec<String>> = serde_json::from_value(header["engines"].clone()).ok();
    names.context("the settings name no engines")
}

fn engine(engines: &[String], line: &JsonLine) -> Result<usize> {
    let at = engines.iter().position(|engine| *engine == line.engine);
    at.with_context(|| format!("unknown engine {}", line.engine))
}

/// Joins the files of the parts of a run, and prints its tables. Returns whether no
/// position is missing and our engine made no false claim.
///
/// # Errors
/// A file cannot be read or written, or is damaged; the files are of different runs;
/// `out` is the file of a part.
pub(in super::super) fn join(out: &Path, files: &[PathBuf]) -> Result<bool> {
    let _lock = hold(out, out)?;
    let read = |header: &Value, shard: Shard, line: &[u8]| -> Result<(u64, JsonLine)> {
        let engines = names(header)?;
        let line: JsonLine = serde_json::from_slice(line)?;
        ensure!(shard.has(line.number), "position {} is of another part", line.number);
        let place = line.number * engines.len() as u64 + engine(&engines, &line)? as u64;
        Ok((place, line))
    };
    let files = with_target(files, out);
    let joined = Parts::read_retried(&files, "run", JsonLine::has_failed, read)?;
    joined.write(out)?;
    let engines = names(&joined.header)?;
    let lines: Vec<&JsonLine> = joined.items.values().map(|(line, _)| line).collect();
    let mut tried = Vec::new();
    for lines in lines.chunk_by(|a, b| a.number == b.number) {
        if lines.len() == engines.len() {
            let attempts: Vec<Attempt> = lines.iter().map(|line| line.attempt()).collect();
            tried.push((lines[0], lines[0].puzzle()?, attempts));
        }
    }
    let ends = ends(&joined.header);
    let rows: Vec<PuzzleRow> = tried
        .iter()
        .map(|(line, puzzle, attempts)| {
            let file_index = ends.partition_point(|&end| end <= line.number);
            row((file_index, &line.file, puzzle), attempts)
        })
        .collect();
    print!("{}", report(&engines, joined.header["budget"].as_str().unwrap_or("?"), &rows));
    let is_wrong = rows.iter().any(|row| !row.wrong(&engines[..1]).is_empty());
    let all = ends.last().unwrap_or(&0) * engines.len() as u64;
    let is_whole = joined.report("result", "results") && joined.items.len() as u64 == all;
    if !is_whole {
        println!("The whole run has {}.", plural(all, "result", "results"));
    }
    Ok(is_whole && !is_wrong)
}

/// For each file of a run the number of the first position after it.
fn ends(header: &Value) -> Vec<u64> {
    let files = header["files"].as_array().into_iter().flatten();
    let mut sum = 0;
    let end = |file: &Value| {
        sum += file["positions"].as_u64().unwrap_or(0);
        sum
    };
    files.map(end).collect()
}
