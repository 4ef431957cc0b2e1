//! Operations on the board of a game, one for each value.

use super::moves::SgfPoint;
use crate::types::Color;

/// An operation on the board, and its place in the file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Op {
    /// A stone is played.
    Stone {
        /// Byte of the value.
        byte: usize,
        /// Its colour.
        color: Color,
        /// Its point.
        point: SgfPoint,
    },
    /// A pass.
    Pass {
        /// Byte of the value.
        byte: usize,
        /// The colour that passes.
        color: Color,
    },
    /// The players exchange colours.
    Swap {
        /// Byte of the value.
        byte: usize,
    },
    /// A rectangle of points is set up or emptied.
    Add {
        /// Byte of the value.
        byte: usize,
        /// The colour of the stones; `None` empties the points.
        color: Option<Color>,
        /// One corner of the rectangle.
        from: SgfPoint,
        /// The opposite corner.
        to: SgfPoint,
    },
    /// The side to move is set.
    Turn {
        /// The side to move.
        color: Color,
    },
}

impl Op {
    /// Whether the operation is an event of a game; set-up stones and the side to move are not.
    pub(super) fn is_event(self) -> bool {
        matches!(self, Op::Stone { .. } | Op::Pass { .. } | Op::Swap { .. })
    }
}
