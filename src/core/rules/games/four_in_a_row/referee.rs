//! The referee of Four In A Row: where pieces come to rest, and lines that are
//! cleared.

use super::options::{FourInARow, Placement};
use crate::rules::referee::grid::{AXES, Axis, Content, Grid, Point, PointBoard, Run, steps};
use crate::rules::referee::{
    End, FinalRow, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee, check_makers,
    final_rows, free, label, newest, set_up_stone, stone_at,
};
use crate::types::{Cell, Color, Stone};

/// Number of pieces in a row that wins.
const FOUR: usize = 4;

/// A step of the board towards the edges whose full lines are cleared: 1 for each of them, 0 for
/// the others.
#[derive(Copy, Clone, Debug)]
struct Shift {
    left: i32,
    right: i32,
    up: i32,
    down: i32,
}

impl Shift {
    /// Where the step moves the piece of a point; `None` if the piece is cleared. If two opposite
    /// edges are marked, both lose their line and nothing moves between them.
    fn moved(self, p: Point, grid: &Grid) -> Option<Point> {
        let Shift { left, right, up, down } = self;
        let gone = left == 1 && p.x == 0
            || right == 1 && p.x == grid.width - 1
            || up == 1 && p.y == 0
            || down == 1 && p.y == grid.height - 1;
        (!gone).then_some(Point { x: p.x + right - left, y: p.y + down - up })
    }
}

#[derive(Clone, Debug)]
pub(super) struct FourInARowReferee {
    game: FourInARow,
    grid: Grid,
    /// The colour of the piece that won, and its lines.
    won: Option<(Color, Vec<Run>)>,
    /// The steps of the board after the last piece.
    shifts: Vec<Shift>,
}

impl FourInARowReferee {
    pub(super) fn new(game: FourInARow, grid: Grid) -> FourInARowReferee {
        FourInARowReferee { game, grid, won: None, shifts: Vec::new() }
    }

    /// The first empty point of a line of points.
    fn first_empty(&self, line: impl Iterator<Item = Point>) -> Option<Point> {
        let mut line = line;
        line.find(|&p| self.grid.at(p) == Content::Empty)
    }

    /// Whether a piece may come to rest on an empty point.
    fn rests(&self, p: Point) -> bool {
        let (width, height) = (self.grid.width, self.grid.height);
        let in_column = |y| Point { x: p.x, y };
        let in_row = |x| Point { x, y: p.y };
        let from_below = self.first_empty((0..height).rev().map(in_column));
        match self.game.placement {
            Placement::Gravity => from_below == Some(p),
            Placement::Edges => [
                from_below,
                self.first_empty((0..height).map(in_column)),
                self.first_empty((0..width).map(in_row)),
                self.first_empty((0..width).rev().map(in_row)),
            ]
            .contains(&Some(p)),
            // Where any piece stops, one that begins there has the same nearest edge, and stops
            // there as well. Trying all starts would take too long: an opening samples many turns.
            Placement::Inward => self.slide(p) == p,
            Placement::Drop => steps().filter(|step| step.is_orthogonal()).any(|step| {
                let mut at = p;
                while self.grid.at(at) == Content::Empty {
                    at = self.grid.next(at, step.reversed());
                }
                let is_stopped = self.grid.at(self.grid.next(p, step)) != Content::Empty;
                self.grid.at(at) == Content::Outside && is_stopped
            }),
        }
    }

    /// Where a piece from an empty point stops on its way to the nearest edge, or to the corner
    /// if two edges are equally near.
    fn slide(&self, start: Point) -> Point {
        let (right, down) = (self.grid.width - 1 - start.x, self.grid.height - 1 - start.y);
        let nearest = start.x.min(start.y).min(right).min(down);
        let towards = |low: i32, high: i32| {
            if low == nearest {
                -1
            } else if high == nearest {
                1
            } else {
                0
            }
        };
        let step = Axis::new(towards(start.x, right), towards(start.y, down));
        let mut at = start;
        while self.grid.at(self.grid.next(at, step)) == Content::Empty {
            at = self.grid.next(at, step);
        }
        at
    }

    /// The rows of a board that end the game.
    fn rows(grid: &Grid) -> Vec<FinalRow> {
        final_rows(grid, FOUR)
    }

    /// A piece that cannot have come to rest, in any order of the pieces: a resting place stays
    /// one while other points are filled. `None` if lines are cleared at several sides, because
    /// then the board moves away from edges. If pieces fall through the board, they stop at an
    /// edge or at another piece.
    fn floating(&self) -> Option<Point> {
        if self.game.clear && self.game.placement != Placement::Gravity {
            return None;
        }
        if self.game.placement == Placement::Drop {
            return self.apart_from_edges();
        }
        let (width, height) = (self.grid.width, self.grid.height);
        let mut pieces: Vec<Point> = self.grid.points().filter(|&p| self.is_filled(p)).collect();
        // From the edges inwards, or from the bottom up.
        let depth = |p: &Point| match self.game.placement {
            Placement::Gravity => height - 1 - p.y,
            _ => p.x.min(p.y).min(width - 1 - p.x).min(height - 1 - p.y),
        };
        pieces.sort_by_key(depth);
        let grid = Grid::new(width as usize, height as usize);
        let mut board = FourInARowReferee::new(self.game, grid);
        loop {
            let before = pieces.len();
            pieces.retain(|&p| {
                let rests = board.rests(p);
                if let (true, Content::Filled(stone)) = (rests, self.grid.at(p)) {
                    board.grid.set(p, Some(stone));
                }
                !rests
            });
            if pieces.len() == before {
                return pieces.first().copied();
            }
        }
    }

    /// A piece that no chain of orthogonal neighbours joins to an edge.
    fn apart_from_edges(&self) -> Option<Point> {
        let is_at_edge = |p: Point| {
            steps().any(|step| self.grid.at(self.grid.next(p, step)) == Content::Outside)
        };
        let pieces = || self.grid.points().filter(|&p| self.is_filled(p));
        let mut joined: Vec<Point> = pieces().filter(|&p| is_at_edge(p)).collect();
        let mut seen = 0;
        while seen < joined.len() {
            let sides = steps().filter(|step| step.is_orthogonal());
            let next = sides.map(|step| self.grid.next(joined[seen], step));
            let fresh: Vec<Point> =
                next.filter(|&p| self.is_filled(p) && !joined.contains(&p)).collect();
            joined.extend(fresh);
            seen += 1;
        }
        pieces().find(|p| !joined.contains(p))
    }

    /// Whether the board has a full line that would have been cleared.
    fn has_full_line(&self) -> bool {
        let (width, height) = (self.grid.width, self.grid.height);
        let row = |y: i32| (0..width).all(|x| self.is_filled(Point { x, y }));
        let column = |x: i32| (0..height).all(|y| self.is_filled(Point { x, y }));
        let sides = self.game.placement != Placement::Gravity;
        row(height - 1) || sides && (row(0) || column(0) || column(width - 1))
    }

    /// Whether the piece on a point may have been the last to come to rest.
    fn may_be_last(&self, p: Point) -> bool {
        let mut before = self.clone();
        before.grid.set(p, None);
        self.game.clear || before.rests(p)
    }

    /// Clears full lines at the edges that pieces fall to, as long as there are any: the whole
    /// board moves a step towards all these edges at once.
    fn clear(&mut self) {
        let (width, height) = (self.grid.width, self.grid.height);
        loop {
            let full_row = |y: i32| (0..width).all(|x| self.is_filled(Point { x, y }));
            let full_column = |x: i32| (0..height).all(|y| self.is_filled(Point { x, y }));
            let sides = self.game.placement != Placement::Gravity;
            let down = full_row(height - 1) as i32;
            let up = (sides && full_row(0)) as i32;
            let right = (sides && full_column(width - 1)) as i32;
            let left = (sides && full_column(0)) as i32;
            if up + down + left + right == 0 {
                return;
            }
            self.shift(Shift { left, right, up, down });
        }
    }

    fn is_filled(&self, p: Point) -> bool {
        matches!(self.grid.at(p), Content::Filled(_))
    }

    /// Clears lines and moves the board a step.
    fn shift(&mut self, shift: Shift) {
        let old = self.grid.clone();
        for p in old.points() {
            self.grid.set(p, None);
        }
        for p in old.points() {
            if let (Content::Filled(stone), Some(to)) = (old.at(p), shift.moved(p, &old)) {
                self.grid.set(to, Some(stone));
            }
        }
        self.shifts.push(shift);
    }
}

impl Referee for FourInARowReferee {
    fn stone(&self, cell: Cell) -> Option<Stone> {
        stone_at(&self.grid, cell)
    }

    fn check(&self, _color: Color, cell: Cell) -> Result<(), IllegalMove> {
        free(&self.grid, cell)?;
        if self.rests(cell.into()) { Ok(()) } else { Err(IllegalMove::Floating) }
    }

    fn place(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.check(color, cell)?;
        self.shifts.clear();
        let p = Point::from(cell);
        self.grid.set(p, Some(Stone::Of(color)));
        let runs = AXES.map(|axis| self.grid.run(p, axis, color));
        let lines: Vec<Run> = runs.into_iter().filter(|run| run.len() >= FOUR).collect();
        if !lines.is_empty() {
            self.won = Some((color, lines));
        } else if self.game.clear {
            self.clear();
        }
        Ok(())
    }

    fn moved(&self, cell: Cell) -> Option<Cell> {
        let mut shifts = self.shifts.iter();
        shifts.try_fold(Point::from(cell), |p, shift| shift.moved(p, &self.grid)).map(Cell::from)
    }

    fn set_up_stone(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        set_up_stone(&mut self.grid, color, cell)
    }

    fn settle(&mut self, next: Next) -> Result<Option<End>, Impossible> {
        let mover = !next.to_move;
        let last = next.last_of(mover, &self.grid);
        if let Some(p) = self.floating() {
            return Err(Impossible::Floating(label(&self.grid, p)));
        }
        let rows = FourInARowReferee::rows(&self.grid);
        check_makers(&rows, mover)?;
        let ends = |p: Point| {
            self.may_be_last(p) && newest(&self.grid, 1, Some(p), &FourInARowReferee::rows).is_ok()
        };
        let newest = match (last, rows.first()) {
            (Some(p), _) if ends(p) => Some(p),
            (Some(_), _) => return Err(Impossible::NotLast),
            (None, None) => None,
            (None, Some(row)) => {
                let ender = row.stones.iter().copied().find(|&p| ends(p));
                Some(ender.ok_or(Impossible::Several)?)
            }
        };
        if rows.is_empty() && self.game.clear && self.has_full_line() {
            return Err(Impossible::FullLine);
        }
        if let Some(p) = newest.filter(|_| !rows.is_empty()) {
            let runs = AXES.map(|axis| self.grid.run(p, axis, mover));
            self.won = Some((mover, runs.into_iter().filter(|run| run.len() >= FOUR).collect()));
        }
        Ok(self.end_ply(PlyEnd { mover, to_move: next.to_move, seat: 0 }))
    }

    fn end_ply(&mut self, _ply: PlyEnd) -> Option<End> {
        if let Some((color, runs)) = &self.won {
            return Some(End::won_by_lines(*color, runs));
        }
        if self.grid.is_full() {
            return Some(End::draw(Reason::Full));
        }
        // Pieces at all edges may keep others from falling in.
        let blocked =
            self.game.placement == Placement::Drop && !self.grid.empty().any(|p| self.rests(p));
        blocked.then(|| End::draw(Reason::NoMoves))
    }

    fn copy(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stop_where_a_piece_that_begins_there_stays() {
        let game = FourInARow { placement: Placement::Inward, clear: false };
        for side in [6, 8, 12] {
            let mut board = FourInARowReferee::new(game, Grid::new(side, side));
            for ply in 0..side * side {
                let stops = |p: Point| board.grid.empty().any(|start| board.slide(start) == p);
                let (resting, others): (Vec<Point>, Vec<Point>) =
                    board.grid.empty().partition(|&p| board.rests(p));
                assert!(resting.iter().all(|&p| stops(p)), "{side} {ply}");
                assert!(!others.iter().any(|&p| stops(p)), "{side} {ply}");
                let p = resting[ply * 7919 % resting.len()];
                board.grid.set(p, Some(Stone::Of(Color::ALL[ply % 2])));
            }
        }
    }
}
