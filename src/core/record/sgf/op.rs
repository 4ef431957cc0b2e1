//! What happens on the board of a game, value by value.

use super::moves::Written;
use crate::types::Color;

/// Something that happens on the board, and where it stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Op {
    /// A stone is played.
    Stone {
        /// Where it stands.
        byte: usize,
        /// Whose.
        color: Color,
        /// Where.
        point: Written,
    },
    /// A pass.
    Pass {
        /// Where it stands.
        byte: usize,
        /// Whose.
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
        /// With stones of a colour, or none.
        color: Option<Color>,
        /// The upper left corner.
        from: Written,
        /// The lower right one.
        to: Written,
    },
    /// It is a side's turn.
    Turn {
        /// Whose.
        color: Color,
    },
}

impl Op {
    /// Whether it is an event of a game: a stone that is set up is none, nor whose turn it is.
    pub(super) fn is_event(self) -> bool {
        matches!(self, Op::Stone { .. } | Op::Pass { .. } | Op::Swap { .. })
    }
}
