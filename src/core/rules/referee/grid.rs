//! A plain grid of points with runs along it. Contains no rules.

use std::borrow::Cow;
use std::cell::RefCell;

use smallvec::{SmallVec, smallvec};

use crate::types::{Cell, CellSet, Color, MAX_SIDE, Stone};

/// A point: column from the left and row from the top. May lie off the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::rules) struct Point {
    pub(in crate::rules) x: i32,
    pub(in crate::rules) y: i32,
}

/// A step along an axis.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::rules) struct Axis {
    dx: i32,
    dy: i32,
}

/// Row, column and the two diagonals.
pub(in crate::rules) const AXES: [Axis; 4] =
    [Axis { dx: 1, dy: 0 }, Axis { dx: 0, dy: 1 }, Axis { dx: 1, dy: 1 }, Axis { dx: 1, dy: -1 }];

impl Axis {
    /// A step by columns to the right and rows down.
    pub(in crate::rules) const fn new(dx: i32, dy: i32) -> Axis {
        Axis { dx, dy }
    }

    /// Whether the step leads along a row or a column.
    pub(in crate::rules) const fn is_orthogonal(self) -> bool {
        self.dx == 0 || self.dy == 0
    }

    /// The opposite step.
    pub(in crate::rules) fn reversed(self) -> Axis {
        Axis { dx: -self.dx, dy: -self.dy }
    }
}

/// The eight steps to a neighbour: each axis both ways.
pub(in crate::rules) fn steps() -> impl Iterator<Item = Axis> {
    AXES.into_iter().flat_map(|axis| [axis, axis.reversed()])
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Point {
        Point { x: cell.x() as i32, y: cell.y() as i32 }
    }
}

impl From<Point> for Cell {
    fn from(point: Point) -> Cell {
        Cell::new(point.x as usize, point.y as usize)
    }
}

/// The content of a point.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::rules) enum Content {
    /// Not on the board.
    Outside,
    /// On the board and free.
    Empty,
    /// A stone or a dead cell.
    Filled(Stone),
}

/// An unbroken run of one colour and the points just beyond it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::rules) struct Run {
    /// The stones, in the order of the axis.
    pub(in crate::rules) stones: SmallVec<[Point; 6]>,
    /// The points next to the first and to the last stone.
    pub(in crate::rules) ends: [Point; 2],
}

impl Run {
    pub(in crate::rules) fn len(&self) -> usize {
        self.stones.len()
    }

    /// The cells of the stones, from one end to the other.
    pub(in crate::rules) fn cells(&self) -> Vec<Cell> {
        self.stones.iter().map(|&p| Cell::from(p)).collect()
    }
}

/// The points of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::rules) struct Grid {
    pub(in crate::rules) width: i32,
    pub(in crate::rules) height: i32,
    /// Whether opposite edges are joined.
    torus: bool,
    /// Row by row, without gaps; the rest of the array is unused.
    points: [Option<Stone>; MAX_SIDE * MAX_SIDE],
}

impl Grid {
    pub(in crate::rules) fn new(width: usize, height: usize) -> Grid {
        let points = [None; MAX_SIDE * MAX_SIDE];
        Grid { width: width as i32, height: height as i32, torus: false, points }
    }

    /// A board without edges.
    pub(in crate::rules) fn torus(width: usize, height: usize) -> Grid {
        Grid { torus: true, ..Grid::new(width, height) }
    }

    pub(in crate::rules) fn contains(&self, p: Point) -> bool {
        (0..self.width).contains(&p.x) && (0..self.height).contains(&p.y)
    }

    /// All points, row by row from the top.
    pub(in crate::rules) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let width = self.width;
        (0..width * self.height).map(move |i| Point { x: i % width, y: i / width })
    }

    /// The empty points, row by row from the top.
    pub(in crate::rules) fn empty(&self) -> impl Iterator<Item = Point> {
        self.points().filter(|&p| self.at(p) == Content::Empty)
    }

    /// Sets the content of a point of the board.
    pub(in crate::rules) fn set(&mut self, p: Point, content: Option<Stone>) {
        let index = self.index(p);
        self.points[index] = content;
    }

    pub(in crate::rules) fn is_full(&self) -> bool {
        self.points[..(self.width * self.height) as usize].iter().all(Option::is_some)
    }

    /// All runs of a colour of at least `least` stones, each once.
    pub(in crate::rules) fn runs(&self, color: Color, least: usize) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for axis in AXES {
            let mut seen: Vec<Point> = Vec::new();
            for p in self.points().filter(|&p| self.is(p, color)) {
                if !seen.contains(&p) {
                    let run = self.run(p, axis, color);
                    seen.extend_from_slice(&run.stones);
                    runs.extend((run.len() >= least).then_some(run));
                }
            }
        }
        runs
    }

    fn index(&self, p: Point) -> usize {
        (p.y * self.width + p.x) as usize
    }
}

/// A board that can be read point by point.
pub(in crate::rules) trait PointBoard: Sized {
    /// The content of a point.
    fn at(&self, p: Point) -> Content;

    /// The next point along an axis; off the board beyond an edge.
    fn next(&self, p: Point, axis: Axis) -> Point;

    /// A copy with one more stone.
    fn with(&self, p: Point, color: Color) -> Self;

    /// Whether a stone of a colour is there.
    fn is(&self, p: Point, color: Color) -> bool {
        self.at(p) == Content::Filled(Stone::Of(color))
    }

    /// The longest unbroken run of a colour through one of its stones. On a
    /// torus a run ends where it meets its beginning.
    fn run(&self, p: Point, axis: Axis, color: Color) -> Run {
        debug_assert!(self.is(p, color));
        let mut first = p;
        loop {
            let before = self.next(first, axis.reversed());
            if before == p || !self.is(before, color) {
                break;
            }
            first = before;
        }
        let mut stones = smallvec![first];
        let mut after = self.next(first, axis);
        while after != first && self.is(after, color) {
            stones.push(after);
            after = self.next(after, axis);
        }
        Run { stones, ends: [self.next(first, axis.reversed()), after] }
    }

    /// The length of the run through `p` with a stone of a colour there.
    fn length_with(&self, p: Point, axis: Axis, color: Color) -> usize {
        let stones = |axis: Axis| {
            let mut at = self.next(p, axis);
            let mut stones = 0;
            while at != p && self.is(at, color) {
                at = self.next(at, axis);
                stones += 1;
            }
            stones
        };
        1 + stones(axis) + stones(axis.reversed())
    }
}

impl PointBoard for Grid {
    fn at(&self, p: Point) -> Content {
        if !self.contains(p) {
            return Content::Outside;
        }
        match self.points[self.index(p)] {
            None => Content::Empty,
            Some(stone) => Content::Filled(stone),
        }
    }

    fn next(&self, p: Point, axis: Axis) -> Point {
        let (x, y) = (p.x + axis.dx, p.y + axis.dy);
        if self.torus {
            Point { x: x.rem_euclid(self.width), y: y.rem_euclid(self.height) }
        } else {
            Point { x, y }
        }
    }

    fn with(&self, p: Point, color: Color) -> Grid {
        let mut grid = self.clone();
        grid.set(p, Some(Stone::Of(color)));
        grid
    }
}

/// A grid that records which empty points are read.
pub(in crate::rules) struct Watched<'a> {
    grid: Cow<'a, Grid>,
    seen: &'a RefCell<CellSet>,
}

impl<'a> Watched<'a> {
    /// A grid that records in `seen` the empty points that are read.
    pub(in crate::rules) fn new(grid: &'a Grid, seen: &'a RefCell<CellSet>) -> Watched<'a> {
        Watched { grid: Cow::Borrowed(grid), seen }
    }
}

impl PointBoard for Watched<'_> {
    fn at(&self, p: Point) -> Content {
        let content = self.grid.at(p);
        if content == Content::Empty {
            self.seen.borrow_mut().insert(p.into());
        }
        content
    }

    fn next(&self, p: Point, axis: Axis) -> Point {
        self.grid.next(p, axis)
    }

    fn with(&self, p: Point, color: Color) -> Self {
        // The point has a stone from now on, but the verdict depends on it: it had to be empty.
        self.seen.borrow_mut().insert(p.into());
        Watched { grid: Cow::Owned(self.grid.with(p, color)), seen: self.seen }
    }
}
