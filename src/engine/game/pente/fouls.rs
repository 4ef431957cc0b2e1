//! Renju's fouls in games with captures, found by placing stones on a copy of the board and
//! removing the stones that they capture. Definitions: as in `board/foul.rs`.

use super::{FIVE, Pente};
use goren_core::rules;
use goren_core::types::{Cell, Color, DIRECTIONS, Direction, MAX_SIDE};

/// Minimum number of own stones on the lines through a cell for a foul there.
const MIN_STONES: usize = 4;
/// Maximum distance of these stones.
const REACH: usize = FIVE;

/// A copy of the board with a border around it, from the view of one colour.
#[derive(Clone)]
struct Scratch {
    game: rules::Pente,
    color: Color,
    /// Contents of the points, by row and column; `Outside` on the border.
    cells: [[Content; MAX_SIDE + 2]; MAX_SIDE + 2],
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Content {
    Outside,
    Empty,
    Own,
    Enemy,
}

/// Column and row, counted from 1.
type Point = (usize, usize);

fn step(at: Point, direction: Direction, sign: i32) -> Point {
    let (dx, dy) = direction.steps();
    let moved = |from: usize, by: i32| (from as i32 + sign * by) as usize;
    (moved(at.0, dx), moved(at.1, dy))
}

impl Pente {
    /// Whether a stone of a colour on an empty cell would be a foul.
    pub(super) fn is_foul(&self, cell: Cell, color: Color) -> bool {
        if !self.game.fouls(color).any() || self.is_sparse(cell, color) {
            return false;
        }
        let board = &self.lines.board;
        let (width, height) = (board.geometry().width(), board.geometry().height());
        let mut cells = [[Content::Outside; MAX_SIDE + 2]; MAX_SIDE + 2];
        for y in 0..height {
            for x in 0..width {
                cells[y + 1][x + 1] = match board.color(Cell::new(x, y)) {
                    None => Content::Empty,
                    Some(owner) if owner == color => Content::Own,
                    Some(_) => Content::Enemy,
                };
            }
        }
        let scratch = Scratch { game: self.game, color, cells };
        scratch.is_foul((cell.x() + 1, cell.y() + 1))
    }

    /// Whether the lines through a cell hold too few own stones for a foul there.
    fn is_sparse(&self, cell: Cell, color: Color) -> bool {
        let board = &self.lines.board;
        let mut stones = 0;
        for heading in 0..8 {
            let mut at = cell;
            for _ in 0..REACH {
                at = board.geometry().neighbours(at)[heading];
                stones += usize::from(board.is(at, color));
            }
        }
        stones < MIN_STONES
    }
}

impl Scratch {
    fn at(&self, (x, y): Point) -> Content {
        self.cells[y][x]
    }

    /// Returns the board after an own stone on a point and its captures.
    fn with(&self, point: Point) -> Scratch {
        let mut next = self.clone();
        next.cells[point.1][point.0] = Content::Own;
        for direction in DIRECTIONS {
            for sign in [1, -1] {
                let mut between = Vec::new();
                let mut at = step(point, direction, sign);
                while self.at(at) == Content::Enemy {
                    between.push(at);
                    at = step(at, direction, sign);
                }
                if (2..=self.game.most()).contains(&between.len()) && self.at(at) == Content::Own {
                    for (x, y) in between {
                        next.cells[y][x] = Content::Empty;
                    }
                }
            }
        }
        next
    }

    /// Returns the first points on both sides of a point that are not own stones, and the
    /// number of own stones between them, without the point itself.
    fn run(&self, point: Point, direction: Direction) -> ([Point; 2], usize) {
        let mut stones = 0;
        let ends = [1, -1].map(|sign| {
            let mut at = step(point, direction, sign);
            while self.at(at) == Content::Own {
                stones += 1;
                at = step(at, direction, sign);
            }
            at
        });
        (ends, stones)
    }

    /// Whether the own stone on a point is part of a winning row along a direction.
    fn is_five(&self, point: Point, direction: Direction) -> bool {
        self.game.is_winning(self.color, 1 + self.run(point, direction).1)
    }

    fn makes_five(&self, point: Point) -> bool {
        DIRECTIONS.into_iter().any(|direction| self.is_five(point, direction))
    }

    /// Counts the fours that the own stone on a point makes along a direction: empty ends of
    /// its row that complete a five. Two ends of a row of four are one straight four.
    fn fours(&self, point: Point, direction: Direction) -> usize {
        let (ends, stones) = self.run(point, direction);
        let completes =
            |&end: &Point| self.at(end) == Content::Empty && self.is_five(end, direction);
        let fours = ends.iter().filter(|end| completes(end)).count();
        if fours == 2 && stones == 3 { 1 } else { fours }
    }

    fn has_straight_four(&self, point: Point, direction: Direction) -> bool {
        let (ends, stones) = self.run(point, direction);
        let completes = |end: Point| self.at(end) == Content::Empty && self.is_five(end, direction);
        stones == 3 && ends.into_iter().all(completes)
    }

    /// Whether the own stone on a point makes a three along a direction.
    fn has_three(&self, point: Point, direction: Direction) -> bool {
        self.run(point, direction).0.into_iter().any(|next| {
            if self.at(next) != Content::Empty {
                return false;
            }
            let after = self.with(next);
            after.has_straight_four(next, direction)
                && !after.makes_five(next)
                && !self.is_foul(next)
        })
    }

    /// Whether an own stone on an empty point is a foul.
    fn is_foul(&self, point: Point) -> bool {
        let kinds = self.game.fouls(self.color);
        let after = self.with(point);
        if after.makes_five(point) {
            return false;
        }
        let fours = DIRECTIONS.map(|direction| after.fours(point, direction));
        let has_overline = || DIRECTIONS.iter().any(|&d| after.run(point, d).1 >= FIVE);
        let threes = || {
            let open = DIRECTIONS.iter().zip(fours).filter(|&(_, fours)| fours == 0);
            open.filter(|&(&direction, _)| after.has_three(point, direction)).count()
        };
        kinds.overline && has_overline()
            || kinds.double_four && fours.iter().sum::<usize>() >= 2
            || kinds.double_three && threes() >= 2
    }
}
