//! The referee of Connect6: pairs, lines that wrap, rules on pairs.

use super::options::{Connect6, Pairs};
use crate::rules::referee::grid::{AXES, Content, Grid, Point, PointBoard};
use crate::rules::referee::{
    End, FinalRow, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee, check_makers,
    final_rows, free, newest, set_up_stone, stone_at,
};
use crate::types::{Cell, Color, Stone};

#[derive(Clone, Debug)]
pub(super) struct Connect6Referee {
    game: Connect6,
    grid: Grid,
    /// The stones of the ply in progress.
    placed: Vec<Point>,
    /// The stones of the last turn that placed any.
    last_turn: Vec<Point>,
}

impl Connect6Referee {
    pub(super) fn new(game: Connect6, grid: Grid) -> Connect6Referee {
        Connect6Referee { game, grid, placed: Vec::new(), last_turn: Vec::new() }
    }

    /// Whether two points share a row, a column or a diagonal, whatever stands
    /// between them.
    fn collinear(&self, p: Point, q: Point) -> bool {
        // A walk that begins off a torus never returns to its start.
        self.grid.contains(p)
            && AXES.into_iter().any(|axis| {
                [axis, axis.reversed()].into_iter().any(|step| {
                    let mut at = self.grid.next(p, step);
                    while at != p && self.grid.contains(at) {
                        if at == q {
                            return true;
                        }
                        at = self.grid.next(at, step);
                    }
                    false
                })
            })
    }

    /// Whether a point is on a line with a stone of the last turn.
    fn follows(&self, p: Point) -> bool {
        // The last turn of a position that was set up is unknown.
        self.last_turn.is_empty() || self.last_turn.iter().any(|&stone| self.collinear(p, stone))
    }

    fn check_pair(&self, p: Point, q: Point) -> Result<(), IllegalMove> {
        match self.game.pairs {
            Pairs::Any => Ok(()),
            Pairs::Collinear if !self.follows(p) && !self.follows(q) => {
                Err(IllegalMove::ApartFromLastTurn)
            }
            Pairs::Collinear if !self.collinear(p, q) => Err(IllegalMove::NotCollinear),
            Pairs::Apart if self.collinear(p, q) => Err(IllegalMove::Collinear),
            Pairs::Collinear | Pairs::Apart => Ok(()),
        }
    }

    /// The rows of a board that end the game.
    fn rows(&self, grid: &Grid) -> Vec<FinalRow> {
        final_rows(grid, self.game.goal())
    }

    fn has_pair(&self) -> bool {
        let empty: Vec<Point> = self.grid.empty().collect();
        let mut pairs = empty.iter().enumerate().flat_map(|(i, &p)| {
            let others = empty[i + 1..].iter();
            others.map(move |&q| (p, q))
        });
        pairs.any(|(p, q)| self.check_pair(p, q).is_ok())
    }
}

impl Referee for Connect6Referee {
    fn stone(&self, cell: Cell) -> Option<Stone> {
        stone_at(&self.grid, cell)
    }

    fn check(&self, _color: Color, cell: Cell) -> Result<(), IllegalMove> {
        free(&self.grid, cell)
    }

    fn check_turn(&self, cells: &[Cell]) -> Result<(), IllegalMove> {
        match cells {
            [p, q] => self.check_pair((*p).into(), (*q).into()),
            _ => Ok(()),
        }
    }

    fn check_first(&self, cell: Cell) -> bool {
        self.game.pairs != Pairs::Collinear || self.follows(cell.into())
    }

    fn place(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.check(color, cell)?;
        self.grid.set(cell.into(), Some(Stone::Of(color)));
        self.placed.push(cell.into());
        Ok(())
    }

    fn set_up_stone(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        set_up_stone(&mut self.grid, color, cell)
    }

    fn settle(&mut self, next: Next) -> Result<Option<End>, Impossible> {
        let filled = self.grid.points().filter(|&p| self.grid.at(p) != Content::Empty).count();
        // In the middle of a turn its first stone is the newest one.
        let half = filled > 0 && next.left == 1;
        let mover = if half { next.to_move } else { !next.to_move };
        let max_stones = if half || filled == 1 { 1 } else { 2 };
        let last = next.last_of(mover, &self.grid);
        check_makers(&self.rows(&self.grid), mover)?;
        newest(&self.grid, max_stones, last, &|grid| self.rows(grid))?;
        let end = self.end_ply(PlyEnd { mover, to_move: next.to_move, seat: 0 });
        // In the middle of a turn one stone is to be placed, which needs no legal pair.
        Ok(end.filter(|end| !(half && end.reason == Reason::NoMoves)))
    }

    fn end_ply(&mut self, ply: PlyEnd) -> Option<End> {
        if !self.placed.is_empty() {
            self.last_turn = std::mem::take(&mut self.placed);
        }
        let runs = self.grid.runs(ply.mover, self.game.goal());
        if !runs.is_empty() {
            return Some(End::won_by_lines(ply.mover, &runs));
        }
        if self.grid.is_full() {
            return Some(End::draw(Reason::Full));
        }
        (!self.has_pair()).then(|| End::draw(Reason::NoMoves))
    }

    fn copy(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
