//! The output of readers of other programs' files: games as the file gives
//! them, and notes on parts that could not be used.
//!
//! A reader knows the form of its file and no rules: it tells moves in order
//! with the colours that the file names, leaves fields `None` where the file is
//! silent, and adds a [`Note`] for whatever it skipped or guessed. Whether the
//! moves are legal is for whoever plays them.

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
