//! A coordinate pair as it is on the wire. Checks no board and never swaps axes.

use std::fmt;

/// The two 0-based numbers of a cell, in the order in which the line gives them.
///
/// In the Gomocup family the line says `x,y`: column from the left, then row from the top. The
/// Yixin-Board family writes `row,col`, so there `x` holds the row and `y` the column; the caller
/// knows which family it talks to and converts. On input both numbers may lie far off any board:
/// the parser clamps numbers of up to 64 bits to 32 bits and rejects larger ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The first number of the pair.
    pub x: i32,
    /// The second number of the pair.
    pub y: i32,
}

impl Point {
    /// The pass, `-1,-1`, that some analysis tools put into a position list.
    pub const PASS: Self = Self { x: -1, y: -1 };

    /// The cell with these two wire numbers.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Whether this is the pass `-1,-1` rather than a cell.
    #[must_use]
    pub fn is_pass(self) -> bool {
        self == Self::PASS
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No blank after the comma: c-gomoku-cli accepts pure digits around exactly one comma.
        write!(f, "{},{}", self.x, self.y)
    }
}
