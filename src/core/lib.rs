//! Games and rules of Goren: variants, an exact referee for all of them, openings, and
//! files of games. It does not search.
//!
//! - [`types`]: cells, colours, stones, moves, scores;
//! - [`rules`]: games and variants, and the referee;
//! - [`opening`]: a game from its first ply on: swap2, swap, Taraguchi-10 and the
//!   other openings;
//! - [`record`]: games and positions in files, ours and those of other programs.
//!
//! Start with a [`GameState`](opening::GameState), a game in progress by the rules of any
//! variant:
//!
//! ```
//! use goren_core::opening::{self, GameState};
//! use goren_core::rules::{Contest, Variant};
//! use goren_core::types::Color;
//!
//! let mut game = GameState::new(Contest::new(Variant::from_name("freestyle")?));
//! for ply in ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12"] {
//!     let action = opening::read(&game, ply)?;
//!     game.apply(&action)?;
//! }
//! let result = game.result().expect("Black has five in a row");
//! assert_eq!(result.colors, [Color::Black]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Five in a row without openings needs only the [`FiveReferee`](rules::referee::FiveReferee),
//! here for a forbidden point of renju:
//!
//! ```
//! use goren_core::rules::referee::FiveReferee;
//! use goren_core::rules::{RuleId, Setup};
//! use goren_core::types::{Cell, Color, Stone};
//!
//! let mut referee = FiveReferee::new(Setup::new(RuleId::Renju, 15, 15)?);
//! for (x, y) in [(5, 7), (6, 7), (7, 5), (7, 6)] {
//!     referee.set_up(Cell::new(x, y), Stone::Of(Color::Black))?;
//! }
//! assert!(referee.fouls(Color::Black, Cell::new(7, 7)).double_three);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)
)]

#[cfg(test)]
mod models;
pub mod opening;
pub mod record;
pub mod rules;
pub mod types;

#[cfg(all(test, feature = "serde"))]
mod serde_tests;
