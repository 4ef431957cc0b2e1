//! The referee of Irensei: Go's captures, ko and suicide, seven in a row.

use crate::rules::referee::grid::{AXES, Axis, Content, Grid, Point, PointBoard, steps};
use crate::rules::referee::{
    End, FinalRow, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee, check_makers,
    final_rows, free, label, newest, set_up_stone, stone_at,
};
use crate::types::{Cell, Color, Stone};

/// Number of stones in a row that wins.
const SEVEN: usize = 7;
/// Number of rings at the edge whose points count for no seven.
pub(super) const RINGS: i32 = 2;

#[derive(Clone, Debug)]
pub(super) struct IrenseiReferee {
    grid: Grid,
    /// The stones of the ply in progress.
    placed: Vec<(Point, Color)>,
    /// The stones that they captured.
    captured: Vec<Point>,
    /// The point of the captured stone and the stone that captured it, if the last ply was one
    /// stone that captured exactly one.
    ko: Option<(Point, Point)>,
    /// Every position so far, with the seat to act.
    past: Vec<(Grid, usize)>,
}

/// The effect of a stone.
struct Effect {
    grid: Grid,
    captured: Vec<Point>,
    /// Whether the group of the stone has a liberty after the captures.
    lives: bool,
}

impl IrenseiReferee {
    pub(super) fn new(grid: Grid) -> IrenseiReferee {
        let past = vec![(grid.clone(), 0)];
        IrenseiReferee { grid, placed: Vec::new(), captured: Vec::new(), ko: None, past }
    }

    fn effect(&self, color: Color, p: Point) -> Effect {
        let mut grid = self.grid.with(p, color);
        let mut captured: Vec<Point> = Vec::new();
        for neighbour in neighbours(&grid, p) {
            if grid.is(neighbour, !color) && !captured.contains(&neighbour) {
                let group = group(&grid, neighbour);
                if !has_liberty(&grid, &group) {
                    captured.extend(group);
                }
            }
        }
        for &gone in &captured {
            grid.set(gone, None);
        }
        let lives = has_liberty(&grid, &group(&grid, p));
        Effect { grid, captured, lives }
    }
}

/// The four neighbours of a point on the board.
fn neighbours(grid: &Grid, p: Point) -> Vec<Point> {
    let is_orthogonal = |step: &Axis| step.is_orthogonal();
    let next = steps().filter(is_orthogonal).map(|step| grid.next(p, step));
    next.filter(|&q| grid.contains(q)).collect()
}

/// The stones connected to the one on a point.
fn group(grid: &Grid, p: Point) -> Vec<Point> {
    let mut group = vec![p];
    let mut next = 0;
    while next < group.len() {
        for q in neighbours(grid, group[next]) {
            if grid.at(q) == grid.at(p) && !group.contains(&q) {
                group.push(q);
            }
        }
        next += 1;
    }
    group
}

fn has_liberty(grid: &Grid, group: &[Point]) -> bool {
    let free = |&p: &Point| neighbours(grid, p).iter().any(|&q| grid.at(q) == Content::Empty);
    group.iter().any(free)
}

/// Whether the black stone on a point makes more than seven in a row anywhere.
fn is_overline(grid: &Grid, p: Point) -> bool {
    AXES.into_iter().any(|axis| grid.run(p, axis, Color::Black).len() > SEVEN)
}

/// Whether stones on a point count for sevens.
fn is_inner(grid: &Grid, p: &Point) -> bool {
    (RINGS..grid.width - RINGS).contains(&p.x) && (RINGS..grid.height - RINGS).contains(&p.y)
}

/// The winning sevens of a colour through one of its stones: inside the outer
/// rings, exactly seven for Black.
fn sevens(grid: &Grid, p: Point, color: Color) -> Vec<Vec<Cell>> {
    let inner = |p: &Point| is_inner(grid, p);
    let mut lines = Vec::new();
    for axis in AXES {
        let run = grid.run(p, axis, color).stones;
        let inside: Vec<Point> = run.into_iter().filter(inner).collect();
        let long = inside.len() > SEVEN && color == Color::White;
        if inside.contains(&p) && (inside.len() == SEVEN || long) {
            lines.push(inside.into_iter().map(Cell::from).collect());
        }
    }
    lines
}

/// Whether a stone on the board wins at once.
fn wins(grid: &Grid, p: Point, color: Color) -> bool {
    let foul = color == Color::Black && is_overline(grid, p);
    !foul && !sevens(grid, p, color).is_empty()
}

/// The rows of a board that end the game: winning sevens, and Black's
/// overlines.
fn rows(grid: &Grid) -> Vec<FinalRow> {
    let mut rows = final_rows(grid, SEVEN);
    rows.retain(|row| {
        let inside = row.stones.iter().filter(|p| is_inner(grid, p)).count();
        match row.maker {
            Color::Black => inside == SEVEN || row.stones.len() > SEVEN,
            Color::White => inside >= SEVEN,
        }
    });
    rows
}

impl IrenseiReferee {
    /// A stone of a group without a liberty, other than the group of the newest stone.
    fn dead(&self, newest: Option<Point>) -> Option<Point> {
        let of_newest = newest.map_or_else(Vec::new, |p| group(&self.grid, p));
        let stones = self.grid.points().filter(|&p| self.grid.at(p) != Content::Empty);
        let mut others = stones.filter(|p| !of_newest.contains(p));
        others.find(|&p| !has_liberty(&self.grid, &group(&self.grid, p)))
    }
}

impl Referee for IrenseiReferee {
    fn stone(&self, cell: Cell) -> Option<Stone> {
        stone_at(&self.grid, cell)
    }

    fn check(&self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        free(&self.grid, cell)?;
        let p = Point::from(cell);
        let effect = self.effect(color, p);
        if !effect.lives && !wins(&effect.grid, p, color) {
            return Err(IllegalMove::Suicide);
        }
        match self.ko {
            Some((vacated, taker)) if vacated == p && effect.captured == [taker] => {
                Err(IllegalMove::Ko)
            }
            _ => Ok(()),
        }
    }

    fn place(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.check(color, cell)?;
        let effect = self.effect(color, cell.into());
        self.grid = effect.grid;
        self.captured.extend(effect.captured);
        self.placed.push((cell.into(), color));
        Ok(())
    }

    fn set_up_stone(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        set_up_stone(&mut self.grid, color, cell)?;
        // The position that a game begins with must not be repeated.
        self.past = vec![(self.grid.clone(), 0)];
        Ok(())
    }

    fn settle(&mut self, next: Next) -> Result<Option<End>, Impossible> {
        let mover = !next.to_move;
        let last = next.last_of(mover, &self.grid);
        let found = rows(&self.grid);
        check_makers(&found, mover)?;
        let newest = newest(&self.grid, 1, last, &rows)?.first().copied();
        // A winning stone may be without a liberty.
        if let Some(p) = self.dead(newest.filter(|&p| wins(&self.grid, p, mover))) {
            return Err(Impossible::NoLiberty(label(&self.grid, p)));
        }
        self.past.clear();
        self.placed = newest.map(|p| (p, mover)).into_iter().collect();
        Ok(self.end_ply(PlyEnd { mover, to_move: next.to_move, seat: 0 }))
    }

    fn end_ply(&mut self, ply: PlyEnd) -> Option<End> {
        let placed = std::mem::take(&mut self.placed);
        let captured = std::mem::take(&mut self.captured);
        self.ko = match (&placed[..], &captured[..]) {
            (&[(taker, _)], &[vacated]) => Some((vacated, taker)),
            _ => None,
        };
        if let [(p, color)] = placed[..] {
            if color == Color::Black && is_overline(&self.grid, p) {
                return Some(End::won(Color::White, Reason::Overline));
            }
            let lines = sevens(&self.grid, p, color);
            if !lines.is_empty() {
                return Some(End { lines, ..End::won(color, Reason::Line) });
            }
        }
        if self.grid.is_full() {
            return Some(End::draw(Reason::Full));
        }
        let now = (self.grid.clone(), ply.seat);
        if self.past.contains(&now) {
            return Some(End::won(!ply.mover, Reason::Repetition));
        }
        self.past.push(now);
        None
    }

    fn copy(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
