//! Games from the first ply to the last, as their rules state them: whose turn
//! it is and what he may do, through openings, swaps and passes. State machines
//! without search, on the boards of the referee.

mod action;
mod ask;
mod course;
mod figures;
mod progress;
mod seat;
#[cfg(test)]
mod tests;
mod text;

pub use action::{Action, IllegalAction};
pub use ask::{Ask, Choice, Zone};
pub use course::{Course, Event, Result};
pub use figures::{Figure, figure};
pub use seat::Seat;
pub use text::{TextError, action_of, read, write};
