//! The evaluation: a table from the code of every empty cell to points, and a
//! table of the threats of both sides; where a variant has one, a small net
//! mends the sum.
//!
//! Reads from the board what its stones changed when it is asked, and not
//! before: most positions of a search are never evaluated.
//!
//! Two sums are kept per colour, both in one word: the value of its cells if it
//! is to move, and if it is not. They are updated from the board's journal only
//! when a score is asked for, and the sums of every ply on the way are kept:
//! two of three positions of a search are never evaluated. One entry of a table
//! of the threats of both sides (eleven bits, from the census) is added; it
//! also holds the value of the move itself.
//!
//! Policy scores, which order the moves, come from the codes of a cell, from its
//! place relative to the last two moves (`near.rs`) and, away from the horizon,
//! from a small net of their own (`policy`).

mod checksum;
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

pub use error::WeightsError;
pub use file::MAX_FILE;
pub use running::Eval;
pub use set::WeightFile;
pub use threats::{THREATS, threat_mask};
pub use tuple_family::TupleFamily;
pub use tuple_file::write as write_tuples;
pub use weights::{Side, UNIT, Weights, family};
