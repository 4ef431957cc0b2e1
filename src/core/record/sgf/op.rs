//! What happens on the board of a game, value by value.

use super::moves::SgfPoint;
use crate::types::Color;

/// Something that happens on the board, and where it stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Op {
    /// A stone is played.
    Stone {
        /// Where it stands.
        byte: usize,
        /// Its colour.
        color: Color,
        /// Its point.
        point: SgfPoint,
    },
    /// A pass.
    Pass {
        /// Where it stands.
        byte: usize,
        /// The colour that passes.
        color: Color,
    },
    /// The players exchange colours.
    Swap {
        /// Where it stands.
        byte: usize,
    },
    /// Points are set up, or emptied.
    Add {
        /// Where it stands.
        byte: usize,
        /// The colour of the stones; `None` empties the points.
        color: Option<Color>,
        /// The upper left corner.
        from: SgfPoint,
        /// The lower right one.
        to: SgfPoint,
    },
    /// It is a side's turn.
    Turn {
        /// The side to move.
        color: Color,
    },
}

impl Op {
    /// Whether it is an event of a game; set-up stones and the side to move are not.
    pub(super) fn is_event(self) -> bool {
        matches!(self, Op::Stone { .. } | Op::Pass { .. } | Op::Swap { .. })
    }
}
