//! Alpha-beta over any [`crate::game::Position`]: one search for all games.
//! Finds moves; prints nothing.
//!
//! # Proven scores
//!
//! A score beyond `PROVEN` is a claim of a win or loss. It comes from the end
//! of the game, from `threat::verdict`, or from the search below, and every
//! step keeps it exact: reductions and pruning never leave a node with nothing
//! but losses unsearched, defence sets contain every move that could help, and
//! before a loss is believed at a node without a threat, every cell of the
//! board has been tried.
//!
//! Wins by threats are proven beside the search (`prover.rs`). `forced.rs` holds
//! what is known before a search, `ending.rs` assembles the line of a proven
//! result. A caller that uses the score, not just the move, asks for a search
//! (`Request::move_only` false); `Info::basis` says what a score rests on.
//!
//! Where a quiet move turns out to lose, the search asks for the relevance zone
//! (`Position::zone`): every move outside it loses to the same fours.
//!
//! # Determinism
//!
//! One thread at fixed depth or nodes always searches the same tree: ties are
//! broken by cell, no map is iterated, seeds are fixed.
//!
//! # Threads
//!
//! Lazy SMP: scoped threads with histories of their own, sharing the table, the
//! stop flag and the node count. Room for all threads is asked for before the
//! first begins (`reserve.rs`), as a thread that cannot start would end the
//! process.

mod alpha_beta;
mod control;
mod defend;
mod ending;
mod exclusions;
mod forced;
mod game;
mod history;
mod known_results;
#[cfg(test)]
mod laid_tests;
mod lines;
#[cfg(feature = "serde")]
mod millis;
mod params;
mod picker;
mod player;
mod prover;
mod quiescence;
mod report;
mod request;
mod root;
mod root_position;
mod searchable;
#[cfg(all(test, feature = "serde"))]
mod serde_tests;
mod solver;
mod state;
mod stored;
pub mod time;
mod worker;

pub use control::Control;
pub use game::{Features, Game};
pub use params::{ParamError, Params, Spec};
pub use player::{new_game, new_game_with};
pub use report::{Answer, Basis, Info, Report, RootEvent};
pub use request::{Exclusions, KnownResult, Request};
pub use root_position::{Replayed, RootPosition, new_position};
pub use searchable::{Own, Searchable};
pub use solver::Solver;
pub(crate) use solver::new_solver;
pub(crate) use state::SearchState;
