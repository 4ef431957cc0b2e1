//! A way to go on in an opening, with its value.

use goren_core::opening::Action;
use goren_core::types::Score;

/// A way to go on, and what it is worth to the seat.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Way {
    pub(super) action: Action,
    pub(super) value: Score,
}

/// The one of two that is worth more; the first if they are worth the same.
pub(super) fn better(best: Option<Way>, other: Option<Way>) -> Option<Way> {
    match (best, other) {
        (Some(a), Some(b)) => Some(if b.value > a.value { b } else { a }),
        (a, b) => a.or(b),
    }
}
