//! Tuple weights of Four In A Row.

use crate::eval::TupleFamily;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::FourInARow;

/// Pieces in a row that win.
pub(super) const FOUR: usize = 4;
/// Cells of a tuple: a line and one cell next to it.
pub(super) const SPAN: usize = 5;

/// Weights set by hand: points of a line by the pieces on it.
const STEPS: [i32; FOUR + 1] = [0, 2, 8, 30, 0];

static ALL: TupleFamily = TupleFamily::new(4, "four-in-a-row", (SPAN, 0), &[], || {
    TupleWeights::by_count(SPAN, FOUR, &STEPS)
});

/// One family for all options.
pub(in crate::game) static FAMILIES: [&TupleFamily; 1] = [&ALL];

/// The family of a game.
pub(in crate::game) fn family(_game: FourInARow) -> &'static TupleFamily {
    &ALL
}
