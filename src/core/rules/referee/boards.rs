//! The boards of all games, empty or with stones.

use super::game::{End, Referee};
use super::unordered::{Impossible, Next};
use crate::rules::Contest;
use crate::types::{Cell, Color, Stone};

/// The empty board of a game.
pub fn referee(contest: &Contest) -> Box<dyn Referee> {
    contest.variant.referee(contest.width, contest.height)
}

/// Judges a position of stones and walls in unknown order: returns its board, and the end of the
/// game if it is over.
///
/// # Errors
/// The reason why no game leads to the position.
pub(crate) fn judge_position(
    contest: &Contest,
    stones: &[(Cell, Stone)],
    next: Next,
) -> Result<(Box<dyn Referee>, Option<End>), Impossible> {
    let mut board = set_up_position(contest, stones)?;
    let end = board.settle(next)?;
    Ok((board, end))
}

/// Judges a list of stones and walls. If its colours alternate, it is taken for a game in its
/// order: then its last stone may be a foul. In any other list the last stone is unknown.
///
/// # Errors
/// The reason why no game leads to the position.
pub(crate) fn judge_list(
    contest: &Contest,
    stones: &[(Cell, Stone)],
    to_move: Color,
) -> Result<(Box<dyn Referee>, Option<End>), Impossible> {
    match judge_position(contest, stones, Next::after(stones, to_move)) {
        Err(Impossible::NotLast) => judge_position(contest, stones, Next::new(to_move)),
        board => board,
    }
}

/// Sets up stones and walls on a board without judging them.
///
/// # Errors
/// A point is outside or occupied, or the game has no walls.
pub(crate) fn set_up_position(
    contest: &Contest,
    stones: &[(Cell, Stone)],
) -> Result<Box<dyn Referee>, Impossible> {
    let mut board = referee(contest);
    for &(cell, stone) in stones {
        match stone {
            Stone::Of(color) => board.set_up_stone(color, cell)?,
            Stone::Wall => board.set_up_wall(cell)?,
        }
    }
    Ok(board)
}
