//! The search and all it stands on. The door is [`Engine`]: it searches positions
//! within the bounds of a [`Request`], tells [`Report`]s and gives an [`Answer`].
//!
//! - [`pattern`], [`board`]: pattern codes of lines, kept up to date move by move;
//! - [`eval`]: the evaluation, its weights and its net;
//! - [`threat`]: solvers of fours (VCF) and threats (VCT);
//! - [`game`]: what the search asks of a position, for each family of games;
//! - [`search`]: alpha-beta, threads, time;
//! - [`hash`], [`tt`]: the transposition table; [`spare`]: the memory reserve;
//!   [`stack`]: threads with stack enough.

#[doc = include_str!("adding_a_variant.md")]
pub mod adding_a_variant {}
pub mod board;
mod engine;
pub mod eval;
pub mod game;
pub mod hash;
pub mod pattern;
pub mod search;
pub mod spare;
pub mod stack;
pub mod threat;
pub mod tt;

pub use engine::{Engine, EngineError};
pub use eval::WeightSet;
pub use hash::Hash;
pub use search::{
    Answer, Basis, Control, Game, Info, Own, Params, Replayed, Report, Request, RootEvent, Scene,
    Searchable, Solver, new_game, new_game_with, new_position,
};
