//! The board: stones, the class of every empty cell, exact fouls. Kept up to
//! date move by move, and taken back byte for byte. Never evaluates.

mod cells;
mod field;
mod foul;
mod geometry;
mod line;
mod lookup;
mod make;
mod near;
mod state;
#[cfg(test)]
mod tests;

pub use cells::{CellInfo, Change};
pub use field::{Field, LONGEST, Live};
pub use geometry::Geometry;
pub use state::Board;
