//! Sizes of boards: as files write them, and where files do not say them.

use crate::rules::{Contest, RuleId, Variant, read_size_or_side};
use crate::types::{MAX_SIDE, MIN_SIDE};

/// The board of a game where a file does not say it: the usual one, or 15x15
/// where the game is not known either.
pub fn usual_size(variant: Option<Variant>) -> (usize, usize) {
    let contest = Contest::new(variant.unwrap_or(Variant::Five(RuleId::Freestyle)));
    (contest.width, contest.height)
}

/// Columns and rows of a text such as `15` or `20x15`, if there is such a board.
pub(super) fn board_size(text: &str) -> Option<(usize, usize)> {
    let is_side = |side: usize| (MIN_SIDE..=MAX_SIDE).contains(&side);
    read_size_or_side(text).filter(|&(width, height)| is_side(width) && is_side(height))
}
