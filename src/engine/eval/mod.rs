//! Static evaluation of five in a row: a table from the code of every empty cell
//! to points, a table of the threats of both sides and, where a variant has one,
//! a small network that corrects the sum.
//!
//! Two sums are kept per colour, both in one word: the value of its cells if it
//! is to move, and if it is not. They are updated from the board's journal only
//! when a score is requested, as two of three positions of a search are never
//! evaluated; the sums of every ply on the way are kept. One entry of the threat
//! table (eleven bits, from the census) is added; it also holds the value of the
//! move itself.
//!
//! Policy scores, which order moves, come from the codes of a cell, from its
//! place relative to the last two moves (`near.rs`) and, away from the horizon,
//! from the policy net (`policy`).

mod container;
pub mod cpu;
mod error;
mod file;
pub mod near;
pub mod net;
pub mod policy;
mod running;
pub(crate) mod set;
mod sums;
mod table;
mod threats;
mod tuple_family;
mod tuple_file;
pub mod tuples;
mod weights;

pub use container::MAX_FILE;
pub use error::WeightsError;
pub use running::Eval;
pub use set::{WeightFile, WeightGames};
pub use threats::{THREATS, threat_mask};
pub use tuple_family::TupleFamily;
pub use tuple_file::write as write_tuples;
pub use weights::{Side, UNIT, Weights, family};
