//! Files of games and positions: recognises the form of a file, reads its games and
//! plays them.
//!
//! Readers ([`goren_core::record`]) know a format and no rules. Notes list what they skipped,
//! guessed or did not understand. A game with a note of weight `Doubt` is refused, unless the
//! user answers the question of the note ([`PlayOptions::hints`]) or accepts doubtful games
//! ([`PlayOptions::lenient`]). A bad game in a file does not hide the others.
//!
//! `table.rs` decides the form of a file, one row per form. Readers are in
//! [`goren_core::record`] and, for the files of other programs, in `record::import`.

mod foreign;
mod json;
mod not_held;
mod open;
mod overview;
mod play;
#[cfg(test)]
mod position_tests;
#[cfg(test)]
mod round_trip_tests;
mod set_up;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod typed;

pub use foreign::{Kind, known};
pub use not_held::{LossyForm, not_held};
pub use open::{ENDINGS, Games, Opened};
pub use overview::Overview;
pub use play::{PlayOptions, Played, Refusal, opened_by, play, play_from};
pub use set_up::{SetUpError, set_up};
pub use table::Form;
pub use text::{MAX_BYTES, bounded_file};
pub use typed::Typed;

/// Counts the games of some bytes that can be played, and those that are refused; for tests.
///
/// # Errors
/// The bytes are not a text.
#[cfg(any(test, feature = "testing"))]
pub fn try_all(
    bytes: &[u8],
    form: Option<Form>,
    options: &PlayOptions,
) -> anyhow::Result<[usize; 2]> {
    Opened::of_bytes(bytes).games(form, &options.hints, |games| {
        let mut counts = [0; 2];
        for game in games.by_ref() {
            let played = game.is_ok_and(|game| play(game, options).is_ok());
            counts[usize::from(!played)] += 1;
        }
        Ok(counts)
    })
}
