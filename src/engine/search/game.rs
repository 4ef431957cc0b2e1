//! Five in a row as a game in progress: one object per variant behind one trait.

use super::searchable::Searchable;
use crate::pattern::Class;
use goren_core::rules::referee::{IllegalMove, Impossible};
use goren_core::rules::{Outcome, Setup};
use goren_core::types::{Cell, Color, Score, Stone};

/// What the evaluation sees of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Features {
    /// Points for the side to move, without any search.
    pub score: Score,
    /// How many empty cells would make a stone of each class, by colour.
    pub cells: [[usize; Class::COUNT]; 2],
}

/// A game of five in a row in progress: its position and its rules. An
/// [`Engine`](crate::Engine) searches it.
pub trait Game: Searchable + Send {
    /// The variant and the board.
    fn setup(&self) -> Setup;
    /// Who places the next stone.
    fn to_move(&self) -> Color;
    /// Stones on the board in the order they were placed.
    fn stones(&self) -> Vec<(Cell, Stone)>;
    /// How the game ended, if it has. A black foul ends it too.
    fn outcome(&self) -> Option<Outcome>;
    /// Places a stone of the side to move. Fouls are allowed and end the game.
    ///
    /// # Errors
    /// The point is outside or occupied, or the game is over; nothing changes.
    fn play(&mut self, cell: Cell) -> Result<(), IllegalMove>;
    /// Takes the newest stone back; `None` on an empty board.
    fn take_back(&mut self) -> Option<Cell>;
    /// Replaces the position by `stones` with `to_move` to move. Colours need not
    /// alternate, and no stone is judged by its place in the list: see
    /// [`listed`](goren_core::rules::referee::listed). Where a row ends
    /// the game, a stone of it becomes the newest.
    ///
    /// # Errors
    /// A stone outside or on an occupied point, or why no game leads to them; the
    /// position before stays.
    fn set_up(&mut self, stones: &[(Cell, Stone)], to_move: Color) -> Result<(), Impossible>;
    /// Forbidden points of Black, whoever is to move, in order.
    fn forbidden(&mut self) -> Vec<Cell>;
    /// The score for the side to move, if the board shows a proven result
    /// without any search.
    fn verdict(&mut self) -> Option<Score>;
    /// What the evaluation sees.
    fn features(&mut self) -> Features;
}
