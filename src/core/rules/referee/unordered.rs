//! Positions without their moves: stones as they stand, in no known order.
//!
//! As the order of the stones is unknown, fouls that depend on it are not judged: a shape
//! that is a foul in one order is legal in another. But a game ends with the turn that
//! makes a final row (one that wins, or a forbidden overline). So all final rows on the
//! board must have been made by the last turn.

use super::grid::{Grid, Point};
use super::illegal_move::IllegalMove;
use crate::types::{Cell, Color, Stone};

/// The state of a position without a history, besides its stones.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Next {
    /// Who is to move.
    pub to_move: Color,
    /// How many stones it still has to place in its turn.
    pub left: usize,
    /// The stone that was placed last, if that is known.
    pub last: Option<Cell>,
}

impl Next {
    /// A colour is to move; nothing else is known.
    pub fn new(to_move: Color) -> Next {
        Next { to_move, left: 1, last: None }
    }

    /// A colour is to move after a list of stones. One whose colours take turns is taken
    /// for a game in its order; walls were stones of either colour.
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
}

/// The reason why no game leads to some stones.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Impossible {
    /// A stone off the board or on another one.
    #[error(transparent)]
    Stone(#[from] IllegalMove),
    /// Two games ended on one board.
    #[error("both sides have a row that ends the game")]
    Both,
    /// A stone was placed after the end of the game.
    #[error("a row of the side to move had ended the game before the other side's last move")]
    Late,
    /// More rows than a turn can make.
    #[error("one turn cannot have made all the rows that end the game")]
    Several,
    /// The stone that is said to be the newest is not.
    #[error("the game was over before the last stone was placed")]
    NotLast,
    /// A wall where only stones can stand.
    #[error("this game has no walls")]
    Wall,
    /// A piece in the air.
    #[error("no piece can have come to rest at {0}")]
    Floating(String),
    /// A group that would have been taken.
    #[error("the stones at {0} have no liberty")]
    NoLiberty(String),
    /// A pair that would have been taken.
    #[error("the stones at {0} would have been taken off the board")]
    Taken(String),
    /// A row that must not be made.
    #[error("the rules forbid the row at {0}")]
    Overline(String),
    /// A line that would have been cleared.
    #[error("a full line would have been cleared")]
    FullLine,
}

/// A row that ends the game where it stands.
pub(in crate::rules) struct FinalRow {
    /// The colour of its stones.
    pub(in crate::rules) maker: Color,
    pub(in crate::rules) stones: Vec<Point>,
}

/// Whether all rows that end the game are of the side that has just moved.
///
/// # Errors
/// They are not.
pub(in crate::rules) fn check_makers(rows: &[FinalRow], mover: Color) -> Result<(), Impossible> {
    let made = |color| rows.iter().any(|row| row.maker == color);
    match (made(mover), made(!mover)) {
        (_, false) => Ok(()),
        (true, true) => Err(Impossible::Both),
        (false, true) => Err(Impossible::Late),
    }
}

/// Stones of one turn, at most `most`, without which no row that ends the
/// game is left; `last` is one of them if it is known.
pub(in crate::rules) fn newest(
    grid: &Grid,
    most: usize,
    last: Option<Point>,
    rows: &dyn Fn(&Grid) -> Vec<FinalRow>,
) -> Option<Vec<Point>> {
    if let Some(p) = last {
        let mut turn = newest(&without(grid, p), most - 1, None, rows)?;
        turn.push(p);
        return Some(turn);
    }
    let left = rows(grid);
    let Some(row) = left.first() else { return Some(Vec::new()) };
    if most == 0 {
        return None;
    }
    row.stones.iter().find_map(|&p| {
        let mut turn = newest(&without(grid, p), most - 1, None, rows)?;
        turn.push(p);
        Some(turn)
    })
}

pub(in crate::rules) fn without(grid: &Grid, p: Point) -> Grid {
    let mut grid = grid.clone();
    grid.set(p, None);
    grid
}
