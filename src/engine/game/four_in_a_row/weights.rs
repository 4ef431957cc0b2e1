//! Tuple weights of Four In A Row.

use crate::eval::TupleFamily;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::{FourInARow, Placement};

/// Pieces in a row that win.
pub(super) const FOUR: usize = 4;
/// Cells of a tuple: a line and one cell next to it.
pub(super) const SPAN: usize = 5;

/// Weights set by hand: points of a line by the pieces on it. Plain Four In A Row plays by
/// them; the fits of the other families begin with them.
const STEPS: [i32; FOUR + 1] = [0, 2, 8, 30, 0];

/// Pieces that fall to the bottom. Its weights are set by hand: on 8x8 a network gains no more
/// than its time costs (`benches/journal/family.md`).
static GRAVITY: TupleFamily = TupleFamily::new(4, "four-in-a-row", (SPAN, 0), &[], by_hand);
/// Pieces that rest on the first empty point from any edge.
static EDGES: TupleFamily = TupleFamily::new(
    10,
    "four-in-a-row+edge-grow",
    (SPAN, 0),
    include_bytes!("edge-grow.bin"),
    by_hand,
);
/// Pieces that fall from any edge.
static DROP: TupleFamily = TupleFamily::new(
    11,
    "four-in-a-row+edge-drop",
    (SPAN, 0),
    include_bytes!("edge-drop.bin"),
    by_hand,
);
/// Pieces that slide to the nearest edge.
static INWARD: TupleFamily = TupleFamily::new(
    12,
    "four-in-a-row+interior-gravity",
    (SPAN, 0),
    include_bytes!("interior-gravity.bin"),
    by_hand,
);

/// The families of Four In A Row.
pub(in crate::game) static FAMILIES: [&TupleFamily; 4] = [&GRAVITY, &EDGES, &DROP, &INWARD];

/// The family of a game: by where pieces come to rest, with and without clearing.
pub(in crate::game) fn family(game: FourInARow) -> &'static TupleFamily {
    match game.placement {
        Placement::Gravity => &GRAVITY,
        Placement::Edges => &EDGES,
        Placement::Drop => &DROP,
        Placement::Inward => &INWARD,
    }
}

/// Weights before tuning.
fn by_hand() -> TupleWeights {
    TupleWeights::by_count(SPAN, FOUR, &STEPS)
}
