//! The boards of all games, empty or with stones.

use super::game::{End, Referee};
use super::unordered::{Impossible, Next};
use crate::rules::Contest;
use crate::types::{Cell, Color};

/// The empty board of a game.
pub fn referee(contest: &Contest) -> Box<dyn Referee> {
    contest.variant.referee(contest.width, contest.height)
}

/// The board of a game with stones in no known order, and how the game ended
/// with them if it did.
///
/// # Errors
/// Why no game leads to them.
pub fn laid(
    contest: &Contest,
    stones: &[(Cell, Color)],
    next: Next,
) -> Result<(Box<dyn Referee>, Option<End>), Impossible> {
    let mut board = referee(contest);
    for &(cell, color) in stones {
        board.lay(color, cell)?;
    }
    let end = board.settle(next)?;
    Ok((board, end))
}
