//! The boards of all games, empty or with stones.

use super::game::{End, Referee};
use super::unordered::{Impossible, Next};
use crate::rules::Contest;
use crate::types::{Cell, Color, Stone};

/// The empty board of a game.
pub fn referee(contest: &Contest) -> Box<dyn Referee> {
    contest.variant.referee(contest.width, contest.height)
}

/// The board of a game with stones and walls in no known order, and how the game ended
/// with them if it did.
///
/// # Errors
/// Why no game leads to them.
pub(crate) fn laid(
    contest: &Contest,
    stones: &[(Cell, Stone)],
    next: Next,
) -> Result<(Box<dyn Referee>, Option<End>), Impossible> {
    let mut board = unjudged(contest, stones)?;
    let end = board.settle(next)?;
    Ok((board, end))
}

/// The board of a game with the stones and walls of a list. A list whose colours take
/// turns is taken for a game in its order: then its last stone may be a foul. Of any
/// other list it is not known which stone came last.
///
/// # Errors
/// Why no game leads to them.
pub(crate) fn listed(
    contest: &Contest,
    stones: &[(Cell, Stone)],
    to_move: Color,
) -> Result<(Box<dyn Referee>, Option<End>), Impossible> {
    match laid(contest, stones, Next::after(stones, to_move)) {
        Err(Impossible::NotLast) => laid(contest, stones, Next::new(to_move)),
        board => board,
    }
}

/// The board of a game with stones and walls that are not judged.
///
/// # Errors
/// A point that is outside or occupied, or a wall in a game without walls.
pub(crate) fn unjudged(
    contest: &Contest,
    stones: &[(Cell, Stone)],
) -> Result<Box<dyn Referee>, Impossible> {
    let mut board = referee(contest);
    for &(cell, stone) in stones {
        match stone {
            Stone::Of(color) => board.lay(color, cell)?,
            Stone::Wall => board.lay_wall(cell)?,
        }
    }
    Ok(board)
}
