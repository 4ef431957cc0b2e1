//! Advice on damaged files of training games, and on files of another kind among them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Error, Result, bail};

use crate::forms::{self, Kind};
use goren_training_data::{Damaged, other_kind};

/// Adds to the error of a damaged file how to use its whole games.
pub(crate) fn hint_whole_games(error: Error) -> Error {
    let is_damaged = error.is::<Damaged>();
    let hint = "with --whole-games the complete games are used: those before the first fault of a \
                packed file, all but the damaged ones of a file of lines";
    if is_damaged { error.context(hint) } else { error }
}

/// Checks that files hold training games, before any game is read, as it may take long to
/// reach the last file.
///
/// # Errors
/// A file is of another kind; names the kind, and what to do about it.
pub(crate) fn check_training(files: &[PathBuf]) -> Result<()> {
    for path in files {
        // A pipe can be read only once.
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
