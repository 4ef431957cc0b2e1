//! Board sizes: parsing, and defaults if a file gives none.

use crate::rules::{Contest, RuleId, Variant, read_size_or_side};
use crate::types::{MAX_SIDE, MIN_SIDE};

/// Returns the usual board of a game; 15x15 if the game is unknown.
pub fn usual_size(variant: Option<Variant>) -> (usize, usize) {
    let contest = Contest::new(variant.unwrap_or(Variant::Five(RuleId::Freestyle)));
    (contest.width, contest.height)
}

/// Parses columns and rows of a text such as `15` or `20x15`; `None` if the size is not supported.
pub(super) fn board_size(text: &str) -> Option<(usize, usize)> {
    let is_side = |side: usize| (MIN_SIDE..=MAX_SIDE).contains(&side);
    read_size_or_side(text).filter(|&(width, height)| is_side(width) && is_side(height))
}
