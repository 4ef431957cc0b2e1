//! The moves of a list as they are written.

use crate::record::import::points::WrittenPoint;
use crate::rules::Outcome;
use crate::types::{Color, MAX_SIDE};

/// Moves of the longest game: captured points are played again.
pub(super) const MOST_ITEMS: usize = 4 * MAX_SIDE * MAX_SIDE;

/// A move as it is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A letter and a number.
    Point(WrittenPoint),
    /// Two numbers, column and row.
    Pair([i32; 2]),
    /// Two letters, column and row, from 0.
    Letters([usize; 2]),
    /// A piece dropped into a column.
    Drop(usize),
    /// A pass.
    Pass,
    /// The players exchange colours.
    Swap,
}

impl What {
    /// Whether it puts a stone on the board.
    pub(super) fn is_stone(self) -> bool {
        !matches!(self, What::Pass | What::Swap)
    }
}

/// The number before a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct MoveLabel {
    pub(super) value: usize,
    /// Whether dots say that a move of the turn stands before, as in `1... i9`.
    pub(super) has_dots: bool,
}

/// A move and where it stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Item<'a> {
    pub(super) at: usize,
    pub(super) word: &'a str,
    pub(super) what: What,
    /// The colour that was named last.
    pub(super) color: Option<Color>,
    pub(super) label: Option<MoveLabel>,
    /// How many brackets it is in.
    pub(super) depth: usize,
    /// The third number beside a pair.
    pub(super) third: Option<i32>,
}

/// All moves of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Lexed<'a> {
    pub(super) items: Vec<Item<'a>>,
    /// The result behind the moves.
    pub(super) result: Option<Outcome>,
    /// Why the game ended; empty if unknown.
    pub(super) reason: String,
    /// Where somebody resigns who is not named, and how many moves stand before.
    pub(super) resigns: Option<(usize, usize)>,
    /// Numbers by which pairs name their players.
    pub(super) players: Vec<i32>,
    /// Whether nothing tells where one pair of numbers ends.
    pub(super) is_flat: bool,
    /// Times and marks that are not used: the first, where it stands, and how
    /// many there are.
    pub(super) unused: Option<(usize, &'a str, usize)>,
}

impl<'a> Lexed<'a> {
    /// Counts a part that is not used.
    pub(super) fn skip(&mut self, at: usize, word: &'a str) {
        self.unused.get_or_insert((at, word, 0)).2 += 1;
    }
}

/// A text that is not understood, and its place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ListFault<'a> {
    pub(super) at: usize,
    /// Number of the move that it would be, from 1.
    pub(super) number: usize,
    pub(super) word: &'a str,
    pub(super) what: &'static str,
}

/// The fault of a list of more than [`MOST_ITEMS`].
pub(super) const TOO_MANY: &str = "more moves than a game can have";
