//! The board: stones, the class of every empty cell, exact fouls. Kept up to
//! date move by move, and taken back byte for byte. Never evaluates.

mod cells;
mod foul;
mod geometry;
mod line;
mod line_count_board;
mod lookup;
mod make;
mod near;
mod state;
#[cfg(test)]
mod tests;

pub use cells::{CellInfo, Change};
pub use geometry::Geometry;
pub use line_count_board::{LONGEST, LineCountBoard, Live};
pub use state::Board;
