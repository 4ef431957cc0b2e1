//! What is being verified: anything that can judge stones.

use crate::rules::referee::{IllegalMove, Referee};
use crate::rules::{Fouls, Outcome, Setup};
use crate::types::{Cell, Color, Stone};

/// Something that judges a game, stone by stone.
pub(super) trait Judge {
    /// Places a stone as a move and says whether it ended the game.
    fn place(&mut self, color: Color, cell: Cell) -> Result<Option<Outcome>, IllegalMove>;
    /// Puts a stone of a given position on the board, without judging it.
    fn set_up(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove>;
    /// Takes back the newest stone.
    fn take_back(&mut self);
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The stones on the board.
    fn stones(&self) -> Vec<(Cell, Stone)>;
    /// Whether a stone on this empty point would win by its line.
    fn is_five(&self, color: Color, cell: Cell) -> bool;
    /// The fouls of a black stone on this empty point.
    fn fouls(&self, cell: Cell) -> Fouls;
    /// The winning lines through the newest stone; `None` from a judge that
    /// cannot name them.
    fn winning_lines(&self) -> Option<Vec<Vec<Cell>>>;
}

/// The slow judge.
pub(super) fn referee(setup: Setup) -> Box<dyn Judge> {
    Box::new(Referee::new(setup))
}

impl Judge for Referee {
    fn place(&mut self, color: Color, cell: Cell) -> Result<Option<Outcome>, IllegalMove> {
        Referee::place(self, color, cell)
    }

    fn set_up(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        Referee::set_up(self, cell, Stone::Of(color))
    }

    fn take_back(&mut self) {
        Referee::take_back(self);
    }

    fn outcome(&self) -> Option<Outcome> {
        Referee::outcome(self)
    }

    fn stones(&self) -> Vec<(Cell, Stone)> {
        Referee::stones(self).to_vec()
    }

    fn is_five(&self, color: Color, cell: Cell) -> bool {
        self.wins(color, cell)
    }

    fn fouls(&self, cell: Cell) -> Fouls {
        Referee::fouls(self, cell)
    }

    fn winning_lines(&self) -> Option<Vec<Vec<Cell>>> {
        Some(Referee::winning_lines(self))
    }
}
