//! Moves of a list as written.

use crate::record::import::points::WrittenPoint;
use crate::rules::Outcome;
use crate::types::{Color, MAX_SIDE};

/// Maximum number of moves in a game: captured points can be played again.
pub(super) const MAX_ITEMS: usize = 4 * MAX_SIDE * MAX_SIDE;

/// A move as written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ListMove {
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

impl ListMove {
    /// Whether the move puts a stone on the board.
    pub(super) fn is_stone(self) -> bool {
        !matches!(self, ListMove::Pass | ListMove::Swap)
    }
}

/// The number before a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct MoveLabel {
    pub(super) value: usize,
    /// Whether dots state that a move of the turn comes before, as in `1... i9`.
    pub(super) has_dots: bool,
}

/// A move and its place in the text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Item<'a> {
    pub(super) at: usize,
    pub(super) word: &'a str,
    pub(super) what: ListMove,
    /// Last colour named before the move.
    pub(super) color: Option<Color>,
    pub(super) label: Option<MoveLabel>,
    /// Number of brackets around the move.
    pub(super) depth: usize,
    /// Third number next to a pair.
    pub(super) third: Option<i32>,
}

/// All moves of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Lexed<'a> {
    pub(super) items: Vec<Item<'a>>,
    /// Result after the moves.
    pub(super) result: Option<Outcome>,
    /// Why the game ended; empty if unknown.
    pub(super) reason: String,
    /// Byte of a resignation that names no player, and number of moves before it.
    pub(super) resigns: Option<(usize, usize)>,
    /// Numbers of the players in pairs that name them.
    pub(super) players: Vec<i32>,
    /// Whether nothing marks the end of a pair of numbers.
    pub(super) is_flat: bool,
    /// Unused times and marks: byte and text of the first one, and their number.
    pub(super) unused: Option<(usize, &'a str, usize)>,
}

impl<'a> Lexed<'a> {
    /// Counts an unused part.
    pub(super) fn skip(&mut self, at: usize, word: &'a str) {
        self.unused.get_or_insert((at, word, 0)).2 += 1;
    }
}

/// A word that is not understood, and its place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ListFault<'a> {
    pub(super) at: usize,
    /// Number of the move that the word would be, from 1.
    pub(super) number: usize,
    pub(super) word: &'a str,
    pub(super) what: &'static str,
}

/// Message about a list of more than [`MAX_ITEMS`] moves.
pub(super) const TOO_MANY: &str = "more moves than a game can have";
