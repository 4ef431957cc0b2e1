//! Rows of the embeddings of windows. A network sees a window from the side to move and
//! regardless of the direction of the line: a window and its mirror image share a row,
//! and so do a window with Black to move and the colour-exchanged window with White to
//! move.

use super::line::Windows;
use goren_core::types::Color;

/// The row of every window number, for either colour to move.
pub struct WindowRows {
    /// By window number and colour to move.
    rows: Vec<[u16; 2]>,
    count: usize,
    untouched: usize,
}

impl WindowRows {
    pub(super) fn new(windows: &Windows, half: usize) -> WindowRows {
        let halves = windows.halves();
        // Canonical number: the smaller of the numbers of a window and its mirror image.
        let canonical = |a: usize, b: usize| (a * halves + b).min(b * halves + a);
        let mut canonical_rows = vec![u16::MAX; halves * halves];
        let mut count = 0;
        for (number, row) in canonical_rows.iter_mut().enumerate() {
            if canonical(number / halves, number % halves) == number {
                *row = count;
                count += 1;
            }
        }
        let rows_of = |number: usize| {
            let (a, b) = (number / halves, number % halves);
            let (c, d) = (windows.exchanged(a), windows.exchanged(b));
            [canonical_rows[canonical(a, b)], canonical_rows[canonical(c, d)]]
        };
        let rows: Vec<[u16; 2]> = (0..halves * halves).map(rows_of).collect();
        // The key of a half of empty cells: all bits are set.
        let empty = (1 << (2 * half)) - 1;
        let untouched = rows[usize::from(windows.number(empty, empty))][0].into();
        WindowRows { rows, count: count.into(), untouched }
    }

    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of windows. Window numbers are below it.
    pub fn windows(&self) -> usize {
        self.rows.len()
    }

    /// Returns the row of a window if `to_move` is to move.
    #[inline]
    pub fn row(&self, window: u16, to_move: Color) -> usize {
        self.rows[usize::from(window)][to_move.index()].into()
    }

    /// Returns the row of the empty window: no stone or wall in sight.
    pub fn untouched(&self) -> usize {
        self.untouched
    }
}
