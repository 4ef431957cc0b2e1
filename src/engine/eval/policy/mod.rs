//! Policy net: a small network whose output is added to the policy score of a move. It
//! expresses what values by code and place cannot.
//!
//! The input is the window of every empty cell in each direction, lossless for both
//! colours (`pattern/rows.rs`), as seen from the side to move:
//!
//! 1. Embedding. The rows of a cell's four windows are added and clipped to
//!    `0..=CLIP`: the [`CHANNELS`] features of the cell. The features of cells that are not
//!    empty are 0.
//! 2. Depthwise convolution over 3x3 cells. Each channel has one weight for the cell,
//!    one for its four neighbours along rows and columns and one for the four along
//!    diagonals, so that rotated and mirrored boards give the same result. A bias and,
//!    for each of the last two moves, a row for the place of the cell relative to that
//!    move (`near.rs`) are added, and the sums clipped: the activations.
//! 3. Output. The weighted sum of the activations. The weights depend on the whole
//!    board, linearly on the sums of the features over all cells; on boards of another
//!    size than the net was fitted on, an offset is added to these (`size_offset.rs`).
//!
//! To save time, moves with a policy score far below the best are not evaluated
//! ([`MARGIN`]).
//!
//! The net is quantised to integers, so its results are the same on every machine.
//! `state.rs` updates the sums of step 1 incrementally (`embedding.rs` has the rows),
//! and `net.rs` has the weights and steps 2 and 3.
//!
//! Loops run over indices: iterators need closures, which are not inlined into functions
//! compiled for a vector extension and so are compiled without it.

#![allow(clippy::needless_range_loop)]

mod cells;
mod net;
mod state;
#[cfg(test)]
mod tests;

pub use super::embedding::{CHANNELS, CLIP, WINDOW_SCALE};
pub(super) use net::PolicyNet;
pub use net::{ACTIVATION_SHIFT, GLOBAL_SHIFT, KERNEL_SCALE, MARGIN, OUTPUT_SHIFT, PolicySide};
pub(super) use state::State;
