//! Tuple weights of Four In A Row.

use crate::eval::TupleFamily;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::{FourInARow, Placement};

/// Pieces in a row that win.
pub(super) const FOUR: usize = 4;
/// Cells of a tuple: a line and one cell next to it.
pub(super) const SPAN: usize = 5;

/// Weights set by hand: points of a line by the pieces on it. Plain Four In A Row uses them;
/// the fits of the other families start from them.
const STEPS: [i32; FOUR + 1] = [0, 2, 8, 30, 0];

/// Pieces that fall to the bottom. Its weights are set by hand: on 8x8 a network gains no more
/// than its time costs (`benches/journal/family.md`).
static GRAVITY: TupleFamily =
    TupleFamily::new(4, "four-in-a-row", (SPAN, 0), &[], hand_made_weights);
/// Pieces that rest on the first empty point from any edge.
static EDGES: TupleFamily = TupleFamily::new(
    10,
    "four-in-a-row+edge-grow",
    (SPAN, 0),
    include_bytes!("edge-grow.bin"),
    hand_made_weights,
);
/// Pieces that fall from any edge.
static DROP: TupleFamily = TupleFamily::new(
    11,
    "four-in-a-row+edge-drop",
    (SPAN, 0),
    include_bytes!("edge-drop.bin"),
    hand_made_weights,
);
/// Pieces that slide to the nearest edge.
static INWARD: TupleFamily = TupleFamily::new(
    12,
    "four-in-a-row+interior-gravity",
    (SPAN, 0),
    include_bytes!("interior-gravity.bin"),
    hand_made_weights,
);

/// The families of Four In A Row.
pub(in crate::game) static FAMILIES: [&TupleFamily; 4] = [&GRAVITY, &EDGES, &DROP, &INWARD];

/// Returns the family of a game, which depends on where pieces come to rest, but not on
/// clearing.
pub(in crate::game) fn family(game: FourInARow) -> &'static TupleFamily {
    match game.placement {
        Placement::Gravity => &GRAVITY,
        Placement::Edges => &EDGES,
        Placement::Drop => &DROP,
        Placement::Inward => &INWARD,
    }
}

/// Makes the weights before tuning.
fn hand_made_weights() -> TupleWeights {
    TupleWeights::by_count(SPAN, FOUR, &STEPS)
}
