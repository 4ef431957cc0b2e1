//! Random variation of training games.

use rand::RngExt;
use rand::rngs::SmallRng;

use goren_core::types::Score;

/// Maximum loss by a random move, in points.
pub(super) const BLUNDER: Score = 200;

/// A number of nodes, varied at random by up to the fraction `jitter`.
pub(crate) fn jittered(nodes: u64, jitter: f64, rng: &mut SmallRng) -> u64 {
    let factor = 1.0 + if jitter > 0.0 { rng.random_range(-jitter..=jitter) } else { 0.0 };
    ((nodes as f64 * factor) as u64).max(1)
}
