//! What can be done about a damaged file of training games.

use anyhow::Error;

use goren_training_data::Damaged;

/// Adds to the error of a damaged file how to use the games of it that are whole.
pub(crate) fn hint_whole_games(error: Error) -> Error {
    let is_damaged = error.is::<Damaged>();
    if is_damaged { error.context("with --whole-games the whole games are used") } else { error }
}
