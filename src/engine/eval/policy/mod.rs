//! A small net that orders moves: what the table of codes cannot tell, added to
//! the prior of a move.
//!
//! Its input is the window of every empty cell in each direction, told apart
//! as far as any colour can see (`pattern/rows.rs`), from the side to move:
//!
//! 1. The rows of a cell's four windows are added and clipped: 16 features of
//!    the cell. Cells that are not empty have none.
//! 2. A convolution of 3x3 cells, each feature by itself, with one number for
//!    the cell, one for its four neighbours along rows and columns and one for
//!    the four along diagonals, so that turned boards are the same. A row for
//!    the place of the cell seen from each of the last two moves (`near.rs`)
//!    and a constant are added, and the sums clipped.
//! 3. The 16 numbers are weighed and added up. The weights depend on the whole
//!    board: on the sums of the features over all cells, linearly.
//!
//! Moves far below the best by their priors are not scored ([`MARGIN`]), which
//! saves time.
//!
//! All numbers are integers, so every machine finds the same. `state.rs` keeps
//! the sums of step 1 (`cells.rs`), `net.rs` has the numbers and works out the rest.
//!
//! The loops run over indices: inside functions that are compiled for wider
//! vectors, closures are left out of line and without these vectors.

#![allow(clippy::needless_range_loop)]

mod cells;
mod net;
mod state;
#[cfg(test)]
mod tests;

pub use cells::{CHANNELS, CLIP};
pub(super) use net::PolicyNet;
pub use net::{
    ACTIVATION_SHIFT, GLOBAL_SHIFT, KERNEL_UNIT, MARGIN, OUTPUT_SHIFT, PolicySide, WINDOW_UNIT,
};
pub(super) use state::State;
