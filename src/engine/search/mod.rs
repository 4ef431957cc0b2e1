//! Principal variation search (PVS) over any [`crate::game::Position`]: one
//! search for all games. It finds moves and prints nothing.
//!
//! | file | holds |
//! |---|---|
//! | `root.rs` | iterative deepening, aspiration windows, root moves |
//! | `alpha_beta.rs`, `move_loop.rs`, `node.rs` | one node, as numbered steps: before its moves, its moves, shared data |
//! | `pass.rs` | passes: the last resort where every stone loses |
//! | `quiescence.rs` | quiescence search: stand pat, strong fours |
//! | `picker.rs` | move ordering: table move, policy score, killers, counter move, main history |
//! | `history.rs` | main history and counter moves; continuation and follow-up history, which only late move reduction reads |
//! | `multi_pv.rs`, `losing_moves.rs` | root searches for multi-PV and for the moves that do not lose |
//! | `forced.rs`, `prover.rs` | VCF and VCT (df-pn) before the first iteration, df-pn between iterations |
//! | `pv_completion.rs` | completes the PV of a proven result |
//! | `known_results.rs`, `exclusions.rs` | results from outside; moves that the user excludes |
//! | `candidate.rs` | the legal moves of a position, before any search |
//! | `worker.rs`, `state.rs` | a search thread; state kept between searches, start of the threads |
//! | `time.rs`, `params.rs` | time management; tunable parameters |
//! | `request.rs`, `report.rs`, `control.rs` | search request; progress reports and answer; stopping a search |
//! | `findings.rs` | the PVs that a search has reported so far |
//! | `sampler.rs` | samples positions that a search evaluates, as training data |
//! | `table_score.rs` | scores of finished games; conversion of scores for the transposition table |
//! | `searchable.rs`, `root_position.rs` | the positions that an engine can search |
//! | `solver.rs` | VCF and VCT solver for positions of five in a row |
//!
//! There is no null-move pruning: it was tried, and gained nothing
//! (`benches/journal/search.md`).
//!
//! # Proven scores
//!
//! A score of at least `PROVEN`, or at most `-PROVEN`, is a proven win or loss. It
//! comes from the end of the game, a static verdict (`threat::verdict`), a solver,
//! a known result or the search of the children. No step may weaken the proof:
//!
//! - A node that has pruned moves is never scored as lost: moves are pruned only
//!   once a searched move is not proven to lose.
//! - Under a threat, `GenType::Main` contains every move that could stop it, unless the
//!   side to move has a five or open four of its own. With exclusions a threat proves
//!   nothing (`Worker::rest_loses`).
//! - Without a threat, a node is scored as lost only after every legal move was
//!   tried, or lies outside the relevance zone (`Position::zone`) of a VCF that the
//!   opponent threatens: a move outside the zone loses to that VCF.
//! - In games with passes, a node is scored as lost only after a pass was tried too, unless
//!   there is such a VCF, which wins after a pass as well.
//!
//! One rule is beyond the search: in Irensei whoever repeats an earlier position loses. A proof
//! does not hold if the winner must repeat one. `decide` judges the move that is played by the
//! referee.
//!
//! A caller that uses the score, not just the move, asks for a full search
//! (`Request::move_only` false); `Info::basis` says what a score rests on.
//!
//! # Determinism
//!
//! One thread at fixed depth or nodes always searches the same tree: ties are
//! broken by cell, no hash map is iterated, seeds are fixed.
//!
//! # Threads
//!
//! Lazy SMP: scoped threads, each with its own histories, share the transposition
//! table, the stop flag and the node count. Before the first thread starts, the
//! memory for all of them is checked (`reserve.rs`): running out of memory while a
//! thread starts aborts the process.

mod alpha_beta;
mod candidate;
mod control;
mod exclusions;
mod findings;
mod forced;
mod history;
mod known_results;
#[cfg(test)]
mod laid_tests;
mod losing_moves;
#[cfg(feature = "serde")]
mod millis;
mod move_loop;
mod multi_pv;
mod node;
mod params;
mod pass;
mod picker;
mod prover;
mod pv_completion;
mod quiescence;
mod report;
mod request;
mod root;
mod root_position;
mod sampler;
mod searchable;
#[cfg(all(test, feature = "serde"))]
mod serde_tests;
mod solver;
mod state;
mod table_score;
pub mod time;
mod worker;

pub use candidate::{Candidate, Candidates};
pub use control::Control;
pub use findings::Findings;
pub use params::{ParamError, Params, Spec};
pub use report::{Answer, Basis, Info, Report, RootEvent};
pub use request::{Exclusions, KnownResult, Request};
pub use root_position::{AnyPosition, RootPosition, new_position, position_of};
pub(crate) use sampler::Sampler;
pub use searchable::{Searchable, SearchablePosition};
pub use solver::Solver;
pub(crate) use solver::new_solver;
pub(crate) use state::SearchState;
