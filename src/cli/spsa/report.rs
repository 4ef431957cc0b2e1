//! Printed report of a run.

use std::fmt::Write;

use super::tuner::{Gains, TunedValue};

/// The values as a table: name, start, now, change in steps.
pub(super) fn table(axes: &[TunedValue]) -> String {
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
pub(super) fn list(axes: &[TunedValue]) -> String {
    let words = axes.iter().map(|axis| format!("{} {}", axis.spec.name, axis.rounded()));
    words.collect::<Vec<_>>().join(" ")
}

/// Standard deviation of the games won less those lost by one of two equal
/// sides in a pair of games.
const PAIR_DEVIATION: f64 = 1.2;

/// Expected movement of a value in a run: steps by chance alone (standard
/// deviation), and steps if each step gains an Elo.
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

#[cfg(test)]
mod tests {
    use super::super::select::select;
    use super::super::tuner::Tuner;
    use super::*;
    use goren_engine::Params;

    #[test]
    fn values_are_printed_as_a_table_and_as_a_list() {
        let gains = Gains { iterations: 1, rate_end: 0.5, alpha: 0.602, gamma: 0.101 };
        let specs = select("iir,razor_depth").unwrap();
        let mut tuner = Tuner::new(gains, 1, Params::default(), &specs);
        let [first, _] = tuner.trial(0).sides;
        let sign = |up| if up { 1 } else { -1 };
        let (depth, iir) = (sign(first.razor_depth > 7), sign(first.iir > 936));
        tuner.learn(3);
        let shown = table(tuner.axes());
        let lines: Vec<Vec<&str>> =
            shown.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["parameter", "start", "now", "steps"]);
        let (up, down) = ("+1.50", "-1.50");
        let steps = |sign| if sign > 0 { up } else { down };
        let now = format!("{:.2}", 7.0 + 1.5 * f64::from(depth));
        assert_eq!(lines[1], ["razor_depth", "7", &now, steps(depth)]);
        let now = format!("{}.00", 936 + 192 * iir);
        assert_eq!(lines[2], ["iir", "936", &now, steps(iir)]);
        let mut params = Params::default();
        params.set_all(&list(tuner.axes())).unwrap();
        let rounded: Vec<i32> = tuner.axes().iter().map(|axis| axis.rounded()).collect();
        assert_eq!([params.razor_depth, params.iir], rounded[..]);
    }

    #[test]
    fn prospects_match_the_formula() {
        // One iteration: the width is 1 and the rate that of the end.
        let gains = Gains { iterations: 1, rate_end: 0.5, alpha: 0.602, gamma: 0.101 };
        let (chance, drift) = prospects(&gains, 9);
        assert!((chance - 0.5 * 1.2 * 3.0).abs() < 1e-12, "{chance}");
        let won = 2.0 * 9.0 * 2.0 * 10_f64.ln() / 800.0;
        assert!((drift - 0.5 * won).abs() < 1e-12, "{drift}");
    }
}
