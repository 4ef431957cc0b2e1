//! The referee of five in a row with the interface that all games share.

use super::id::RuleId;
use super::referee::FiveReferee;
use crate::rules::referee::{End, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee, free};
use crate::rules::{Fouls, Outcome, Setup};
use crate::types::{Cell, Color, Stone};

/// A [`FiveReferee`] as a [`Referee`].
#[derive(Clone, Debug)]
pub(super) struct FiveByPlies(FiveReferee);

impl FiveByPlies {
    pub(super) fn new(rule: RuleId, width: usize, height: usize) -> FiveByPlies {
        FiveByPlies(FiveReferee::new(Setup { rule, width, height }))
    }

    fn end(&self) -> Option<End> {
        let lines = self.0.winning_lines();
        Some(match self.0.outcome()? {
            Outcome::Win(color) if self.0.decided.is_none() => End::won(color, Reason::Full),
            Outcome::Draw => End::draw(Reason::Full),
            Outcome::Win(color) if lines.is_empty() => End::won(color, Reason::Foul),
            Outcome::Win(color) => End { lines, ..End::won(color, Reason::Line) },
        })
    }
}

impl Referee for FiveByPlies {
    fn stone(&self, cell: Cell) -> Option<Stone> {
        self.0.stone(cell)
    }

    fn check(&self, _color: Color, cell: Cell) -> Result<(), IllegalMove> {
        free(&self.0.grid, cell)
    }

    fn place(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.0.place(color, cell).map(|_| ())
    }

    fn set_up_stone(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        free(&self.0.grid, cell)?;
        self.0.set_up(cell, Stone::Of(color))
    }

    fn set_up_wall(&mut self, cell: Cell) -> Result<(), Impossible> {
        free(&self.0.grid, cell)?;
        Ok(self.0.set_up(cell, Stone::Wall)?)
    }

    fn settle(&mut self, next: Next) -> Result<Option<End>, Impossible> {
        self.0.settle(next)?;
        Ok(self.end())
    }

    fn in_order(&self) -> Option<&[(Cell, Stone)]> {
        Some(self.0.stones())
    }

    fn end_ply(&mut self, _ply: PlyEnd) -> Option<End> {
        self.end()
    }

    fn fouls(&self, color: Color, cell: Cell) -> Fouls {
        self.0.fouls(color, cell)
    }

    fn copy(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
