//! The file of a run: a line that says what is tuned and how, then a line for
//! each iteration with its results. All else follows from them; the values
//! are written now and then for readers.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::game::{Field, Results};
use super::tuner::{Axis, Tuner};
use crate::lab::journal::Journal;
use crate::lab::opening_file::{Format, write_line};
use crate::search::Params;

/// A line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// Number of the iteration, from 1.
    pub iteration: u64,
    /// Games won, lost and drawn by its first side, rule by rule.
    pub results: Vec<Results>,
    /// The values after it, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Value>,
}

impl Line {
    /// Games won less those lost by the first side.
    pub(super) fn won(&self) -> i64 {
        self.results.iter().map(|score| score.0 as i64 - score.1 as i64).sum()
    }
}

/// The values by name, for [`Line::values`].
pub(super) fn values(axes: &[Axis]) -> Value {
    // Some digits fewer than there are: nobody reads them.
    let short = |now: f64| (now * 1000.0).round() / 1000.0;
    axes.iter().map(|axis| (axis.spec.name.to_owned(), json!(short(axis.now)))).collect()
}

/// What must be the same when a run is gone on with.
pub(super) fn header(
    tuner: &Tuner,
    base: &Params,
    fields: &[Field],
    nodes: u64,
    pairs: u64,
    seed: u64,
) -> Value {
    let gains = tuner.gains();
    let field = |field: &Field| {
        let line = |moves: &Vec<_>| write_line(moves, field.setup, Format::Points);
        let lines: Vec<String> = field.openings.iter().map(line).collect();
        let crc32 = (!lines.is_empty()).then(|| crc32fast::hash(lines.join("\n").as_bytes()));
        json!({
            "rule": field.setup.rule.name(),
            "width": field.setup.width,
            "height": field.setup.height,
            "openings_crc32": crc32,
        })
    };
    let base: Value = Params::SPECS
        .iter()
        .zip(base.values())
        .map(|(s, v)| (s.name.to_owned(), json!(v)))
        .collect();
    let axis = |axis: &Axis| {
        let spec = &axis.spec;
        json!([spec.name, spec.min, spec.max, spec.step])
    };
    json!({
        "version": 1,
        "iterations": gains.iterations,
        "pairs": pairs,
        "nodes": nodes,
        "seed": seed,
        "rate_end": gains.rate_end,
        "alpha": gains.alpha,
        "gamma": gains.gamma,
        "fields": fields.iter().map(field).collect::<Vec<_>>(),
        "tuned": tuner.axes().iter().map(axis).collect::<Vec<_>>(),
        "start": base,
    })
}

/// Opens the file of a run. With `resume`, a file that is there is read, its
/// lines are handed to `read`, and it is gone on with.
///
/// # Errors
/// Those of [`Journal::open`]; an iteration that is not of this run.
pub(super) fn open(
    path: &Path,
    header: &Value,
    fields: usize,
    pairs: u64,
    resume: bool,
    mut read: impl FnMut(Line),
) -> Result<Journal> {
    let iterations = header["iterations"].as_u64().unwrap_or(0);
    let (journal, _) = Journal::open(path, "run", header, resume, |bytes, number| {
        let line: Line = serde_json::from_slice(bytes).context("not the line of an iteration")?;
        let due = number as u64 - 1;
        ensure!(line.iteration == due, "iteration {}, not {due}", line.iteration);
        ensure!(due <= iterations, "the run has but {iterations} iterations");
        let games: u64 = line.results.iter().map(|score| score.0 + score.1 + score.2).sum();
        ensure!(line.results.len() == fields && games == 2 * pairs, "results of another run");
        read(line);
        Ok(())
    })?;
    Ok(journal)
}
