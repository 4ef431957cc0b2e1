//! Positions and games given by the user: moves, boards, SGF, psq and our own JSON Lines,
//! from the command line, a file or standard input.
//!
//! Stones without an order are set up as they stand
//! (`goren_core::rules::referee`, `unordered.rs`).

mod source;
mod state;
#[cfg(test)]
mod tests;
mod words;

pub(super) use goren_notation::words::{foul_names, name};
pub(super) use source::{NamedGame, PositionArgs};
pub(super) use state::{ForbiddenPoint, GivenPosition, PlacedStone};
pub(super) use words::{color, ending_words, result_text};
