//! The board of five in a row: stones, the class of every empty cell for both colours,
//! exact fouls. Making a move updates it incrementally, unmaking restores it bit for bit.
//! It does not evaluate.

mod cells;
mod codes;
mod foul;
mod geometry;
pub(crate) mod line;
mod line_count_board;
mod live;
mod lookup;
pub(crate) mod make;
mod near;
mod state;
#[cfg(test)]
mod tests;

pub use cells::{CellInfo, Change};
pub use codes::Codes;
pub use geometry::{Geometry, WINDOW_CELLS, Windows};
pub use line_count_board::LineCountBoard;
pub use live::{LONGEST, Live};
pub use state::Board;
