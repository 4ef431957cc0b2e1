//! The evaluation: a table from the code of every empty cell to points, and a
//! table of the threats of both sides; where a variant has one, a small net
//! mends the sum.
//!
//! Reads from the board what its stones changed when it is asked, and not
//! before: most positions of a search are never evaluated.

mod checksum;
pub mod cpu;
mod error;
mod file;
pub mod near;
pub mod net;
mod running;
mod set;
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
pub use set::{WeightFile, WeightSet};
pub use threats::{THREATS, threat_mask};
pub use tuple_family::TupleFamily;
pub use tuple_file::write as write_tuples;
pub use weights::{Side, UNIT, Weights, family};
