//! Game states from the first ply to the last: which seat is to act and what it may do, through
//! openings, swaps and passes. State machines without search, on the referee's boards.

mod action;
mod beginning;
mod figures;
mod game_state;
mod pending_decision;
mod progress;
mod seat;
#[cfg(feature = "serde")]
mod serial;
#[cfg(test)]
mod tests;
mod text;

pub use action::{Action, IllegalAction};
pub use figures::{Figure, Figures, figure};
pub use game_state::{Event, GameState, Result};
pub use pending_decision::{Choice, PendingDecision, Zone};
pub use seat::Seat;
pub use text::{TextError, action_of, canonical, read, write};
