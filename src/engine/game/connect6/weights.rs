//! Tuple weights of Connect6.

use crate::eval::TupleFamily;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::{Connect6, Pairs};

/// Weights set by hand: points of a line by the stones on it.
const STEPS: [i32; 7] = [0, 1, 5, 12, 40, 60, 0];

/// Returns the number of cells of a tuple: a line and one cell next to it.
pub(super) const fn span(game: Connect6) -> usize {
    game.goal() + 1
}

const fn rules(pairs: Pairs) -> Connect6 {
    Connect6 { torus: false, pairs }
}

/// Returns the number of cells of a tuple, and the number of states: one or two stones left
/// in the turn.
const fn shape(pairs: Pairs) -> (usize, usize) {
    (span(rules(pairs)), 2)
}

/// Six in a row, pairs without restriction.
static ANY: TupleFamily =
    TupleFamily::new(2, "connect6", shape(Pairs::Any), include_bytes!("connect6.bin"), || {
        hand_made_weights(Pairs::Any)
    });
/// Five in a row, pairs that share no line.
static APART: TupleFamily = TupleFamily::new(
    3,
    "connect6+noncollinear",
    shape(Pairs::Apart),
    include_bytes!("connect6-noncollinear.bin"),
    || hand_made_weights(Pairs::Apart),
);
/// Six in a row, pairs on one line.
static COLLINEAR: TupleFamily = TupleFamily::new(
    8,
    "connect6+collinear",
    shape(Pairs::Collinear),
    include_bytes!("connect6-collinear.bin"),
    || hand_made_weights(Pairs::Collinear),
);

/// The families of Connect6.
pub(in crate::game) static FAMILIES: [&TupleFamily; 3] = [&ANY, &APART, &COLLINEAR];

/// Returns the family of a game with its options.
pub(in crate::game) fn family(game: Connect6) -> &'static TupleFamily {
    match game.pairs {
        Pairs::Any => &ANY,
        Pairs::Apart => &APART,
        Pairs::Collinear => &COLLINEAR,
    }
}

/// Makes the weights before tuning.
fn hand_made_weights(pairs: Pairs) -> TupleWeights {
    let game = rules(pairs);
    let weights = TupleWeights::by_count(span(game), game.goal(), &STEPS);
    weights.with_states(vec![0; shape(pairs).1])
}
