//! Source of the openings of a match.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use super::random_opening;
use crate::opening_file::{self, OpeningFormat};
use crate::openings::{Recipe, balanced_openings, identity};
use crate::run::stop::Stop;
use goren_core::opening::Action;
use goren_core::rules::Contest;
use goren_core::types::Score;
use goren_engine::WeightSet;

/// Openings that are made at most, unless a number is given.
const MOST: u64 = 1000;

/// Balanced openings as `goren openings` makes them: stones, nodes, points.
const STONES: (usize, usize) = (3, 8);
const NODES: u64 = 20_000;
const MAX_SCORE: Score = 40;

/// A source of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OpeningSource {
    /// A file.
    File(PathBuf),
    /// Made by search, as many as are wanted or needed.
    Balanced(Option<u64>),
    /// A few random stones or plies near the centre.
    Random(Option<u64>),
    /// None: the players begin on an empty board.
    Empty,
}

impl OpeningSource {
    /// The openings of a match of `pairs` pairs, at least one. For the same
    /// seed a longer match begins with those of a shorter one, unless there
    /// are too few for either. What takes long to make is read from `made`, if
    /// enough of it is there.
    ///
    /// # Errors
    /// A file that cannot be read or holds an illegal opening; too few balanced
    /// positions; it was stopped while openings were made.
    pub(super) fn openings(
        &self,
        contest: &Contest,
        pairs: Option<u64>,
        seed: u64,
        made: Option<&Path>,
        stop: Stop,
    ) -> Result<Vec<Vec<Action>>> {
        let count = |given: &Option<u64>| {
            given.unwrap_or_else(|| pairs.unwrap_or(u64::MAX).min(MOST)).max(1) as usize
        };
        Ok(match self {
            OpeningSource::Empty => vec![Vec::new()],
            OpeningSource::File(path) => opening_file::read(path, contest)?,
            OpeningSource::Random(given) => random_opening::openings(contest, count(given), seed)?,
            OpeningSource::Balanced(given) => balanced(contest, count(given), seed, made, stop)?,
        })
    }

    /// Settings that must be equal when a match is continued; `lines` are the
    /// openings.
    pub(super) fn header(&self, lines: &[String]) -> Value {
        match self {
            OpeningSource::File(_) => {
                json!({"file_crc32": crc32fast::hash(lines.join("\n").as_bytes())})
            }
            // The key of matches that were begun before the option had its name.
            OpeningSource::Balanced(given) => json!({"level": given}),
            // Without `distinct` they were made by former versions, and some were equal.
            OpeningSource::Random(given) => json!({"random": given, "distinct": true}),
            OpeningSource::Empty => json!("none"),
        }
    }
}

/// Balanced openings, made by search or read again.
fn balanced(
    contest: &Contest,
    count: usize,
    seed: u64,
    made: Option<&Path>,
    stop: Stop,
) -> Result<Vec<Vec<Action>>> {
    if let Some(path) = made.filter(|path| path.exists()) {
        let mut openings = opening_file::read(path, contest)?;
        if openings.len() >= count {
            openings.truncate(count);
            return Ok(openings);
        }
    }
    // A tenth of a small board is an opening already.
    let most = (contest.width * contest.height / 10).clamp(1, STONES.1);
    let stones = (STONES.0.min(most), most);
    let (contest, weights) = (*contest, WeightSet::default());
    let recipe = Recipe {
        contest,
        weights,
        stones,
        to_last_swap: false,
        nodes: NODES,
        max_score: MAX_SCORE,
    };
    balanced_openings(&recipe, seed, count, stop)
}

/// How many of some openings begin different games.
pub(super) fn count_distinct(openings: &[Vec<Action>], contest: &Contest) -> u64 {
    let known: HashSet<_> = openings.iter().map(|opening| identity(opening, contest)).collect();
    known.len() as u64
}

/// Openings as lines of a file that can be read again.
pub(super) fn lines(contest: &Contest, openings: &[Vec<Action>]) -> Vec<String> {
    let line =
        |opening: &Vec<Action>| opening_file::write_line(opening, contest, OpeningFormat::Points);
    openings.iter().map(line).collect()
}
