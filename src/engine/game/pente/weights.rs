//! Tuple weights of Pente.

use crate::eval::TupleFamily;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::Pente;

/// Stones in a row that win.
pub(super) const FIVE: usize = 5;
/// Cells of a tuple: a five and one cell next to it, so that a tuple shows a pair open to
/// capture.
pub(super) const SPAN: usize = 6;

/// Weights set by hand: points of a line by the stones on it.
const STEPS: [i32; FIVE + 1] = [0, 1, 5, 22, 60, 0];
/// Points for as many captured stones as win.
const CAPTURED: i32 = 700;

/// Returns the number of states: captured stones of both sides, each 0 to `goal`.
const fn states(game: Pente) -> usize {
    (game.goal() + 1) * (game.goal() + 1)
}

const PAIRS: Pente = Pente::NO_OPTIONS;
const THREES: Pente = Pente { keryo: true, ..PAIRS };

static PENTE: TupleFamily =
    TupleFamily::new(0, "pente", (SPAN, states(PAIRS)), include_bytes!("pente.bin"), || {
        hand_made_weights(PAIRS)
    });
static KERYO: TupleFamily = TupleFamily::new(
    1,
    "pente+keryo",
    (SPAN, states(THREES)),
    include_bytes!("pente-keryo.bin"),
    || hand_made_weights(THREES),
);
/// With overtime a five scores less: it can be broken.
static BOAT: TupleFamily = TupleFamily::new(
    6,
    "pente+boat",
    (SPAN, states(PAIRS)),
    include_bytes!("pente-boat.bin"),
    || hand_made_weights(PAIRS),
);
static KERYO_BOAT: TupleFamily = TupleFamily::new(
    7,
    "pente+keryo+boat",
    (SPAN, states(THREES)),
    include_bytes!("pente-keryo-boat.bin"),
    || hand_made_weights(THREES),
);

/// The families of Pente.
pub(in crate::game) static FAMILIES: [&TupleFamily; 4] = [&PENTE, &KERYO, &BOAT, &KERYO_BOAT];

/// Returns the family of a game with its options.
pub(in crate::game) fn family(game: Pente) -> &'static TupleFamily {
    match (game.keryo, game.boat) {
        (false, false) => &PENTE,
        (true, false) => &KERYO,
        (false, true) => &BOAT,
        (true, true) => &KERYO_BOAT,
    }
}

/// Makes the weights of tuples and of captures before tuning.
fn hand_made_weights(game: Pente) -> TupleWeights {
    let goal = game.goal() as i32;
    // Quadratic: the last captures count more than the first.
    let part = |captured: i32| CAPTURED * captured * (goal + captured) / (2 * goal * goal);
    let of_own = |own: i32| (0..=goal).map(move |others| (part(own) - part(others)) as i16);
    let states = (0..=goal).flat_map(of_own).collect();
    TupleWeights::by_count(SPAN, FIVE, &STEPS).with_states(states)
}
