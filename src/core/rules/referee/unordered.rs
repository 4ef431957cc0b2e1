//! Positions of unknown move order.
//!
//! Fouls that depend on the order of the stones are not judged: a shape that is a foul in one
//! order is legal in another. But a game ends with the turn that makes a final row (a row that
//! wins, or a forbidden overline). So the last turn must have made all final rows on the board.

use super::grid::{Grid, Point, PointBoard};
use super::illegal_move::IllegalMove;
use crate::types::{Cell, Color, Stone};

/// The state of a position without a history, besides its stones.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Next {
    /// The side to move.
    pub to_move: Color,
    /// Number of stones that it still has to place in its turn.
    pub left: usize,
    /// The stone that was placed last, if known.
    pub last: Option<Cell>,
}

impl Next {
    /// A colour is to move; nothing else is known.
    pub fn new(to_move: Color) -> Next {
        Next { to_move, left: 1, last: None }
    }

    /// A colour is to move after a list of stones. If the colours of the list alternate, it is
    /// taken for a game in its order; a wall may have been a stone of either colour.
    pub(super) fn after(stones: &[(Cell, Stone)], to_move: Color) -> Next {
        let turns = [!to_move, to_move].into_iter().cycle();
        let fits = |(&(_, stone), color)| match stone {
            Stone::Of(own) => own == color,
            Stone::Wall => true,
        };
        let in_order = stones.iter().rev().zip(turns).all(fits);
        let last = stones.last().filter(|_| in_order).map(|&(cell, _)| cell);
        Next { last, ..Next::new(to_move) }
    }

    /// The last stone, if it is known and one of `mover`.
    pub(in crate::rules) fn last_of(self, mover: Color, grid: &Grid) -> Option<Point> {
        self.last.map(Point::from).filter(|&p| grid.is(p, mover))
    }
}

/// The reason why no game leads to a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Impossible {
    /// A stone off the board or on another one.
    #[error(transparent)]
    Stone(#[from] IllegalMove),
    /// Both sides have a row that ends the game.
    #[error("both sides have a row that ends the game")]
    Both,
    /// A stone was placed after the end of the game.
    #[error("a row of the side to move had ended the game before the other side's last move")]
    Late,
    /// More rows than a turn can make.
    #[error("one turn cannot have made all the rows that end the game")]
    Several,
    /// The stone given as the last one cannot have been the last.
    #[error("the game was over before the last stone was placed")]
    NotLast,
    /// A wall in a game without walls.
    #[error("this game has no walls")]
    Wall,
    /// A piece where none can have come to rest.
    #[error("no piece can have come to rest at {0}")]
    Floating(String),
    /// A group that would have been captured.
    #[error("the stones at {0} have no liberty")]
    NoLiberty(String),
    /// Stones between two opponent stones that would have been captured.
    #[error("the stones at {0} would have been taken off the board")]
    Taken(String),
    /// A row that must not be made.
    #[error("the rules forbid the row at {0}")]
    Overline(String),
    /// A line that would have been cleared.
    #[error("a full line would have been cleared")]
    FullLine,
}

/// A row that ends the game.
pub(in crate::rules) struct FinalRow {
    /// The colour of its stones.
    pub(in crate::rules) maker: Color,
    pub(in crate::rules) stones: Vec<Point>,
}

/// All runs of at least `least` stones as rows that end the game, where all of them do.
pub(in crate::rules) fn final_rows(grid: &Grid, least: usize) -> Vec<FinalRow> {
    let of = |maker| {
        let runs = grid.runs(maker, least).into_iter();
        runs.map(move |run| FinalRow { maker, stones: run.stones.to_vec() })
    };
    Color::ALL.into_iter().flat_map(of).collect()
}

/// Checks that all rows that end the game belong to the side that has just moved.
///
/// # Errors
/// A row belongs to the other side.
pub(in crate::rules) fn check_makers(rows: &[FinalRow], mover: Color) -> Result<(), Impossible> {
    let has_row = |color| rows.iter().any(|row| row.maker == color);
    match (has_row(mover), has_row(!mover)) {
        (_, false) => Ok(()),
        (true, true) => Err(Impossible::Both),
        (false, true) => Err(Impossible::Late),
    }
}

/// Stones that may have been the last turn: at most `max_stones` stones, among them `last` if it
/// is known, without which no row ends the game.
///
/// # Errors
/// There are no such stones.
pub(in crate::rules) fn newest(
    grid: &Grid,
    max_stones: usize,
    last: Option<Point>,
    rows: &dyn Fn(&Grid) -> Vec<FinalRow>,
) -> Result<Vec<Point>, Impossible> {
    match last {
        Some(p) => turn_with(p, grid, max_stones, rows).ok_or(Impossible::NotLast),
        None => turn(grid, max_stones, rows).ok_or(Impossible::Several),
    }
}

/// As [`newest`] without a known last stone; `None` if there are no such stones.
fn turn(
    grid: &Grid,
    max_stones: usize,
    rows: &dyn Fn(&Grid) -> Vec<FinalRow>,
) -> Option<Vec<Point>> {
    let remaining = rows(grid);
    let Some(row) = remaining.first() else { return Some(Vec::new()) };
    if max_stones == 0 {
        return None;
    }
    row.stones.iter().find_map(|&p| turn_with(p, grid, max_stones, rows))
}

/// As [`turn`], with `p` as one of the stones.
fn turn_with(
    p: Point,
    grid: &Grid,
    max_stones: usize,
    rows: &dyn Fn(&Grid) -> Vec<FinalRow>,
) -> Option<Vec<Point>> {
    let mut turn = turn(&without(grid, p), max_stones - 1, rows)?;
    turn.push(p);
    Some(turn)
}

pub(in crate::rules) fn without(grid: &Grid, p: Point) -> Grid {
    let mut grid = grid.clone();
    grid.set(p, None);
    grid
}
