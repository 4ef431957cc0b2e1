//! Windows as a net sees them: from the side to move, whichever way the line
//! runs. Those that are the same then share a row of the net's numbers.

use super::line::Windows;
use goren_core::types::Color;

/// The row of every window number, for each colour to move.
pub struct WindowRows {
    /// By window number.
    of: Vec<[u16; 2]>,
    count: usize,
    untouched: usize,
}

impl WindowRows {
    pub(super) fn new(windows: &Windows, half: usize) -> WindowRows {
        let halves = windows.halves();
        // The smaller number of a window and its mirror image stands for both.
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
        // Every bit of an empty cell is set.
        let empty = (1 << (2 * half)) - 1;
        let untouched = of[usize::from(windows.number(empty, empty))][0].into();
        WindowRows { of, count: count.into(), untouched }
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of window numbers.
    pub fn windows(&self) -> usize {
        self.of.len()
    }

    /// The row of a window if `to_move` is to move.
    #[inline]
    pub fn row(&self, window: u16, to_move: Color) -> usize {
        self.of[usize::from(window)][to_move.index()].into()
    }

    /// The row of a window that is empty up to both its ends.
    pub fn untouched(&self) -> usize {
        self.untouched
    }
}
