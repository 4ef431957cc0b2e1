//! The codes of the tuples and of the windows of a line-count board, which evaluation and
//! move ordering look up. The board itself does not need them, so the evaluation decides
//! when to update them.

use super::geometry::{Geometry, Windows};
use goren_core::types::{Cell, Color, FRAME};

/// The codes of all tuples and windows of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Codes {
    tuples: Vec<u16>,
    windows: Box<[Windows; FRAME]>,
}

impl Codes {
    /// Creates the codes of an empty board.
    pub fn new(geometry: &Geometry) -> Codes {
        let tuples = (0..geometry.tuples()).map(|tuple| geometry.empty_tuple(tuple)).collect();
        Codes { tuples, windows: Box::new(*geometry.empty_windows()) }
    }

    /// Returns the codes of all tuples, two bits for each cell.
    pub fn tuples(&self) -> &[u16] {
        &self.tuples
    }

    /// Returns the codes of the windows of a cell.
    #[inline]
    pub fn windows(&self, cell: Cell) -> Windows {
        self.windows[cell.index()]
    }

    /// Returns the old and the new code of each tuple that changes when a stone is placed on
    /// an empty cell, or removed from it.
    #[inline(always)]
    pub fn changes(
        &self,
        geometry: &Geometry,
        (cell, color): (Cell, Color),
    ) -> impl Iterator<Item = (u16, u16)> {
        geometry.tuples_through(cell).iter().map(move |&(tuple, places)| {
            let code = self.tuples[usize::from(tuple)];
            (code, code ^ (bits(color) * places))
        })
    }

    /// Places a stone on an empty cell, or removes it. Calls `on_change` with the changes, as
    /// in [`Codes::changes`].
    #[inline(always)]
    pub fn flip(
        &mut self,
        geometry: &Geometry,
        (cell, color): (Cell, Color),
        mut on_change: impl FnMut(u16, u16),
    ) {
        for &(tuple, places) in geometry.tuples_through(cell) {
            let code = &mut self.tuples[usize::from(tuple)];
            let before = *code;
            *code ^= bits(color) * places;
            on_change(before, *code);
        }
        for at in geometry.windows_through(cell) {
            let windows = &mut self.windows[at.center.index()];
            // Both are in range: the remainders only save bounds checks.
            windows[usize::from(at.direction) % 4] ^= bits(color) << (at.shift % 16);
        }
    }
}

/// Returns the bits that a stone of a colour flips in the two bits of an empty cell.
#[inline(always)]
fn bits(color: Color) -> u16 {
    0b10 >> color.index()
}
