//! A stone of a position list: `x,y` and its owner. Checks no board.

use std::fmt;

use crate::point::Point;

/// Whose stone a `BOARD` line places, as the engine that receives it sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Field 1: the receiving engine's own stone.
    Own,
    /// Field 2: its opponent's stone.
    Opponent,
    /// Field 3: a stone that can no longer be part of a five (continuous games, or a stone on a
    /// cell forbidden by renju). Its colour is not given; it acts as a wall.
    Wall,
}

impl Owner {
    pub(crate) fn from_field(field: i64) -> Option<Self> {
        match field {
            1 => Some(Self::Own),
            2 => Some(Self::Opponent),
            3 => Some(Self::Wall),
            _ => None,
        }
    }

    /// The third number of a `BOARD` line.
    #[must_use]
    pub fn field(self) -> u8 {
        match self {
            Self::Own => 1,
            Self::Opponent => 2,
            Self::Wall => 3,
        }
    }
}

/// One `x,y,f` line of `BOARD` or `YXBOARD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placed {
    /// The cell, or [`Point::PASS`].
    pub at: Point,
    /// Owner of the stone.
    pub owner: Owner,
}

impl Placed {
    /// A stone of `owner` at `at`.
    #[must_use]
    pub const fn new(at: Point, owner: Owner) -> Self {
        Self { at, owner }
    }
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.at, self.owner.field())
    }
}
