//! A plain grid of points with runs along it. Knows no rule.

use crate::types::{Cell, Color, Stone};

/// A point: column from the left and row from the top. May lie off the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

/// A step along an axis.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    dx: i32,
    dy: i32,
}

/// Row, column and the two diagonals.
pub(super) const AXES: [Axis; 4] =
    [Axis { dx: 1, dy: 0 }, Axis { dx: 0, dy: 1 }, Axis { dx: 1, dy: 1 }, Axis { dx: 1, dy: -1 }];

impl Axis {
    /// The same axis walked the other way.
    fn reversed(self) -> Axis {
        Axis { dx: -self.dx, dy: -self.dy }
    }
}

impl Point {
    fn next(self, axis: Axis) -> Point {
        Point { x: self.x + axis.dx, y: self.y + axis.dy }
    }
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

/// What is at a point.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// Not on the board.
    Outside,
    /// On the board and free.
    Empty,
    /// A stone or a dead cell.
    Filled(Stone),
}

/// An unbroken run of one colour and the points just beyond it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Run {
    /// The stones, in the order of the axis.
    pub(super) stones: Vec<Point>,
    /// The points next to the first and to the last stone.
    pub(super) ends: [Point; 2],
}

impl Run {
    pub(super) fn len(&self) -> usize {
        self.stones.len()
    }
}

/// The points of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    width: i32,
    height: i32,
    points: Vec<Option<Stone>>,
}

impl Grid {
    pub(super) fn new(width: usize, height: usize) -> Grid {
        Grid { width: width as i32, height: height as i32, points: vec![None; width * height] }
    }

    pub(super) fn at(&self, p: Point) -> Content {
        if !(0..self.width).contains(&p.x) || !(0..self.height).contains(&p.y) {
            return Content::Outside;
        }
        match self.points[self.index(p)] {
            None => Content::Empty,
            Some(stone) => Content::Filled(stone),
        }
    }

    /// Writes a point of the board.
    pub(super) fn set(&mut self, p: Point, content: Option<Stone>) {
        let index = self.index(p);
        self.points[index] = content;
    }

    /// A copy with one more stone.
    pub(super) fn with(&self, p: Point, color: Color) -> Grid {
        let mut grid = self.clone();
        grid.set(p, Some(Stone::Of(color)));
        grid
    }

    pub(super) fn is_full(&self) -> bool {
        self.points.iter().all(Option::is_some)
    }

    pub(super) fn is(&self, p: Point, color: Color) -> bool {
        self.at(p) == Content::Filled(Stone::Of(color))
    }

    /// The longest unbroken run of a colour through one of its stones.
    pub(super) fn run(&self, p: Point, axis: Axis, color: Color) -> Run {
        debug_assert!(self.is(p, color));
        let mut first = p;
        while self.is(first.next(axis.reversed()), color) {
            first = first.next(axis.reversed());
        }
        let mut stones = vec![first];
        let mut after = first.next(axis);
        while self.is(after, color) {
            stones.push(after);
            after = after.next(axis);
        }
        Run { stones, ends: [first.next(axis.reversed()), after] }
    }

    fn index(&self, p: Point) -> usize {
        (p.y * self.width + p.x) as usize
    }
}
