//! The arithmetic of simultaneous perturbation.
//!
//! After J. C. Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation" (1992), with the gains of
//! "Implementation of the simultaneous perturbation algorithm" (1998), as
//! testers of chess engines use them: widths and rate are given by their final
//! values. Pure arithmetic; knows nothing of games.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use goren_core::types::keys;
use goren_engine::{Params, Spec};

/// The constant `A` of the rate, as a part of the iterations: it lowers the rate at the
/// beginning.
const STABILITY: f64 = 0.1;

/// Gain sequences: width and rate of each iteration.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Gains {
    /// Iterations of the whole run.
    pub iterations: u64,
    /// Rate of the last iteration.
    pub rate_end: f64,
    /// Power by which the rate falls.
    pub alpha: f64,
    /// Power by which the widths fall.
    pub gamma: f64,
}

impl Gains {
    /// Half the distance between the two sides of an iteration (from 0), in
    /// steps.
    pub(super) fn width(&self, iteration: u64) -> f64 {
        (self.iterations as f64 / (iteration + 1) as f64).powf(self.gamma)
    }

    /// Change of a value by a won game of an iteration (from 0), in widths.
    pub(super) fn rate(&self, iteration: u64) -> f64 {
        let (number, last) = ((iteration + 1) as f64, self.iterations as f64);
        let stability = STABILITY * last;
        let fall = ((stability + last) / (stability + number)).powf(self.alpha);
        self.rate_end * fall / self.width(iteration).powi(2)
    }
}

/// The two sides of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Trial {
    /// The values moved one way, and moved the other way.
    pub sides: [Params; 2],
}

/// The value of a tuned parameter.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TunedValue {
    /// Name, range and step of the parameter.
    pub spec: Spec,
    /// Its initial value.
    pub start: i32,
    /// Its current value.
    pub now: f64,
}

impl TunedValue {
    /// The nearest whole number.
    pub(super) fn rounded(&self) -> i32 {
        self.now.round() as i32
    }
}

/// The state of a run: its iterations and the values they led to. Depends only
/// on its settings and results.
#[derive(Clone, Debug)]
pub(super) struct Tuner {
    gains: Gains,
    seed: u64,
    /// Values of the parameters that are not tuned.
    base: Params,
    axes: Vec<TunedValue>,
    done: u64,
}

impl Tuner {
    /// A run from `base` that tunes the parameters `specs`.
    pub(super) fn new(gains: Gains, seed: u64, base: Params, specs: &[Spec]) -> Tuner {
        let values = Params::SPECS.iter().zip(base.values());
        let axis =
            |(spec, start): (&Spec, i32)| TunedValue { spec: *spec, start, now: start.into() };
        let axes = values.filter(|(spec, _)| specs.contains(spec)).map(axis).collect();
        Tuner { gains, seed, base, axes, done: 0 }
    }

    /// Iterations that have been learnt from.
    pub(super) fn done(&self) -> u64 {
        self.done
    }

    /// The gains of the run.
    pub(super) fn gains(&self) -> &Gains {
        &self.gains
    }

    /// The values, in the order of [`Params::SPECS`].
    pub(super) fn axes(&self) -> &[TunedValue] {
        &self.axes
    }

    /// The two sides of an iteration (from 0) that begins now.
    pub(super) fn trial(&self, iteration: u64) -> Trial {
        let width = self.gains.width(iteration);
        let mut sides = [self.base.clone(), self.base.clone()];
        for (axis, (sign, part)) in self.axes.iter().zip(self.directions(iteration)) {
            for (side, sign) in sides.iter_mut().zip([sign, -sign]) {
                let value = axis.now + sign * width * f64::from(axis.spec.step);
                // The same part on both sides, so that a whole distance is kept.
                let value = clamp((value + part).floor(), &axis.spec) as i32;
                // Cannot fail: the value is in range.
                let _ = side.set(axis.spec.name, &value.to_string());
            }
        }
        Trial { sides }
    }

    /// Learns that the first side of the next iteration won `won` games more than it lost.
    pub(super) fn learn(&mut self, won: i64) {
        let change = self.gains.rate(self.done) * self.gains.width(self.done) * won as f64;
        let directions: Vec<_> = self.directions(self.done).take(self.axes.len()).collect();
        for (axis, (sign, _)) in self.axes.iter_mut().zip(directions) {
            axis.now = clamp(axis.now + sign * change * f64::from(axis.spec.step), &axis.spec);
        }
        self.done += 1;
    }

    /// For each value the direction of its first side, 1 or -1, and a random part of
    /// one that is added before rounding down, so that rounding is unbiased.
    fn directions(&self, iteration: u64) -> impl Iterator<Item = (f64, f64)> + use<> {
        let mut rng = SmallRng::seed_from_u64(keys::derive(self.seed, iteration));
        std::iter::repeat_with(move || {
            let sign = if rng.random() { 1.0 } else { -1.0 };
            (sign, rng.random())
        })
    }
}

fn clamp(value: f64, spec: &Spec) -> f64 {
    value.clamp(spec.min.into(), spec.max.into())
}

#[cfg(test)]
mod tests {
    use super::super::select::select;
    use super::*;

    const GAINS: Gains = Gains { iterations: 100, rate_end: 0.01, alpha: 1.0, gamma: 0.5 };

    fn tuner(gains: Gains, seed: u64, names: &str) -> Tuner {
        Tuner::new(gains, seed, Params::default(), &select(names).unwrap())
    }

    fn near(found: f64, expected: f64) {
        let error = (found - expected).abs();
        assert!(error < 1e-9 * expected.abs().max(1.0), "{found}, not {expected}");
    }

    /// With `A` = 10, `c_k` = (100 / (k + 1))^0.5 and
    /// `a_k / c_k^2` = 0.01 * 110 / (A + k + 1) / `c_k^2`.
    #[test]
    fn gains_fall_by_their_powers_to_the_final_values() {
        for (k, width, rate) in [
            (0, 10.0, 0.01 * 10.0 / 100.0),
            (3, 5.0, 0.01 * 110.0 / 14.0 / 25.0),
            (24, 2.0, 0.01 * 110.0 / 35.0 / 4.0),
            (99, 1.0, 0.01),
        ] {
            near(GAINS.width(k), width);
            near(GAINS.rate(k), rate);
        }
        // The defaults of the command.
        let gains = Gains { iterations: 5000, rate_end: 0.002, alpha: 0.602, gamma: 0.101 };
        for (k, width, rate) in [
            (0, 2.3637196764553634, 0.0015143772714535056),
            (499, 1.2618275345906707, 0.0035053253590706626),
            (4999, 1.0, 0.002),
        ] {
            near(gains.width(k), width);
            near(gains.rate(k), rate);
        }
    }

    #[test]
    fn sides_lie_a_width_to_either_side_within_the_ranges() {
        let tuner = tuner(GAINS, 1, "iir,quiescence_plies,quiescence_plain_fours");
        let base = Params::default();
        assert_eq!((base.iir, base.quiescence_plies, base.quiescence_plain_fours), (936, 40, 0));
        // The width is 2 here, and the steps are 128, 4 and 1.
        let mut sides = tuner.trial(24).sides;
        let pair = |value: fn(&Params) -> i32, sides: &[Params; 2]| {
            let mut pair = [value(&sides[0]), value(&sides[1])];
            pair.sort_unstable();
            pair
        };
        assert_eq!(pair(|p| p.iir, &sides), [680, 1192]);
        assert_eq!(pair(|p| p.quiescence_plies, &sides), [32, 48]);
        assert_eq!(pair(|p| p.quiescence_plain_fours, &sides), [0, 2]);
        for side in &mut sides {
            side.iir = base.iir;
            side.quiescence_plies = base.quiescence_plies;
            side.quiescence_plain_fours = base.quiescence_plain_fours;
            assert_eq!(*side, base, "the others stay");
        }
    }

    /// Whether the first side moves two values up, in many iterations of equal width.
    fn directions(seed: u64) -> Vec<[bool; 2]> {
        let tuner = tuner(Gains { gamma: 0.0, ..GAINS }, seed, "iir,quiescence_plies");
        let direction = |k| {
            let [a, b] = tuner.trial(k).sides;
            [a.iir > b.iir, a.quiescence_plies > b.quiescence_plies]
        };
        (0..4000).map(direction).collect()
    }

    #[test]
    fn directions_are_balanced_and_independent() {
        let seen = directions(1);
        for direction in [[false, false], [false, true], [true, false], [true, true]] {
            let count = seen.iter().filter(|&&seen| seen == direction).count();
            // 1000 with a deviation of 27.
            assert!((850..1150).contains(&count), "{direction:?}: {count}");
        }
        assert_ne!(directions(2), seen);
        assert_eq!(directions(1), seen);
    }

    #[test]
    fn rounding_is_unbiased() {
        // The width is 1.25 here, the step of the depth 1.
        let (mut up, mut down) = (0, 0);
        for seed in 0..4000 {
            let depths = tuner(GAINS, seed, "razor_depth").trial(63).sides.map(|p| p.razor_depth);
            let (more, less) = (depths[0].max(depths[1]), depths[0].min(depths[1]));
            assert!((8..=9).contains(&more) && (5..=6).contains(&less), "{depths:?}");
            assert!((2..=3).contains(&(more - less)));
            (up, down) = (up + more, down + less);
        }
        assert!((f64::from(up) / 4000.0 - 8.25).abs() < 0.03, "{up}");
        assert!((f64::from(down) / 4000.0 - 5.75).abs() < 0.03, "{down}");
    }

    #[test]
    fn values_move_towards_the_winner() {
        let mut tuner = tuner(GAINS, 1, "iir,razor_depth");
        let signs = |tuner: &Tuner, k| {
            let [a, b] = tuner.trial(k).sides;
            let sign = |up| if up { 1.0 } else { -1.0 };
            [sign(a.iir > b.iir), sign(a.razor_depth > b.razor_depth)]
        };
        // Three games won: 0.001 * 10 * 3 steps, of 128 and of 1.
        let first = signs(&tuner, 0);
        tuner.learn(3);
        let [iir, depth] = [936.0 + first[0] * 3.84, 7.0 + first[1] * 0.03];
        near(tuner.axes()[1].now, iir);
        near(tuner.axes()[0].now, depth);
        // Two lost: 0.01 * (110 / 12) / 50 * sqrt(50) * 2 steps the other way.
        let second = signs(&tuner, 1);
        tuner.learn(-2);
        let steps = 0.01 * 110.0 / 12.0 / 50_f64.sqrt() * 2.0;
        near(tuner.axes()[1].now, iir - second[0] * 128.0 * steps);
        near(tuner.axes()[0].now, depth - second[1] * steps);
        // As many won as lost change nothing.
        let before = tuner.axes().to_vec();
        tuner.learn(0);
        assert_eq!(tuner.axes(), before);
        assert_eq!(tuner.done(), 3);
    }

    #[test]
    fn values_stay_within_their_ranges() {
        let mut tuner = tuner(GAINS, 1, "*");
        for won in [1_000_000, -1_000_000, 1_000_000] {
            tuner.learn(won);
            for axis in tuner.axes() {
                let at = axis.rounded();
                assert!(at == axis.spec.min || at == axis.spec.max, "{} {at}", axis.spec.name);
            }
            let [a, b] = tuner.trial(tuner.done()).sides;
            for ((spec, a), b) in Params::SPECS.iter().zip(a.values()).zip(b.values()) {
                assert!((spec.min..=spec.max).contains(&a) && (spec.min..=spec.max).contains(&b));
            }
        }
    }
}
