//! The search and all it stands on.
//!
//! - [`pattern`], [`board`]: pattern codes of lines, kept up to date move by move;
//! - [`eval`]: the evaluation, its weights and its net;
//! - [`threat`]: solvers of fours (VCF) and threats (VCT);
//! - [`game`]: what the search asks of a position, for each family of games;
//! - [`search`]: alpha-beta, threads, time;
//! - [`tt`]: the transposition table; [`spare`]: the memory reserve.

#[doc = include_str!("adding_a_variant.md")]
pub mod adding_a_variant {}
pub mod board;
pub mod eval;
pub mod game;
pub mod pattern;
pub mod search;
pub mod spare;
pub mod threat;
pub mod tt;
