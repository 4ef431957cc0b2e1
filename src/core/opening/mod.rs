//! Games from the first ply to the last, as their rules state them: whose turn
//! it is and what he may do, through openings, swaps and passes. State machines
//! without search, on the boards of the referee.

mod course;
mod figures;
mod progress;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::ops::Not;

use crate::rules::referee::IllegalMove;
use crate::types::{Cell, Color};

pub use course::{Course, Event, Result};
pub use figures::{Figure, figure};
pub use text::{TextError, act_of, read, write};

/// A player, whatever the colour he holds at the time.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(usize)]
pub enum Seat {
    /// The one who makes the first ply.
    First = 0,
    /// The other.
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

/// What a seat does: one ply.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// Exchanges the colours.
    Swap,
    /// Passes.
    Pass,
    /// Places stones, in order, and declares a number where one is asked for.
    Stones {
        /// Their cells.
        cells: Vec<Cell>,
        /// The number of fifths to be offered.
        count: Option<usize>,
    },
    /// Offers fifths; none of them is placed.
    Offer(Vec<Cell>),
    /// Chooses a fifth, which is placed for Black, and places the sixth.
    Choose {
        /// One of the offers.
        fifth: Cell,
        /// Any other empty cell.
        sixth: Cell,
    },
}

impl Act {
    /// A single stone.
    pub fn stone(cell: Cell) -> Act {
        Act::stones(&[cell])
    }

    /// Stones without a number.
    pub fn stones(cells: &[Cell]) -> Act {
        Act::Stones { cells: cells.to_vec(), count: None }
    }
}

/// Where stones may go besides being legal on the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Zone {
    /// Anywhere.
    Anywhere,
    /// So many steps from the centre at most.
    Within(usize),
    /// More than so many steps from the centre.
    Beyond(usize),
    /// One of the second stones of the renju openings: `strict` if only one of
    /// all mirrored ones.
    Second {
        /// Whether mirrored openings count as the same.
        strict: bool,
    },
    /// One of the third stones of the renju openings.
    Third {
        /// Whether mirrored openings count as the same.
        strict: bool,
    },
}

/// A way to go on with stones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Stones of these colours, each within the zone, and a number within the
    /// bounds if there are any.
    Stones {
        /// Colour by colour, in the order they are placed.
        colors: Vec<Color>,
        /// Where they may go.
        zone: Zone,
        /// Least and largest number to declare.
        declare: Option<(usize, usize)>,
    },
    /// The first three stones of a renju opening at once, and a number within
    /// the bounds if there are any.
    Figure {
        /// Least and largest number to declare.
        declare: Option<(usize, usize)>,
    },
    /// So many fifths, no two of them the same by symmetry.
    Offer {
        /// How many.
        count: usize,
    },
    /// One of the fifths on offer, and the sixth stone.
    Choose,
}

/// What is asked of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ask {
    /// Of whom.
    pub seat: Seat,
    /// The colour whose stone or answer is due.
    pub color: Color,
    /// Whether he may swap.
    pub swap: bool,
    /// Whether he may pass.
    pub pass: bool,
    /// What he may place.
    pub choices: Vec<Choice>,
}

/// Why an act is not allowed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalAct {
    /// The board or the game does not allow it.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A swap where none is on offer.
    #[error("there is nothing to swap now")]
    NoSwap,
    /// A pass in a game without passes, or before they are allowed.
    #[error("passing is not allowed now")]
    NoPass,
    /// Fewer stones than asked for.
    #[error("stones are missing")]
    TooFew,
    /// More stones than asked for.
    #[error("too many stones")]
    TooMany,
    /// A point named twice.
    #[error("a point is named twice")]
    Twice,
    /// A number is to be declared with the stones.
    #[error("a number is to be declared with it")]
    NoCount,
    /// No number is to be declared.
    #[error("no number is to be declared now")]
    NeedlessCount,
    /// A number out of bounds.
    #[error("the number must be {least} to {most}")]
    BadCount {
        /// The least.
        least: usize,
        /// The largest.
        most: usize,
    },
    /// A stone outside its zone.
    #[error("the opening does not allow a stone there")]
    OutsideZone,
    /// Three stones that are none of the openings.
    #[error("that is none of the 26 openings")]
    NoFigure,
    /// Two fifths that are the same by symmetry.
    #[error("two of the fifths are the same by symmetry")]
    Symmetric,
    /// A fifth that was not on offer.
    #[error("that fifth is not on offer")]
    NotOffered,
}
