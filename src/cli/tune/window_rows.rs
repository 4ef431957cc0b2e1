//! Rows of windows as they are fitted, the first layer of both the policy net and the window
//! features of the evaluation network: in single precision, one row for each window of a
//! rule. The features of an empty cell are the rows of its four windows, summed and
//! clipped.
//!
//! Loops run over indices: the compiler vectorizes these, but not closures.

#![allow(clippy::needless_range_loop)]

use goren_core::rules::{Rule, RuleId};
use goren_core::types::Color;
use goren_engine::eval::policy::CHANNELS;
use goren_engine::pattern::{Tables, WindowRows};

/// The numbers of a window.
pub(super) type WindowRow = [f32; CHANNELS];

/// The rows of a rule in the vector that is fitted. In renju each colour has its own side,
/// elsewhere both share one; a side begins with the rows.
pub(super) struct RowLayout {
    pub rule: RuleId,
    pub rows: WindowRows,
    pub sides: usize,
}

impl RowLayout {
    pub fn of<R: Rule>() -> RowLayout {
        RowLayout {
            rule: R::ID,
            rows: Tables::of::<R>().window_rows::<R>(),
            sides: if R::FOULS[0].any() { 2 } else { 1 },
        }
    }

    /// Numbers of the rows of a side.
    pub fn numbers(&self) -> usize {
        self.rows.count() * CHANNELS
    }

    /// First number of the side of a colour, where a side has `size` numbers.
    pub fn start(&self, color: Color, size: usize) -> usize {
        color.index().min(self.sides - 1) * size
    }

    /// Whether a number of a side belongs to the untouched window. Its row stays 0, so
    /// that the board size has no influence.
    pub fn is_untouched(&self, at: usize) -> bool {
        at / CHANNELS == self.rows.untouched()
    }
}

/// The row that begins at a number.
#[inline(always)]
pub(super) fn row(weights: &[f32], at: usize) -> &WindowRow {
    weights[at..].first_chunk().unwrap_or(&[0.0; CHANNELS])
}

/// Adds the gradient of a row.
#[inline(always)]
pub(super) fn add(gradient: &mut [f32], at: usize, slope: &WindowRow) {
    if let Some(out) = gradient[at..].first_chunk_mut::<CHANNELS>() {
        for i in 0..CHANNELS {
            out[i] += slope[i];
        }
    }
}

/// The sum of four rows.
#[inline(always)]
pub(super) fn sum_rows(rows: [&WindowRow; 4]) -> WindowRow {
    let mut sum = [0.0; CHANNELS];
    for i in 0..CHANNELS {
        sum[i] = rows[0][i] + rows[1][i] + rows[2][i] + rows[3][i];
    }
    sum
}

/// A feature from a sum of rows.
#[inline(always)]
pub(super) fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// Slope of [`clip`]: 1 where it leaves a number as it is, else 0, so that clipped sums learn
/// nothing.
#[inline(always)]
pub(super) fn clip_slope(x: f32) -> f32 {
    f32::from(u8::from(x > 0.0 && x < 1.0))
}
