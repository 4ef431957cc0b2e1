//! What can be done about a damaged file of training games.

use anyhow::Error;

use goren_training_data::Damaged;

/// Adds to the error of a damaged file how to use the games of it that are whole.
pub(crate) fn hint_whole_games(error: Error) -> Error {
    let is_damaged = error.is::<Damaged>();
    let hint = "with --whole-games the whole games are used: of a packed file those before its \
                first fault, of a file of lines all others";
    if is_damaged { error.context(hint) } else { error }
}
