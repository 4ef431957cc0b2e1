//! Empty cells where the options forbid a colour to place a stone, and the rows that a stone
//! would make.

use super::{FIVE, Pente};
use goren_core::types::{Cell, Color};

impl Pente {
    /// Returns the length of the row through `cell` in each direction, with a stone of `color`
    /// there.
    pub(super) fn rows(&self, cell: Cell, color: Color) -> [usize; 4] {
        let geometry = self.lines.board.geometry();
        let stones = |heading: usize| {
            let mut at = geometry.neighbours(cell)[heading];
            let mut stones = 0;
            while self.lines.board.is(at, color) {
                stones += 1;
                at = geometry.neighbours(at)[heading];
            }
            stones
        };
        [0, 1, 2, 3].map(|direction| 1 + stones(2 * direction) + stones(2 * direction + 1))
    }

    /// Whether the rules forbid a colour to place a stone on an empty cell.
    pub(super) fn is_prohibited(&self, cell: Cell, color: Color) -> bool {
        self.game.safe && !self.poofed(cell, color).is_empty()
            || self.game.forbids_overlines(color)
                && self.rows(cell, color).into_iter().any(|row| row > FIVE)
    }

    /// Whether `to_move` cannot move: it may not place a stone on any empty cell.
    pub(super) fn is_over(&self, to_move: Color) -> bool {
        let empty = self.lines.board.empty();
        if !self.game.has_barriers() {
            return empty.is_empty();
        }
        empty.iter().all(|cell| self.is_prohibited(cell, to_move))
    }
}
