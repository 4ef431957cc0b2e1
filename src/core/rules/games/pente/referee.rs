//! The referee of Pente: captures, poofs, pending fives.

use super::options::{Overlines, Pente};
use crate::rules::referee::fouls::{self, FoulRule};
use crate::rules::referee::grid::{AXES, Axis, Content, Grid, Point, PointBoard, steps};
use crate::rules::referee::{
    End, FinalRow, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee, check_makers,
    final_rows, free, label, newest, set_up_stone, stone_at, without,
};
use crate::rules::{Excuse, Fouls};
use crate::types::{Cell, Color, Stone};

/// Number of stones in a row that wins.
const FIVE: usize = 5;

#[derive(Clone, Debug)]
pub(super) struct PenteReferee {
    game: Pente,
    grid: Grid,
    captured: [usize; 2],
    /// The colour that lost by a foul.
    fouled: Option<Color>,
}

/// Whether runs of `length` stones are captured.
fn is_capturable(game: Pente, length: usize) -> bool {
    (2..=game.most()).contains(&length)
}

/// The opponent stones that the stone just placed on `p` of a grid captures.
fn captures(game: Pente, grid: &Grid, p: Point, color: Color) -> Vec<Point> {
    let mut captures = Vec::new();
    for step in steps() {
        let mut between = Vec::new();
        let mut at = grid.next(p, step);
        while grid.is(at, !color) {
            between.push(at);
            at = grid.next(at, step);
        }
        if is_capturable(game, between.len()) && grid.is(at, color) {
            captures.extend(between);
        }
    }
    captures
}

/// A grid on which hypothetical stones capture.
#[derive(Clone, Debug)]
struct Capturing {
    game: Pente,
    grid: Grid,
}

impl PointBoard for Capturing {
    fn at(&self, p: Point) -> Content {
        self.grid.at(p)
    }

    fn next(&self, p: Point, axis: Axis) -> Point {
        self.grid.next(p, axis)
    }

    fn with(&self, p: Point, color: Color) -> Capturing {
        let mut grid = self.grid.with(p, color);
        for gone in captures(self.game, &grid, p, color) {
            grid.set(gone, None);
        }
        Capturing { game: self.game, grid }
    }
}

impl PenteReferee {
    pub(super) fn new(game: Pente, grid: Grid) -> PenteReferee {
        PenteReferee { game, grid, captured: [0, 0], fouled: None }
    }

    /// Whether runs of `length` stones are captured.
    fn is_capturable(&self, length: usize) -> bool {
        is_capturable(self.game, length)
    }

    /// The opponent stones that the stone just placed on `p` captures.
    fn captures(&self, p: Point, color: Color) -> Vec<Point> {
        captures(self.game, &self.grid, p, color)
    }

    /// Why a stone must not be placed on an empty point, if it must not.
    fn barrier(&self, color: Color, p: Point) -> Option<IllegalMove> {
        let forbids_overlines = self.game.forbids_overlines(color);
        if !forbids_overlines && !self.game.safe {
            return None;
        }
        let placed = PenteReferee { grid: self.grid.with(p, color), ..self.clone() };
        if self.game.safe && !placed.poofed(p, color).is_empty() {
            return Some(IllegalMove::SelfCapture);
        }
        let overline = AXES.iter().any(|&axis| placed.grid.run(p, axis, color).len() > FIVE);
        (forbids_overlines && overline).then_some(IllegalMove::Overline)
    }

    /// Whether a colour has no legal point left.
    fn is_stuck(&self, color: Color) -> bool {
        self.game.has_barriers() && self.grid.empty().all(|p| self.barrier(color, p).is_some())
    }

    /// The own stones that are captured because the stone on `p` was placed between opponent
    /// stones; each once.
    fn poofed(&self, p: Point, color: Color) -> Vec<Point> {
        let mut poofed: Vec<Point> = Vec::new();
        for axis in AXES {
            let run = self.grid.run(p, axis, color);
            let flanked = run.ends.iter().all(|&end| self.grid.is(end, !color));
            if self.is_capturable(run.len()) && flanked {
                let fresh: Vec<Point> =
                    run.stones.into_iter().filter(|s| !poofed.contains(s)).collect();
                poofed.extend(fresh);
            }
        }
        poofed
    }

    fn lines(&self, color: Color) -> Vec<Vec<Cell>> {
        let runs = self.grid.runs(color, FIVE).into_iter();
        let runs = runs.filter(|run| self.game.is_winning(color, run.len()));
        runs.map(|run| run.cells()).collect()
    }

    /// The rows of a board that end the game at once.
    fn rows(&self, grid: &Grid) -> Vec<FinalRow> {
        if self.game.boat {
            return Vec::new();
        }
        let mut rows = final_rows(grid, FIVE);
        rows.retain(|row| {
            // An overline that is a foul is final as well.
            self.game.is_winning(row.maker, row.stones.len()) || self.game.fouls(row.maker).overline
        });
        rows
    }

    /// A stone that cannot be on the board: the newest stone would have captured it, or, if
    /// stones poof, it would have been captured whichever of the stones around it came last.
    fn impossible_stone(&self, last: Option<(Point, Color)>) -> Option<Point> {
        let captured = last.and_then(|(p, color)| self.captures(p, color).first().copied());
        let flanked = |color: Color| {
            let runs = self.grid.runs(color, 2).into_iter();
            let mut runs = runs.filter(|run| self.is_capturable(run.len()));
            runs.find(|run| run.ends.iter().all(|&end| self.grid.is(end, !color)))
        };
        let poofed = || Color::ALL.into_iter().find_map(flanked).map(|run| run.stones[0]);
        captured.or_else(|| if self.game.poof || self.game.safe { poofed() } else { None })
    }

    /// The end of the game in a position that was laid, whose last stone may be a foul.
    fn end_of_position(&mut self, last: Option<Point>, next: Next) -> Option<End> {
        let mover = !next.to_move;
        if let Some(p) = last {
            let before = PenteReferee { grid: without(&self.grid, p), ..self.clone() };
            self.fouled = before.fouls(mover, p.into()).any().then_some(mover);
        }
        self.end_ply(PlyEnd { mover, to_move: next.to_move, seat: 0 })
    }

    /// A draw, if the board is full or the side to move has no legal point.
    fn end_without_moves(&self, to_move: Color) -> Option<End> {
        if self.grid.is_full() {
            Some(End::draw(Reason::Full))
        } else {
            self.is_stuck(to_move).then(|| End::draw(Reason::NoMoves))
        }
    }

    /// The end if overlines are ignored: a capture may leave five of a longer row of the
    /// opponent. If the captor wins as well, by a five or by captures, the game is a tie.
    fn end_of_exact_fives(&self, ply: PlyEnd) -> Option<End> {
        let [own, others] = [ply.mover, !ply.mover].map(|color| self.lines(color));
        let captures = self.has_captured_enough(ply.mover);
        let wins = [!own.is_empty() || captures, !others.is_empty()];
        let colors = [ply.mover, !ply.mover].into_iter().zip(wins).filter(|(_, wins)| *wins);
        let winners: Vec<Color> = colors.map(|(color, _)| color).collect();
        if winners.is_empty() {
            return self.end_without_moves(ply.to_move);
        }
        let reason = match (own.is_empty() && others.is_empty(), captures) {
            (true, _) => Reason::Captures,
            (false, true) => Reason::LineAndCaptures,
            (false, false) => Reason::Line,
        };
        Some(End { winners, reason, lines: [own, others].concat() })
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

    fn check(&self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        free(&self.grid, cell)?;
        self.barrier(color, cell.into()).map_or(Ok(()), Err)
    }

    fn place(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.check(color, cell)?;
        let p = Point::from(cell);
        if self.fouls(color, cell).any() {
            self.fouled = Some(color);
        }
        self.grid.set(p, Some(Stone::Of(color)));
        // Both are found on the same board, before any stone is removed.
        let captures = self.captures(p, color);
        let poofed = if self.game.poof { self.poofed(p, color) } else { Vec::new() };
        self.captured[color.index()] += captures.len();
        self.captured[(!color).index()] += poofed.len();
        for gone in captures.into_iter().chain(poofed) {
            self.grid.set(gone, None);
        }
        Ok(())
    }

    fn set_up_stone(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        set_up_stone(&mut self.grid, color, cell)
    }

    fn settle(&mut self, next: Next) -> Result<Option<End>, Impossible> {
        let mover = !next.to_move;
        let last = next.last_of(mover, &self.grid);
        if let Some(p) = self.impossible_stone(last.map(|p| (p, mover))) {
            return Err(Impossible::Taken(label(&self.grid, p)));
        }
        for color in Color::ALL.into_iter().filter(|&color| self.game.forbids_overlines(color)) {
            let overline = self.grid.runs(color, FIVE + 1).into_iter().next();
            if let Some(run) = overline {
                return Err(Impossible::Overline(label(&self.grid, run.stones[0])));
            }
        }
        if self.game.overlines == Overlines::Ignored {
            // A capture may leave five of a longer row of the other side.
            return Ok(self.end_of_position(last, next));
        }
        check_makers(&self.rows(&self.grid), mover)?;
        newest(&self.grid, 1, last, &|grid| self.rows(grid))?;
        Ok(self.end_of_position(last, next))
    }

    fn end_ply(&mut self, ply: PlyEnd) -> Option<End> {
        if let Some(color) = self.fouled {
            // A capture may leave the opponent five of a longer row: lines come before fouls.
            let lines = self.lines(!color);
            let reason = if lines.is_empty() { Reason::Foul } else { Reason::Line };
            return Some(End { lines, ..End::won(!color, reason) });
        }
        if self.game.overlines == Overlines::Ignored {
            return self.end_of_exact_fives(ply);
        }
        // With overtime a five wins if it still stands after the answer.
        let judged = if self.game.boat { ply.to_move } else { ply.mover };
        let lines = self.lines(judged);
        let by_line = (!lines.is_empty()).then_some(judged);
        let by_captures = Color::ALL.into_iter().find(|&color| self.has_captured_enough(color));
        let end = |winners, reason| Some(End { winners, reason, lines });
        match (by_line, by_captures) {
            (None, None) => self.end_without_moves(ply.to_move),
            (None, Some(color)) => Some(End::won(color, Reason::Captures)),
            (Some(color), None) => end(vec![color], Reason::Line),
            // A five that survives the answer takes precedence over captures.
            (Some(color), Some(_)) if self.game.boat => end(vec![color], Reason::Line),
            (Some(color), Some(other)) if color == other => {
                end(vec![color], Reason::LineAndCaptures)
            }
            (Some(_), Some(_)) => end(Color::ALL.to_vec(), Reason::LineAndCaptures),
        }
    }

    fn fouls(&self, color: Color, cell: Cell) -> Fouls {
        let kinds = self.game.fouls(color);
        if !kinds.any() || free(&self.grid, cell).is_err() {
            return Fouls::NONE;
        }
        // A five takes precedence over a foul, and a foul over a win by captures.
        let p = Point::from(cell);
        let wins: fouls::Wins = if self.game.is_winning(color, FIVE + 1) {
            |_, row, _| row >= FIVE
        } else {
            |_, row, _| row == FIVE
        };
        let grid = Capturing { game: self.game, grid: self.grid.clone() };
        fouls::fouls(&grid, p, FoulRule { color, kinds, excuse: Excuse::None, wins })
    }

    fn captured(&self) -> [usize; 2] {
        self.captured
    }

    fn copy(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
