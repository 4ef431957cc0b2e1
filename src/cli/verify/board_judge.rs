//! The fast board as a judge.

use super::judge::Judge;
use goren_core::rules::referee::IllegalMove;
use goren_core::rules::{Fouls, Outcome, Rule, Setup, Visitor, with_rule};
use goren_core::types::{Cell, CellSet, Color, Stone};
use goren_engine::board::Board;

/// The judge on the fast board.
pub(super) fn board(setup: Setup) -> Box<dyn Judge> {
    struct Make(Setup);
    impl Visitor for Make {
        type Out = Box<dyn Judge>;
        fn visit<R: Rule>(self) -> Self::Out {
            Box::new(BoardJudge::<R> { board: Board::new(self.0), decided: None })
        }
    }
    with_rule(setup.rule, Make(setup))
}

/// A board and the side that has won, as the board itself does not judge results.
struct BoardJudge<R: Rule> {
    board: Board<R>,
    decided: Option<Color>,
}

impl<R: Rule> Judge for BoardJudge<R> {
    fn place(&mut self, color: Color, cell: Cell) -> Result<Option<Outcome>, IllegalMove> {
        let wins = self.is_five(color, cell);
        let foul = self.board.is_empty(cell) && self.board.is_forbidden(color, cell);
        self.set_up(color, cell)?;
        self.decided = match (wins, foul) {
            (true, _) => Some(color),
            (false, true) => Some(!color),
            (false, false) => None,
        };
        Ok(self.outcome())
    }

    fn set_up(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        let setup = self.board.setup();
        if self.outcome().is_some() {
            Err(IllegalMove::GameOver)
        } else if !CellSet::board(setup.width, setup.height).contains(cell) {
            Err(IllegalMove::Outside)
        } else if !self.board.is_empty(cell) {
            Err(IllegalMove::Occupied)
        } else {
            self.board.make(cell, color);
            Ok(())
        }
    }

    fn take_back(&mut self) {
        self.board.unmake();
        self.decided = None;
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.decided {
            Some(color) => Some(Outcome::Win(color)),
            None if self.board.empty().is_empty() => {
                let winner = self.board.setup().rule.card().full_board;
                Some(winner.map_or(Outcome::Draw, Outcome::Win))
            }
            None => None,
        }
    }

    fn stones(&self) -> Vec<(Cell, Stone)> {
        self.board.stones().collect()
    }

    fn is_five(&self, color: Color, cell: Cell) -> bool {
        self.board.is_empty(cell) && self.board.wins(color, cell)
    }

    fn fouls(&self, color: Color, cell: Cell) -> Fouls {
        self.board.fouls(color, cell)
    }
}
