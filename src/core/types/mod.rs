//! The basic values that all other modules use: cells, moves, colours, scores, sets of cells,
//! hash keys; and the pace of clock checks. Contains no rules.

mod cell;
mod cell_set;
mod color;
pub mod keys;
mod pace;
mod score;
mod symmetry;

#[cfg(feature = "serde")]
pub use cell::BadCell;
pub use cell::{Cell, DIRECTIONS, Direction, FRAME, Move, STRIDE, read_point};
pub use cell_set::CellSet;
pub use color::{Color, Stone};
pub use pace::Pace;
pub use score::{
    INFINITE, MAX_PLY, POINTS_PER_LOGIT, PROVEN, SCORE_LIMIT, Score, WIN, loss_in, plies_to_end,
    win_in, win_rate,
};
pub use symmetry::Symmetry;

/// Smallest board side that the engine supports.
pub const MIN_SIDE: usize = 5;
/// Largest board side: a side plus the cells that a window covers beyond the edge must fit the
/// 32 columns of the frame.
pub const MAX_SIDE: usize = 26;
