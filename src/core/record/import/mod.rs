//! Readers of other programs' files. They return games as the file gives them, with notes on the
//! parts that could not be used.
//!
//! A reader knows its file format but no rules of the game. It returns the moves in order, with
//! colours if the file gives them, leaves a field `None` if the file does not state it, and adds
//! a [`Note`] for everything that it skipped or guessed. The caller checks whether the moves are
//! legal (`goren_notation::forms`).

mod game;
mod hints;
pub mod list;
mod note;
pub(in crate::record) mod notes;
pub(in crate::record) mod outcome;
pub mod pente_org;
pub mod pgn;
pub(in crate::record) mod points;
pub mod pos;
pub mod rif;
pub mod sav;
mod size;
mod tagged;
#[cfg(test)]
mod test_reading;

pub use game::{Imported, ImportedEvent, ImportedGame, MoveStats, UnreadableGame};
pub use hints::{Columns, Hints};
pub use note::{Note, Place, Question, Weight};
pub use size::usual_size;
