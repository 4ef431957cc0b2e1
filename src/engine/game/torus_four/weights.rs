//! Tuple weights of four on a torus.

use crate::eval::TupleFamily;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::TorusFour;

/// Cells of a tuple: a line and one cell next to it.
pub(super) const SPAN: usize = TorusFour::GOAL + 1;

/// Weights set by hand: points of a line by the stones on it.
const STEPS: [i32; TorusFour::GOAL + 1] = [0, 2, 10, 40, 0];

static ALL: TupleFamily = TupleFamily::new(9, "torus-four", (SPAN, 0), &[], || {
    TupleWeights::by_count(SPAN, TorusFour::GOAL, &STEPS)
});

/// The family of four on a torus.
pub(in crate::game) static FAMILIES: [&TupleFamily; 1] = [&ALL];

/// Returns the family of a game.
pub(in crate::game) fn family(_game: TorusFour) -> &'static TupleFamily {
    &ALL
}
