//! Games as users write and read them: typed moves, files of games, and the decisions
//! of openings in words. The crate knows the rules and does not search.
//!
//! - [`lettering`], [`point`], [`turn`], [`plies`], [`moves`]: names of points, typed plies, games
//!   as rows of points;
//! - [`first_moves`]: stones that a search leaves out of a turn;
//! - [`pending_decision_text`], [`ending`], [`explanation`], [`words`]: texts about what a seat
//!   has to decide, how a game ended, why a stone is a foul;
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
