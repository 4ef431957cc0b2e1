//! Layout of the weights of the tables of five in a row in the fitted vectors.

use goren_core::types::Color;
use goren_engine::eval::THREATS;
use goren_engine::eval::near::NEAR;
use goren_engine::pattern::{CODES, Code};

/// Indices of weights. In renju each colour has weights of its own, elsewhere both share
/// those of one side.
///
/// The vector of the evaluation has [`CODES`] values for each side and colour to move, then
/// [`THREATS`] values for each side. That of the move ordering has twice [`CODES`] values
/// for each side (playing on a cell, and denying it), then [`NEAR`] values for each side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct TableLayout {
    /// 1 or 2.
    pub sides: usize,
}

impl TableLayout {
    /// The side of a colour.
    pub fn side(self, color: Color) -> usize {
        color.index().min(self.sides - 1)
    }

    /// Number of codes that the evaluation distinguishes; their weights come first.
    pub fn codes(self) -> usize {
        self.sides * 2 * CODES
    }

    /// Weight of a code on an empty cell for a colour that is to move or
    /// `waiting`, in the evaluation.
    pub fn potential(self, color: Color, waiting: bool, code: Code) -> usize {
        (self.side(color) * 2 + usize::from(waiting)) * CODES + code as usize
    }

    /// Weight of the threats if a colour is to move, in the evaluation.
    pub fn threats(self, to_move: Color, mask: usize) -> usize {
        self.codes() + self.side(to_move) * THREATS + mask
    }

    /// Number of weights of the evaluation.
    pub fn evaluation(self) -> usize {
        self.sides * (2 * CODES + THREATS)
    }

    /// Weight of playing on a cell by the own code there, in the ordering.
    pub fn own(self, mover: Color, code: Code) -> usize {
        self.side(mover) * 2 * CODES + code as usize
    }

    /// Weight of denying a code to a colour, in the ordering.
    pub fn deny(self, to: Color, code: Code) -> usize {
        (self.side(to) * 2 + 1) * CODES + code as usize
    }

    /// First weight of the places of moves of a colour, in the ordering.
    pub fn near(self, mover: Color) -> usize {
        self.sides * 2 * CODES + self.side(mover) * NEAR
    }

    /// Number of weights of the ordering.
    pub fn ordering(self) -> usize {
        self.sides * (2 * CODES + NEAR)
    }
}
