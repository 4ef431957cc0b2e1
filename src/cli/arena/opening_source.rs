//! Source of the openings of a match.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::random_opening;
use crate::engine::Terms;
use crate::opening_file::{self, Format, write_line};
use crate::openings::{Recipe, level_openings};
use crate::{plies, weights};
use goren_core::opening::Action;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Score};

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
    /// A few random stones or plies near the centre.
    Random(Option<u64>),
    /// None: the players begin on an empty board.
    Empty,
}

impl Source {
    /// The openings of a match of so many pairs, at least one. For the same
    /// seed a longer match begins with those of a shorter one, unless there
    /// are too few for either. What takes long to make is read from `made`, if
    /// enough of it is there.
    ///
    /// # Errors
    /// A file that cannot be read or holds an illegal opening; too few level
    /// positions; level openings of other games than five in a row in the
    /// words of Gomocup.
    pub(super) fn openings(
        &self,
        terms: Terms,
        pairs: Option<u64>,
        seed: u64,
        made: Option<&Path>,
    ) -> Result<Vec<Vec<Action>>> {
        let count = |given: &Option<u64>| {
            given.unwrap_or_else(|| pairs.unwrap_or(u64::MAX).min(MOST)).max(1) as usize
        };
        let actions = |openings: Vec<Vec<Cell>>| {
            let actions = |cells: Vec<Cell>| cells.into_iter().map(Action::stone).collect();
            openings.into_iter().map(actions).collect()
        };
        Ok(match (self, terms) {
            (Source::Empty, _) => vec![Vec::new()],
            (Source::File(path), Terms::Gomocup(setup)) => {
                actions(opening_file::read(path, setup, None)?)
            }
            (Source::File(path), Terms::Family(contest)) => plies::read_openings(path, &contest)?,
            (Source::Random(given), Terms::Gomocup(setup)) => {
                actions(random_opening::openings(setup, count(given), seed))
            }
            (Source::Random(given), Terms::Family(contest)) => {
                random_opening::plies(&contest, count(given), seed)?
            }
            (Source::Level(given), Terms::Gomocup(setup)) => {
                actions(level(setup, count(given), seed, made)?)
            }
            (Source::Level(_), Terms::Family(contest)) => {
                bail!(
                    "level openings are made for the rules of Gomocup, not for {}",
                    contest.variant
                )
            }
        })
    }

    /// What must be the same when a match is gone on with; `lines` are the
    /// openings.
    pub(super) fn header(&self, lines: &[String]) -> Value {
        match self {
            Source::File(_) => json!({"file_crc32": crc32fast::hash(lines.join("\n").as_bytes())}),
            Source::Level(given) => json!({"level": given}),
            Source::Random(given) => json!({"random": given}),
            Source::Empty => json!("none"),
        }
    }
}

/// Level openings, made by search or read again.
fn level(setup: Setup, count: usize, seed: u64, made: Option<&Path>) -> Result<Vec<Vec<Cell>>> {
    if let Some(path) = made.filter(|path| path.exists()) {
        let mut openings = opening_file::read(path, setup, Some(Format::Points))?;
        if openings.len() >= count {
            openings.truncate(count);
            return Ok(openings);
        }
    }
    let weights = weights::load(&[] as &[PathBuf])?.of(setup.rule);
    // A tenth of a small board is an opening already.
    let most = (setup.area() / 10).clamp(1, STONES.1);
    let stones = (STONES.0.min(most), most);
    let recipe = Recipe { setup, weights, stones, nodes: NODES, max_score: MAX_SCORE };
    let made = level_openings(&recipe, seed, count)?;
    Ok(made.into_iter().map(|opening| opening.moves).collect())
}

/// Openings as lines of a file that can be read again.
pub(super) fn lines(terms: Terms, openings: &[Vec<Action>]) -> Vec<String> {
    let line = |opening: &Vec<Action>| match terms {
        Terms::Gomocup(setup) => {
            let cells = opening.iter().filter_map(|action| match action {
                Action::Stones { cells, .. } => cells.first().copied(),
                _ => None,
            });
            write_line(&cells.collect::<Vec<Cell>>(), setup, Format::Points)
        }
        Terms::Family(contest) => plies::texts(&contest, opening).join(" "),
    };
    openings.iter().map(line).collect()
}
