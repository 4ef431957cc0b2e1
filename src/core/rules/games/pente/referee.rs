//! The referee of Pente: captures, poofs, pending fives.

use super::options::Pente;
use crate::rules::referee::grid::{AXES, Content, Grid, Look, Point, steps};
use crate::rules::referee::{
    End, FinalRow, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee, check_makers, free,
    label, lay, newest, stone_at,
};
use crate::types::{Cell, Color, Stone};

/// Stones in a row that win.
const FIVE: usize = 5;

#[derive(Clone, Debug)]
pub(super) struct PenteReferee {
    game: Pente,
    grid: Grid,
    captured: [usize; 2],
}

impl PenteReferee {
    pub(super) fn new(game: Pente, grid: Grid) -> PenteReferee {
        PenteReferee { game, grid, captured: [0, 0] }
    }

    /// Whether runs of so many stones are captured.
    fn is_prey(&self, length: usize) -> bool {
        (2..=self.game.most()).contains(&length)
    }

    /// Opponent stones that the stone just placed on `p` captures.
    fn prey(&self, p: Point, color: Color) -> Vec<Point> {
        let mut prey = Vec::new();
        for step in steps() {
            let mut between = Vec::new();
            let mut at = self.grid.next(p, step);
            while self.grid.is(at, !color) {
                between.push(at);
                at = self.grid.next(at, step);
            }
            if self.is_prey(between.len()) && self.grid.is(at, color) {
                prey.extend(between);
            }
        }
        prey
    }

    /// Own stones that vanish because the stone on `p` was moved between opponent
    /// stones; each once.
    fn poofed(&self, p: Point, color: Color) -> Vec<Point> {
        let mut poofed: Vec<Point> = Vec::new();
        for axis in AXES {
            let run = self.grid.run(p, axis, color);
            let flanked = run.ends.iter().all(|&end| self.grid.is(end, !color));
            if self.is_prey(run.len()) && flanked {
                let fresh: Vec<Point> =
                    run.stones.into_iter().filter(|s| !poofed.contains(s)).collect();
                poofed.extend(fresh);
            }
        }
        poofed
    }

    fn lines(&self, color: Color) -> Vec<Vec<Cell>> {
        let runs = self.grid.runs(color, FIVE);
        runs.into_iter().map(|run| run.stones.into_iter().map(Cell::from).collect()).collect()
    }

    /// The rows of a board that end the game at once.
    fn rows(&self, grid: &Grid) -> Vec<FinalRow> {
        if self.game.boat {
            return Vec::new();
        }
        let of = |maker| {
            let runs = grid.runs(maker, FIVE).into_iter();
            runs.map(move |run| FinalRow { maker, stones: run.stones.to_vec() })
        };
        Color::ALL.into_iter().flat_map(of).collect()
    }

    /// A stone that cannot stand: with the newest stone it would have been
    /// captured, or, where stones poof, whichever of it and those around it came
    /// last.
    fn doomed(&self, last: Option<(Point, Color)>) -> Option<Point> {
        let prey = last.and_then(|(p, color)| self.prey(p, color).first().copied());
        let flanked = |color: Color| {
            let runs = self.grid.runs(color, 2).into_iter();
            let mut runs = runs.filter(|run| self.is_prey(run.len()));
            runs.find(|run| run.ends.iter().all(|&end| self.grid.is(end, !color)))
        };
        let poofed = || Color::ALL.into_iter().find_map(flanked).map(|run| run.stones[0]);
        prey.or_else(|| if self.game.poof { poofed() } else { None })
    }

    /// Whether a side has captured enough, and more than the other.
    fn has_captured_enough(&self, color: Color) -> bool {
        let [own, others] = [color, !color].map(|c| self.captured[c.index()]);
        own >= self.game.goal() && own > others
    }
}

impl Referee for PenteReferee {
    fn stone(&self, cell: Cell) -> Option<Stone> {
        stone_at(&self.grid, cell)
    }

    fn check(&self, _color: Color, cell: Cell) -> Result<(), IllegalMove> {
        free(&self.grid, cell)
    }

    fn place(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.check(color, cell)?;
        let p = Point::from(cell);
        self.grid.set(p, Some(Stone::Of(color)));
        // Both are found on the same board, before anything is taken off.
        let prey = self.prey(p, color);
        let poofed = if self.game.poof { self.poofed(p, color) } else { Vec::new() };
        self.captured[color.index()] += prey.len();
        self.captured[(!color).index()] += poofed.len();
        for gone in prey.into_iter().chain(poofed) {
            self.grid.set(gone, None);
        }
        Ok(())
    }

    fn lay(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        lay(&mut self.grid, color, cell)
    }

    fn settle(&mut self, next: Next) -> Result<Option<End>, Impossible> {
        let mover = !next.to_move;
        let last = next.last.map(Point::from).filter(|&p| self.grid.is(p, mover));
        if let Some(p) = self.doomed(last.map(|p| (p, mover))) {
            return Err(Impossible::Taken(label(&self.grid, p)));
        }
        check_makers(&self.rows(&self.grid), mover)?;
        if newest(&self.grid, 1, last, &|grid| self.rows(grid)).is_none() {
            return Err(last.map_or(Impossible::Several, |_| Impossible::NotLast));
        }
        Ok(self.end_ply(PlyEnd { mover, to_move: next.to_move, seat: 0 }))
    }

    fn end_ply(&mut self, ply: PlyEnd) -> Option<End> {
        // With overtime a five wins when it still stands after the answer.
        let judged = if self.game.boat { ply.to_move } else { ply.mover };
        let lines = self.lines(judged);
        let by_line = (!lines.is_empty()).then_some(judged);
        let by_captures = Color::ALL.into_iter().find(|&color| self.has_captured_enough(color));
        let end = |winners, reason| Some(End { winners, reason, lines });
        match (by_line, by_captures) {
            (None, None) => {
                let full = self.grid.points().all(|p| self.grid.at(p) != Content::Empty);
                full.then(|| End::draw(Reason::Full))
            }
            (None, Some(color)) => Some(End::won(color, Reason::Captures)),
            (Some(color), None) => end(vec![color], Reason::Line),
            // A five that stood through the answer comes before the captures.
            (Some(color), Some(_)) if self.game.boat => end(vec![color], Reason::Line),
            (Some(color), Some(other)) if color == other => {
                end(vec![color], Reason::LineAndCaptures)
            }
            (Some(_), Some(_)) => end(Color::ALL.to_vec(), Reason::LineAndCaptures),
        }
    }

    fn captured(&self) -> [usize; 2] {
        self.captured
    }

    fn copy(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
