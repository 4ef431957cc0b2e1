//! What all of Goren agrees on: the games and their rules.
//!
//! - [`types`]: points, colours, stones, moves;
//! - [`rules`]: games and variants, and the referee that knows them exactly;
//! - [`opening`]: swap2, swap, Taraguchi-10 and the other opening rules;
//! - [`record`]: games and positions in files, ours and those of other programs.

pub mod opening;
pub mod record;
pub mod rules;
pub mod types;

#[cfg(all(test, feature = "serde"))]
mod serde_tests;
