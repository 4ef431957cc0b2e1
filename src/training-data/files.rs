//! Games of several files, one file after the other.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

use anyhow::{Error, Result};

use crate::file::DataError;
use crate::training_game::{StoredGame, StoredGames, TrainingGame, stored_games};

/// Reader of the games in files of either kind, one file after the other. A fault of a file or
/// game ends the reading, or is noted with `whole_games`.
pub struct GameReader {
    files: vec::IntoIter<PathBuf>,
    current: Option<(GamePlace, StoredGames)>,
    whole_games: bool,
    faults: Vec<String>,
    without_game: Vec<Arc<Path>>,
}

/// Place of a game: `FILE: game NUMBER`.
#[derive(Clone, Debug)]
pub struct GamePlace {
    /// The file.
    pub path: Arc<Path>,
    /// Number of the game in the file, from 1.
    pub game: u64,
}

impl fmt::Display for GamePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: game {}", self.path.display(), self.game)
    }
}

/// Context of an error of [`GameReader`]: the whole games of the file can be read if
/// `whole_games` is set.
#[derive(Debug, thiserror::Error)]
#[error("the file is damaged")]
pub struct Damaged;

impl GameReader {
    /// Creates a reader of `files`, in order. With `whole_games` it skips damaged lines, and
    /// reads a damaged packed file up to its first fault; without, the first fault is an error.
    pub fn new(files: Vec<PathBuf>, whole_games: bool) -> GameReader {
        GameReader {
            files: files.into_iter(),
            current: None,
            whole_games,
            faults: Vec::new(),
            without_game: Vec::new(),
        }
    }

    /// Returns the next game and its place; `None` after the last one.
    ///
    /// # Errors
    /// A file cannot be opened, is no file of training games, or is damaged without
    /// `whole_games`. The error names the file.
    pub fn next_game(&mut self) -> Result<Option<(GamePlace, TrainingGame)>> {
        while let Some((place, stored)) = self.next_stored()? {
            match stored.read() {
                Ok(game) => return Ok(Some((place, game))),
                Err(fault) => self.pass_over(fault)?,
            }
        }
        Ok(None)
    }

    /// Returns the next game and its place; `None` after the last one. A line is not parsed yet.
    ///
    /// # Errors
    /// As [`GameReader::next_game`], except for a line that is no game.
    pub fn next_stored(&mut self) -> Result<Option<(GamePlace, StoredGame)>> {
        loop {
            let Some((place, games)) = &mut self.current else {
                let Some(path) = self.files.next() else { return Ok(None) };
                let games = stored_games(&path)?;
                self.current = Some((GamePlace { path: path.into(), game: 0 }, games));
                continue;
            };
            place.game += 1;
            match games.next() {
                Some(Ok(game)) => return Ok(Some((place.clone(), game))),
                Some(Err(fault)) => self.pass_over(fault)?,
                None => {
                    if place.game == 1 {
                        self.without_game.push(place.path.clone());
                    }
                    self.current = None;
                }
            }
        }
    }

    /// Skips a game that cannot be read or used, and notes the fault.
    ///
    /// # Errors
    /// The fault, if the file is of another kind, or without `whole_games`; then [`Damaged`] is
    /// its context.
    pub fn pass_over(&mut self, fault: Error) -> Result<()> {
        if fault.downcast_ref::<DataError>().is_some_and(DataError::is_other_kind) {
            return Err(fault);
        }
        if !self.whole_games {
            return Err(fault.context(Damaged));
        }
        self.faults.push(format!("{fault:#}"));
        Ok(())
    }

    /// Returns the faults so far; always empty without `whole_games`.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Returns the undamaged files so far that have no game, such as empty ones.
    pub fn without_game(&self) -> &[Arc<Path>] {
        &self.without_game
    }
}

#[cfg(test)]
mod tests;
