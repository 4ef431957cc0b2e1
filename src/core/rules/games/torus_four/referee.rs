//! The referee of four on a torus.

use super::options::TorusFour;
use crate::rules::referee::grid::Grid;
use crate::rules::referee::{
    End, FinalRow, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee, check_makers,
    final_rows, free, newest, set_up_stone, stone_at,
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
    final_rows(grid, TorusFour::GOAL)
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
        let last = next.last_of(mover, &self.grid);
        check_makers(&rows(&self.grid), mover)?;
        newest(&self.grid, 1, last, &rows)?;
        Ok(self.end_ply(PlyEnd { mover, to_move: next.to_move, seat: 0 }))
    }

    fn end_ply(&mut self, ply: PlyEnd) -> Option<End> {
        let runs = self.grid.runs(ply.mover, TorusFour::GOAL);
        if runs.is_empty() {
            return self.grid.is_full().then(|| End::draw(Reason::Full));
        }
        Some(End::won_by_lines(ply.mover, &runs))
    }

    fn copy(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
