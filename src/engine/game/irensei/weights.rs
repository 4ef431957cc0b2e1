//! Tuple weights of Irensei.

use crate::eval::TupleFamily;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::Irensei;

/// Stones in a row that win.
pub(super) const SEVEN: usize = 7;
/// Cells of a tuple.
pub(super) const SPAN: usize = 7;

/// Weights set by hand: points of a line by the stones on it.
const STEPS: [i32; SEVEN + 1] = [0, 1, 3, 8, 22, 60, 120, 0];

static ALL: TupleFamily =
    TupleFamily::new(5, "irensei", (SPAN, 0), &[], || TupleWeights::by_count(SPAN, SEVEN, &STEPS));

/// The family of Irensei.
pub(in crate::game) static FAMILIES: [&TupleFamily; 1] = [&ALL];

/// Returns the family of a game.
pub(in crate::game) fn family(_game: Irensei) -> &'static TupleFamily {
    &ALL
}
