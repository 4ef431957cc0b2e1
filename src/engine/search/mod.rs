//! Principal variation search over any [`crate::game::Position`]: one search for
//! all games. It finds moves and prints nothing.
//!
//! | file | holds |
//! |---|---|
//! | `root.rs` | iterative deepening, aspiration windows, root moves |
//! | `alpha_beta.rs`, `node.rs` | one node: null window, pruning, extensions, late move reduction and pruning |
//! | `quiescence.rs` | quiescence search: stand pat, fours |
//! | `picker.rs`, `history.rs` | move ordering: table move, policy score, killers, counter moves, histories |
//! | `multi_pv.rs`, `defend.rs` | root searches for multi-PV and for the moves that do not lose |
//! | `forced.rs`, `prover.rs` | VCF and VCT (df-pn) before and beside the search |
//! | `ending.rs` | completes the PV of a proven result |
//! | `known_results.rs`, `exclusions.rs` | results and excluded moves from outside |
//! | `worker.rs`, `state.rs` | a search thread; what stays between searches |
//! | `time.rs`, `params.rs` | time management; tunable parameters |
//! | `request.rs`, `report.rs`, `control.rs` | what is asked and told; stopping a search |
//! | `stored.rs` | scores as the transposition table stores them |
//! | `searchable.rs`, `root_position.rs`, `solver.rs` | what an engine searches: positions of any game; solvers |
//!
//! # Proven scores
//!
//! A score beyond `PROVEN` is a proven win or loss. It comes from the end of the
//! game, a static verdict (`threat::verdict`) or the search below, and every step
//! keeps it exact: a node is not scored as lost while pruned moves are left,
//! defence sets contain every move that could help, and before a loss is believed
//! at a node without a threat, every legal move has been tried.
//!
//! A caller that uses the score, not just the move, asks for a full search
//! (`Request::move_only` false); `Info::basis` says what a score rests on.
//!
//! If a quiet move loses, the node asks for the relevance zone (`Position::zone`):
//! every move outside it loses to the same VCF.
//!
//! # Determinism
//!
//! One thread at fixed depth or nodes always searches the same tree: ties are
//! broken by cell, no hash map is iterated, seeds are fixed.
//!
//! # Threads
//!
//! Lazy SMP: scoped threads, each with its own histories, share the transposition
//! table, the stop flag and the node count. Memory for all threads is checked
//! before the first starts (`reserve.rs`), as a thread that fails to start aborts
//! the process.

mod alpha_beta;
mod control;
mod defend;
mod ending;
mod exclusions;
mod findings;
mod forced;
mod history;
mod known_results;
#[cfg(test)]
mod laid_tests;
#[cfg(feature = "serde")]
mod millis;
mod multi_pv;
mod node;
mod params;
mod picker;
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
pub use findings::Findings;
pub use params::{ParamError, Params, Spec};
pub use report::{Answer, Basis, Info, Report, RootEvent};
pub use request::{Exclusions, KnownResult, Request};
pub use root_position::{AnyPosition, RootPosition, new_position, position_of};
pub use searchable::{Own, Searchable};
pub use solver::Solver;
pub(crate) use solver::new_solver;
pub(crate) use state::SearchState;
