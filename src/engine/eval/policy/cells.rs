//! The features of cells: what windows add to them, and all of a board.

use goren_core::types::{FRAME, STRIDE};

/// Features of a cell.
pub const CHANNELS: usize = 16;
/// The largest feature and the largest number after the convolution, in
/// [`super::WINDOW_UNIT`]s; the smallest is 0.
pub const CLIP: i16 = 127;
/// Numbers of a cell, a window or a place.
pub(super) type Row = [i16; CHANNELS];

/// What a window adds to the features of its cell, if Black is to move and if
/// White is: one cache line.
#[derive(Copy, Clone, PartialEq, Debug)]
#[repr(align(64))]
pub(super) struct Views(pub(super) [i16; 2 * CHANNELS]);

impl Views {
    pub(super) const ZERO: Views = Views([0; 2 * CHANNELS]);

    /// The views of Black and White.
    #[inline(always)]
    pub(super) fn of([black, white]: [&Row; 2]) -> Views {
        let mut views = [0; 2 * CHANNELS];
        views[..CHANNELS].copy_from_slice(black);
        views[CHANNELS..].copy_from_slice(white);
        Views(views)
    }

    /// Takes views off, and adds others. All are copied first: of references the
    /// compiler cannot tell that they are apart, and adds numbers one by one.
    #[inline(always)]
    pub(super) fn exchange(&mut self, was: Views, is: Views) {
        let mut sums = self.0;
        for i in 0..2 * CHANNELS {
            sums[i] = sums[i].wrapping_add(is.0[i].wrapping_sub(was.0[i]));
        }
        self.0 = sums;
    }
}

/// Where cell 0 is among [`Cells`]: room for a row above it.
pub(super) const STARTS: usize = 2 * STRIDE;

/// The clipped features of all cells of a board, zeros around it.
#[derive(Clone)]
pub(super) struct Cells {
    rows: Box<[Row; STARTS + FRAME + STARTS]>,
    sums: [i32; CHANNELS],
}

impl Cells {
    pub(super) fn new() -> Cells {
        Cells { rows: Box::new([[0; CHANNELS]; STARTS + FRAME + STARTS]), sums: [0; CHANNELS] }
    }

    /// Sums over the board.
    #[inline(always)]
    pub(super) fn sums(&self) -> &[i32; CHANNELS] {
        &self.sums
    }

    /// The features of a cell.
    #[inline(always)]
    pub(super) fn at(&self, at: usize) -> &Row {
        &self.rows[at]
    }

    /// The features of the cells that lie so far before and after a cell.
    #[inline(always)]
    pub(super) fn four(&self, at: usize, far: [usize; 2]) -> Row {
        let [a, b] = far;
        let mut sum = [0; CHANNELS];
        for i in 0..CHANNELS {
            sum[i] = self.rows[at - a][i]
                + self.rows[at + a][i]
                + self.rows[at - b][i]
                + self.rows[at + b][i];
        }
        sum
    }

    /// Takes them from the sums of a board of some size.
    #[inline(always)]
    pub(super) fn fill(&mut self, sums: &[Views; FRAME], view: usize, width: usize, height: usize) {
        self.sums = [0; CHANNELS];
        for y in 0..height {
            // The sums of a row of a board fit sixteen bits.
            let mut total: Row = [0; CHANNELS];
            for x in 0..width {
                let at = y * STRIDE + x;
                let Views(views) = &sums[at];
                let row = &mut self.rows[STARTS + at];
                for i in 0..CHANNELS {
                    row[i] = views[view * CHANNELS + i].clamp(0, CLIP);
                    total[i] += row[i];
                }
            }
            for i in 0..CHANNELS {
                self.sums[i] += i32::from(total[i]);
            }
        }
    }
}
