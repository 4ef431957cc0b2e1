//! Read access to fast positions for tests and tools: stones, captures, forbidden points,
//! and the state that unmaking a move must restore.

use super::five::Five;
use super::line_game::Tupled;
use super::position::{Position, Replay};
use crate::board::{CellInfo, Codes, LineCountBoard};
use goren_core::rules::{Rule, Setup};
use goren_core::types::{Cell, CellSet, Color, Move, Stone};

/// Queries of tests and tools on a fast position beyond those of the search.
pub trait Inspect: Replay {
    /// Incremental state of the board besides keys and scores.
    type Inside: PartialEq;

    /// Places a stone of the side to move with all consequences, including fouls.
    fn play(&mut self, cell: Cell) {
        self.make(Move::at(cell));
    }
    /// Returns the colour of the stone on a cell.
    fn color(&self, cell: Cell) -> Option<Color>;
    /// Returns the numbers of stones captured by Black and by White.
    fn captured(&self) -> [usize; 2] {
        [0, 0]
    }
    /// Returns the forbidden points of a colour.
    fn forbidden(&self, color: Color) -> Vec<Cell>;
    /// Returns the empty cells near stones, as move generation sees them.
    fn near(&self) -> CellSet;
    /// Returns the state that unmaking a move must restore.
    fn inside(&self) -> Self::Inside;
}

impl<R: Rule> Inspect for Five<R> {
    type Inside = Vec<CellInfo>;

    fn play(&mut self, cell: Cell) {
        self.put(cell, self.to_move());
    }

    fn color(&self, cell: Cell) -> Option<Color> {
        let found = self.board().stones().find(|&(at, _)| at == cell)?;
        match found.1 {
            Stone::Of(color) => Some(color),
            Stone::Wall => None,
        }
    }

    fn forbidden(&self, color: Color) -> Vec<Cell> {
        Five::forbidden(self, color)
    }

    fn near(&self) -> CellSet {
        self.board().near()
    }

    fn inside(&self) -> Vec<CellInfo> {
        let Setup { width, height, .. } = self.board().setup();
        CellSet::board(width, height).iter().map(|cell| *self.board().cell(cell)).collect()
    }
}

impl<P: Tupled> Inspect for P {
    type Inside = (LineCountBoard, Codes);

    fn color(&self, cell: Cell) -> Option<Color> {
        self.board().color(cell)
    }

    fn captured(&self) -> [usize; 2] {
        Tupled::captured(self)
    }

    fn forbidden(&self, color: Color) -> Vec<Cell> {
        Tupled::forbidden(self, color)
    }

    fn near(&self) -> CellSet {
        self.board().near()
    }

    fn inside(&self) -> (LineCountBoard, Codes) {
        let mut position = self.clone();
        (self.board().clone(), position.codes().clone())
    }
}
