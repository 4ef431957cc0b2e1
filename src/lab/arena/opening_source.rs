//! Where the openings of a match come from.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use super::random_opening;
use crate::lab::opening_file::{self, Format};
use crate::lab::openings::{Recipe, level_openings};
use crate::lab::weights;
use crate::rules::Setup;
use crate::types::{Cell, Score};

/// Openings that are made at most, unless a number is given.
const MOST: u64 = 1000;

/// Level openings as `goren openings` makes them: stones, nodes, points.
const STONES: (usize, usize) = (3, 8);
const NODES: u64 = 20_000;
const MAX_SCORE: Score = 40;

/// A source of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A file.
    File(PathBuf),
    /// Made by search, as many as are wanted or needed.
    Level(Option<u64>),
    /// A few random stones near the centre.
    Random(Option<u64>),
}

impl Source {
    /// The openings of a match of so many pairs, at least one. For the same
    /// seed a longer match begins with those of a shorter one, unless there
    /// are too few for either. What takes long to make is read from `made`, if
    /// enough of it is there.
    ///
    /// # Errors
    /// A file that cannot be read or holds an illegal opening; too few level
    /// positions.
    pub(super) fn openings(
        &self,
        setup: Setup,
        pairs: Option<u64>,
        seed: u64,
        made: Option<&Path>,
    ) -> Result<Vec<Vec<Cell>>> {
        let count = |given: &Option<u64>| {
            given.unwrap_or_else(|| pairs.unwrap_or(u64::MAX).min(MOST)).max(1) as usize
        };
        match self {
            Source::File(path) => opening_file::read(path, setup, None),
            Source::Random(given) => Ok(random_opening::openings(setup, count(given), seed)),
            Source::Level(given) => {
                if let Some(path) = made.filter(|path| path.exists()) {
                    let mut openings = opening_file::read(path, setup, Some(Format::Points))?;
                    if openings.len() >= count(given) {
                        openings.truncate(count(given));
                        return Ok(openings);
                    }
                }
                let weights = weights::load(&[] as &[PathBuf])?.of(setup.rule);
                // A tenth of a small board is an opening already.
                let most = (setup.area() / 10).clamp(1, STONES.1);
                let stones = (STONES.0.min(most), most);
                let recipe = Recipe { setup, weights, stones, nodes: NODES, max_score: MAX_SCORE };
                let made = level_openings(&recipe, seed, count(given))?;
                Ok(made.into_iter().map(|opening| opening.moves).collect())
            }
        }
    }

    /// What must be the same when a match is gone on with.
    pub(super) fn header(&self, setup: Setup, openings: &[Vec<Cell>]) -> Value {
        match self {
            Source::File(_) => {
                let line =
                    |opening: &Vec<Cell>| opening_file::write_line(opening, setup, Format::Points);
                let lines: Vec<String> = openings.iter().map(line).collect();
                json!({"file_crc32": crc32fast::hash(lines.join("\n").as_bytes())})
            }
            Source::Level(given) => json!({"level": given}),
            Source::Random(given) => json!({"random": given}),
        }
    }
}
