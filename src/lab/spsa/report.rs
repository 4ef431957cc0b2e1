//! What a run prints.

use std::fmt::Write;

use super::tuner::{Axis, Gains};

/// The values as a table: name, start, now, change in steps.
pub(super) fn table(axes: &[Axis]) -> String {
    let mut text = format!("{:<20} {:>7} {:>9} {:>7}\n", "parameter", "start", "now", "steps");
    for axis in axes {
        let steps = (axis.now - f64::from(axis.start)) / f64::from(axis.spec.step);
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "{:<20} {:>7} {:>9.2} {:>+7.2}",
            axis.spec.name, axis.start, axis.now, steps
        );
    }
    text
}

/// The values rounded, as `INFO params` and `--from` take them.
pub(super) fn list(axes: &[Axis]) -> String {
    let words = axes.iter().map(|axis| format!("{} {}", axis.spec.name, axis.rounded()));
    words.collect::<Vec<_>>().join(" ")
}

/// Standard deviation of the games won less those lost by one of two equal
/// sides in a pair of games.
const PAIR_DEVIATION: f64 = 1.2;

/// What a run can tell apart: steps that a value moves by chance alone
/// (standard deviation), and steps that it moves if each step gains an Elo.
pub(super) fn prospects(gains: &Gains, pairs: u64) -> (f64, f64) {
    let pairs = pairs as f64;
    let (mut chance, mut drift) = (0.0, 0.0);
    for k in 0..gains.iterations {
        let (width, rate) = (gains.width(k), gains.rate(k));
        chance += (rate * width * PAIR_DEVIATION).powi(2) * pairs;
        // An Elo is worth ln(10) / 800 games won less lost in a game, and the
        // sides are two widths apart.
        let won = 2.0 * pairs * 2.0 * width * std::f64::consts::LN_10 / 800.0;
        drift += rate * width * won;
    }
    (chance.sqrt(), drift)
}
