//! Static evaluation of five in a row: a table of values by the code of every empty
//! cell, a table by the threats of both sides and, for rules that have one, a small
//! network that corrects the result. Some networks also take window features
//! (`windows.rs`), which describe the lines in more detail than codes.
//!
//! Each colour has two sums over the empty cells, packed in one word: their value if the
//! colour is to move, and if the opponent is. The sums and the network's accumulators are
//! updated incrementally from the board's list of changes, and lazily: only when a score
//! is requested, since two of three positions of a search are never evaluated. They are
//! stored for every ply, so taking back a stone costs nothing. The entry of the threat
//! table, indexed by eleven bits from the census, includes the value of having the move.
//! On boards of another size than the weights were fitted on, the sums have an offset
//! (`size_offset.rs`).
//!
//! Policy scores, which order moves, are sums of values by the codes of a cell, values
//! by its place relative to the last two moves (`near.rs`) and, away from the horizon,
//! the output of the policy net (`policy`).

mod container;
pub mod cpu;
mod embedding;
mod error;
mod file;
pub mod near;
pub mod net;
pub mod policy;
mod running;
pub(crate) mod set;
mod size_offset;
mod sums;
mod table;
mod threats;
pub mod tuple_codes;
mod tuple_family;
mod tuple_file;
mod tuple_net;
pub mod tuples;
mod weights;
pub mod windows;

pub use container::MAX_FILE;
pub use error::WeightsError;
pub use running::{Eval, NetInputs};
pub use set::{WeightFile, WeightGames};
pub use threats::{THREATS, threat_mask};
pub use tuple_family::TupleFamily;
pub use tuple_file::write as write_tuples;
pub use tuple_net::{TupleNetWeights, state_bits};
pub use weights::{Side, VALUE_SCALE, Weights, weights_rule};
