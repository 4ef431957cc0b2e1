//! Search, evaluation and boards of Goren. Begin with [`Engine`]: it searches a
//! position within the limits of a [`Request`], sends [`Report`]s meanwhile and
//! returns an [`Answer`]. Its page has examples: a best move, multi-PV, a VCF.
//!
//! A position of any game is an [`AnyPosition`]: [`position_of`] makes one from a game,
//! [`new_position`] makes an empty board that a [`RootPosition`] can be set up on.
//! [`Engine::solver`] gives a [`Solver`], which finds VCFs and VCTs in five in a row.
//!
//! ```
//! use goren_core::opening::{Action, GameState};
//! use goren_core::rules::{Contest, RuleId, Setup};
//! use goren_core::types::Cell;
//! use goren_engine::{Engine, Request, WeightSet, position_of};
//!
//! let mut game = GameState::new(Contest::five(Setup::new(RuleId::Renju, 15, 15)?));
//! game.apply(&Action::stone(Cell::new(7, 7)))?;
//! let position = position_of(&game, &WeightSet::default());
//! let answer = Engine::new().go(&*position, &Request::nodes(2_000), &mut |_| {})?;
//! game.apply(&Action::stone(answer.best.cell()))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The types of requests, reports, clocks and the transposition table are exported
//! here, at the root. The modules below are for callers that need more than searches;
//! every type has one path only.
//!
//! - [`pattern`], [`board`]: pattern codes of lines, updated incrementally;
//! - [`eval`]: the evaluation, its weights and its network;
//! - [`threat`]: static verdicts and solvers (VCF, double threats);
//! - [`game`]: positions as the search sees them, a type for each game;
//! - [`mod@bench`]: fixed positions, whose nodes are the signature of the search;
//! - [`reserve`]: the memory reserve; [`stack`]: threads with a large stack.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[doc = include_str!("adding_a_variant.md")]
pub mod adding_a_variant {}
pub mod bench;
pub mod board;
mod engine;
pub mod eval;
pub mod game;
mod hash;
pub mod pattern;
pub mod reserve;
mod search;
pub mod stack;
pub mod threat;
mod tt;

pub use engine::{Engine, EngineError};
pub use eval::set::WeightSet;
pub use hash::{TableHandle, has_room};
pub use search::time::{Budget, Clock, NO_LIMIT_MS, Overshoot, RawTimes};
pub use search::{
    Answer, AnyPosition, Basis, Candidate, Candidates, Control, Exclusions, Findings, Info,
    KnownResult, ParamError, Params, Report, Request, RootEvent, RootPosition, Searchable,
    SearchablePosition, Solver, Spec, new_position, position_of,
};
pub use tt::{Bound, Entry, Table, TableError};
