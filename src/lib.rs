//! Goren: an engine for five in a row and its family.
//!
//! The layers and what each may import stand in `ARCHITECTURE.md`.

pub mod board;
pub mod database;
pub mod eval;
pub mod game;
#[cfg(feature = "cli")]
pub mod lab;
pub mod opening;
pub mod pattern;
pub mod proof;
pub mod record;
pub mod rules;
pub mod search;
pub mod session;
pub mod spare;
pub mod threat;
pub mod tt;
pub mod types;
