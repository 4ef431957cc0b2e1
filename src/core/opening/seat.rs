//! The two players, whatever their colours.

use std::fmt;
use std::ops::Not;

/// A player, whatever its colour at the time.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(usize)]
pub enum Seat {
    /// The player of the first ply.
    First = 0,
    /// The other player.
    Second = 1,
}

impl Seat {
    /// Both, in order.
    pub const ALL: [Seat; 2] = [Seat::First, Seat::Second];

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Seat {
    type Output = Seat;

    fn not(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.index() + 1)
    }
}
