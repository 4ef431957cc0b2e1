//! Four In A Row with pieces that drop from any edge, by the text of the rules:
//! each falls along a row or a column until another piece or an edge stops it.

use super::board::{Letters, Point, along};
use super::driver::{End, Model, compare};

#[derive(Clone)]
pub struct Drops {
    pub board: Letters,
    pub clears: bool,
}

impl Drops {
    /// Where a piece stops that enters at a point of an edge, in a direction.
    fn drop(&self, from: Point, direction: Point) -> Option<Point> {
        let mut at = from;
        if self.board.get(at) != '.' {
            return None;
        }
        while self.board.get(along(at, direction, 1)) == '.' {
            at = along(at, direction, 1);
        }
        Some(at)
    }

    /// Clears full lines at the edges and moves the board there, step by step.
    fn clear(&mut self) {
        let (width, height) = (self.board.width, self.board.height);
        loop {
            let full = |line: &dyn Fn(Point) -> bool| {
                self.board.all().filter(|&at| line(at)).all(|at| self.board.get(at) != '.')
            };
            let left = full(&|at| at.0 == 0);
            let right = full(&|at| at.0 == width - 1);
            let top = full(&|at| at.1 == 0);
            let bottom = full(&|at| at.1 == height - 1);
            if !(left || right || top || bottom) {
                return;
            }
            let old = self.board.clone();
            let step = |on: bool| i32::from(on);
            let (dx, dy) = (step(right) - step(left), step(bottom) - step(top));
            for at in old.all() {
                self.board.set(at, '.');
            }
            for (x, y) in old.all() {
                let gone = left && x == 0
                    || right && x == width - 1
                    || top && y == 0
                    || bottom && y == height - 1;
                if !gone && old.get((x, y)) != '.' {
                    self.board.set((x + dx, y + dy), old.get((x, y)));
                }
            }
        }
    }
}

impl Model for Drops {
    fn letter(&self, at: Point) -> char {
        self.board.get(at)
    }

    fn may_place(&self, _color: char, at: Point) -> bool {
        let (width, height) = (self.board.width, self.board.height);
        let columns = (0..width).flat_map(|x| [((x, 0), (0, 1)), ((x, height - 1), (0, -1))]);
        let rows = (0..height).flat_map(|y| [((0, y), (1, 0)), ((width - 1, y), (-1, 0))]);
        columns.chain(rows).any(|(from, direction)| self.drop(from, direction) == Some(at))
    }

    fn place(&mut self, color: char, at: Point) {
        self.board.set(at, color);
        if self.clears && !self.board.rows(color).into_iter().any(|row| row >= 4) {
            self.clear();
        }
    }

    fn lines(&self) -> Vec<Vec<Point>> {
        let runs = ['X', 'O'].into_iter().flat_map(|color| self.board.runs(color));
        runs.filter(|run| run.len() >= 4).collect()
    }

    fn end(&self, to_move: char) -> Option<End> {
        let mover = super::board::other(to_move);
        if self.board.rows(mover).into_iter().any(|row| row >= 4) {
            return Some(End::Won(mover));
        }
        let mut points = self.board.all();
        (!points.any(|at| self.may_place(to_move, at))).then_some(End::Drawn)
    }
}

#[test]
fn pieces_drop_from_every_edge() {
    for (game, clears) in
        [("four-in-a-row+edge-drop", false), ("four-in-a-row+edge-drop-4+clear", true)]
    {
        for (width, height) in [(8, 8), (7, 6), (5, 5)] {
            let empty = Drops { board: Letters::new(width, height), clears };
            let coverage = compare(game, (width, height), &empty);
            assert!(coverage.won.iter().all(|&won| won > 20), "{coverage:?}");
        }
    }
}
