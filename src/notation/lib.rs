//! Games as people write and read them: what they type, the files they have, and
//! what an opening asks of a seat, in words. It knows the rules and searches nothing.
//!
//! - [`lettering`], [`point`], [`turn`], [`plies`], [`moves`]: names of points, plies as they are
//!   typed, games as points in a row;
//! - [`first_moves`]: stones that a search leaves out of a turn;
//! - [`pending_decision_text`], [`ending`], [`explanation`], [`words`]: what a seat has to decide, how a
//!   game ended, why a stone is a foul, told;
//! - [`forms`]: files of games in any form, recognised, read and played by the rules;
//! - [`json_game`]: games as our own JSON Lines.

#![deny(clippy::print_stderr)]

pub mod ending;
pub mod explanation;
pub mod first_moves;
pub mod forms;
#[cfg(any(test, feature = "testing"))]
pub mod json_example;
pub mod json_game;
pub mod lettering;
pub mod moves;
pub mod pending_decision_text;
pub mod plies;
pub mod point;
pub mod turn;
pub mod words;
