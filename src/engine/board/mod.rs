//! The board of five in a row: stones, the class of every empty cell, exact
//! fouls. Updated move by move and restored byte for byte. It never evaluates.

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
