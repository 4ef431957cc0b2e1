//! The referee of four on a torus.

use super::options::TorusFour;
use crate::rules::referee::grid::{Grid, Point, PointBoard, Run};
use crate::rules::referee::{
    End, FinalRow, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee, check_makers, free,
    newest, set_up_stone, stone_at,
};
use crate::types::{Cell, Color, Stone};

#[derive(Clone, Debug)]
pub(super) struct TorusFourReferee {
    grid: Grid,
}

impl TorusFourReferee {
    pub(super) fn new(width: usize, height: usize) -> TorusFourReferee {
        TorusFourReferee { grid: Grid::torus(width, height) }
    }
}

/// The rows of a board that end the game.
fn rows(grid: &Grid) -> Vec<FinalRow> {
    let of = |maker| {
        let runs = grid.runs(maker, TorusFour::GOAL).into_iter();
        runs.map(move |run| FinalRow { maker, stones: run.stones.to_vec() })
    };
    Color::ALL.into_iter().flat_map(of).collect()
}

impl Referee for TorusFourReferee {
    fn stone(&self, cell: Cell) -> Option<Stone> {
        stone_at(&self.grid, cell)
    }

    fn check(&self, _color: Color, cell: Cell) -> Result<(), IllegalMove> {
        free(&self.grid, cell)
    }

    fn place(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        set_up_stone(&mut self.grid, color, cell)
    }

    fn set_up_stone(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        set_up_stone(&mut self.grid, color, cell)
    }

    fn settle(&mut self, next: Next) -> Result<Option<End>, Impossible> {
        let mover = !next.to_move;
        let last = next.last.map(Point::from).filter(|&p| self.grid.is(p, mover));
        check_makers(&rows(&self.grid), mover)?;
        if newest(&self.grid, 1, last, &rows).is_none() {
            return Err(last.map_or(Impossible::Several, |_| Impossible::NotLast));
        }
        Ok(self.end_ply(PlyEnd { mover, to_move: next.to_move, seat: 0 }))
    }

    fn end_ply(&mut self, ply: PlyEnd) -> Option<End> {
        let runs = self.grid.runs(ply.mover, TorusFour::GOAL);
        if runs.is_empty() {
            return self.grid.is_full().then(|| End::draw(Reason::Full));
        }
        let cells = |run: Run| run.stones.into_iter().map(Cell::from).collect();
        let lines = runs.into_iter().map(cells).collect();
        Some(End { lines, ..End::won(ply.mover, Reason::Line) })
    }

    fn copy(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
