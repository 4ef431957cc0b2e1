//! Tuple weights of Four In A Row.

use crate::eval::TupleFamily;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::FourInARow;

/// Pieces in a row that win.
pub(super) const FOUR: usize = 4;
/// Cells of the evaluation's tuples.
pub(super) const SPAN: usize = 5;

/// Values of lines by hand: points by pieces.
const STEPS: [i32; FOUR + 1] = [0, 2, 8, 30, 0];

static ALL: TupleFamily = TupleFamily::new(4, "four-in-a-row", (SPAN, 0), &[], || {
    TupleWeights::by_count(SPAN, FOUR, &STEPS)
});

/// All games of falling pieces.
pub(in crate::game) static FAMILIES: [&TupleFamily; 1] = [&ALL];

/// The family of a game.
pub(in crate::game) fn family(_game: FourInARow) -> &'static TupleFamily {
    &ALL
}
