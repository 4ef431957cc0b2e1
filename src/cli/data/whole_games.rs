//! What can be done about files of training games that are damaged, and about others among them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Error, Result, bail};

use crate::forms::{self, Kind};
use goren_training_data::{Damaged, other_kind};

/// Adds to the error of a damaged file how to use the games of it that are whole.
pub(crate) fn hint_whole_games(error: Error) -> Error {
    let is_damaged = error.is::<Damaged>();
    let hint = "with --whole-games the whole games are used: of a packed file those before its \
                first fault, of a file of lines all others";
    if is_damaged { error.context(hint) } else { error }
}

/// Checks that files are of training games, before any game is read: it may take long to come
/// to the last of them.
///
/// # Errors
/// A file is of another kind: what it is, and what to do about it.
pub(crate) fn check_training(files: &[PathBuf]) -> Result<()> {
    for path in files {
        // What is no file, such as a pipe, can be read only once.
        let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
        if let Some(fault) = is_file.then(|| other_kind(path)).flatten() {
            match forms::other_kind(path, Kind::Training) {
                Some(other) => {
                    bail!("{other:#}; only training games are read here: leave the file out");
                }
                None => bail!("{fault:#}; if it holds no training games, leave the file out"),
            }
        }
    }
    Ok(())
}
