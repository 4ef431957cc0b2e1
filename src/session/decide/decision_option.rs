//! An option of a decision in an opening, with its value.

use goren_core::opening::Action;
use goren_core::types::Score;

/// An option and its value for the deciding seat.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct DecisionOption {
    pub(super) action: Action,
    pub(super) value: Score,
}

/// The option of higher value; the first if they are equal.
pub(super) fn better(
    best: Option<DecisionOption>,
    other: Option<DecisionOption>,
) -> Option<DecisionOption> {
    match (best, other) {
        (Some(a), Some(b)) => Some(if b.value > a.value { b } else { a }),
        (a, b) => a.or(b),
    }
}
