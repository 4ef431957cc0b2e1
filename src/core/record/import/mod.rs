//! The output of readers of other programs' files: games as the file gives
//! them, and notes on parts that could not be used.
//!
//! A reader knows its file format and no rules of the game. It returns the moves in order,
//! with colours where the file gives them, leaves a field `None` if the file does not say
//! it, and adds a [`Note`] for everything that it skipped or guessed. The caller checks
//! whether the moves are legal (`goren_notation::forms`).

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
