//! Rows of the policy net's table of windows. The net sees a window from the side to
//! move and regardless of the direction of the line: a window and its mirror image
//! share a row, and so do a window with Black to move and its colour exchange with
//! White to move.

use super::line::Windows;
use goren_core::types::Color;

/// The row of every window number, for either colour to move.
pub struct WindowRows {
    /// By window number and colour to move.
    of: Vec<[u16; 2]>,
    count: usize,
    untouched: usize,
}

impl WindowRows {
    pub(super) fn new(windows: &Windows, half: usize) -> WindowRows {
        let halves = windows.halves();
        // Canonical number: the smaller of those of a window and of its mirror image.
        let least = |a: usize, b: usize| (a * halves + b).min(b * halves + a);
        let mut rows = vec![u16::MAX; halves * halves];
        let mut count = 0;
        for (number, row) in rows.iter_mut().enumerate() {
            if least(number / halves, number % halves) == number {
                *row = count;
                count += 1;
            }
        }
        let of = |number: usize| {
            let (a, b) = (number / halves, number % halves);
            let (c, d) = (windows.exchanged(a), windows.exchanged(b));
            [rows[least(a, b)], rows[least(c, d)]]
        };
        let of: Vec<[u16; 2]> = (0..halves * halves).map(of).collect();
        // The key of a half of empty cells: all bits are set.
        let empty = (1 << (2 * half)) - 1;
        let untouched = of[usize::from(windows.number(empty, empty))][0].into();
        WindowRows { of, count: count.into(), untouched }
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of windows: window numbers are below it.
    pub fn windows(&self) -> usize {
        self.of.len()
    }

    /// The row of a window if `to_move` is to move.
    #[inline]
    pub fn row(&self, window: u16, to_move: Color) -> usize {
        self.of[usize::from(window)][to_move.index()].into()
    }

    /// The row of the empty window: no stone or wall in sight.
    pub fn untouched(&self) -> usize {
        self.untouched
    }
}
