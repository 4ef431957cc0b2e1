//! The moves of a list as they are written.

use crate::record::import::points::Point;
use crate::rules::Outcome;
use crate::types::{Color, MAX_SIDE};

/// Moves of the longest game: captured points are played again.
pub(super) const MOST_ITEMS: usize = 4 * MAX_SIDE * MAX_SIDE;

/// A move as it is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A letter and a number.
    Point(Point),
    /// Two numbers, column and row.
    Pair([usize; 2]),
    /// Two letters, column and row, from 0.
    Letters([usize; 2]),
    /// A piece dropped into a column.
    Drop(usize),
    /// A pass.
    Pass,
    /// The players exchange colours.
    Swap,
}

/// A move and where it stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Item<'a> {
    pub(super) at: usize,
    pub(super) word: &'a str,
    pub(super) what: What,
    pub(super) color: Option<Color>,
}

/// All moves of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Lexed<'a> {
    pub(super) items: Vec<Item<'a>>,
    /// The result behind the moves.
    pub(super) result: Option<Outcome>,
    /// Whether somebody has resigned.
    pub(super) resigned: bool,
    /// Third numbers beside pairs, which are not used.
    pub(super) thirds: Vec<usize>,
    /// Whether nothing tells where one pair of numbers ends.
    pub(super) is_flat: bool,
}

/// What is not understood.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ListFault<'a> {
    pub(super) at: usize,
    /// The how manyth move it would be.
    pub(super) number: usize,
    pub(super) word: &'a str,
    pub(super) what: &'static str,
}

/// What is wrong with a list of more than [`MOST_ITEMS`].
pub(super) const TOO_MANY: &str = "more moves than a game can have";
