//! The clipped features of all cells of a board.

use crate::eval::embedding::{CHANNELS, CLIP, Row, RowPair};
use crate::eval::windows::FeatureSums;
use goren_core::types::{FRAME, STRIDE};

/// Rows of zeros before cell 0 in [`Cells`] and after the last cell, for the neighbours of
/// cells on the edge.
pub(super) const PADDING: usize = 2 * STRIDE;

/// The clipped features of all cells of a board, with zeros around them, and their sums
/// over the board.
#[derive(Clone)]
pub(super) struct Cells {
    rows: Box<[Row; PADDING + FRAME + PADDING]>,
    sums: [i32; CHANNELS],
    /// Offset of the sums, by the colour to move.
    offset: FeatureSums,
}

impl Cells {
    pub(super) fn new(offset: &FeatureSums) -> Cells {
        Cells {
            rows: Box::new([[0; CHANNELS]; PADDING + FRAME + PADDING]),
            sums: [0; CHANNELS],
            offset: *offset,
        }
    }

    /// Returns the sum of each feature over the board, including the offset.
    #[inline(always)]
    pub(super) fn sums(&self) -> &[i32; CHANNELS] {
        &self.sums
    }

    /// Returns the features of a cell.
    #[inline(always)]
    pub(super) fn at(&self, at: usize) -> &Row {
        &self.rows[at]
    }

    /// Returns the sum of the features of the four cells `distances[0]` and `distances[1]`
    /// indices before and after `at`.
    #[inline(always)]
    pub(super) fn sum_of_four(&self, at: usize, distances: [usize; 2]) -> Row {
        let [a, b] = distances;
        let mut sum = [0; CHANNELS];
        for i in 0..CHANNELS {
            sum[i] = self.rows[at - a][i]
                + self.rows[at + a][i]
                + self.rows[at - b][i]
                + self.rows[at + b][i];
        }
        sum
    }

    /// Clips the accumulators of a board for one colour to move (`view`: 0 for Black, 1
    /// for White), and sums them up.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        sums: &[RowPair; FRAME],
        view: usize,
        width: usize,
        height: usize,
    ) {
        self.sums = self.offset[view];
        for y in 0..height {
            // The sum over one row of the board fits 16 bits: at most 26 * CLIP.
            let mut row_sum: Row = [0; CHANNELS];
            for x in 0..width {
                let at = y * STRIDE + x;
                let RowPair(views) = &sums[at];
                let features = &mut self.rows[PADDING + at];
                for i in 0..CHANNELS {
                    features[i] = views[view * CHANNELS + i].clamp(0, CLIP);
                    row_sum[i] += features[i];
                }
            }
            for i in 0..CHANNELS {
                self.sums[i] += i32::from(row_sum[i]);
            }
        }
    }
}
