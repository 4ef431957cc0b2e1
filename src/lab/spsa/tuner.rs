//! The arithmetic of simultaneous perturbation.
//!
//! After J. C. Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation" (1992), with the gains of
//! "Implementation of the simultaneous perturbation algorithm" (1998), as
//! testers of chess engines use them: the widths and the rate are given as
//! they shall be at the end. Pure; knows nothing of games.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::search::{Params, Spec};
use crate::types::keys;

/// Part of the iterations that the rate is held back by at the beginning.
const STABILITY: f64 = 0.1;

/// How far and how fast an iteration goes.
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

    /// What a won game of an iteration (from 0) moves a value by, in widths.
    pub(super) fn rate(&self, iteration: u64) -> f64 {
        let (number, last) = ((iteration + 1) as f64, self.iterations as f64);
        let held = STABILITY * last;
        let fall = ((held + last) / (held + number)).powf(self.alpha);
        self.rate_end * fall / self.width(iteration).powi(2)
    }
}

/// The two sides of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Trial {
    /// Searches by the values moved one way, and by those moved the other.
    pub sides: [Params; 2],
}

/// A value in search of its best.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Axis {
    /// What is known of the parameter.
    pub spec: Spec,
    /// Where it began.
    pub start: i32,
    /// Where it is.
    pub now: f64,
}

impl Axis {
    /// The whole number nearest to where it is.
    pub(super) fn rounded(&self) -> i32 {
        self.now.round() as i32
    }
}

/// A run: what its iterations are and what they led to. Depends on its
/// settings and results alone.
#[derive(Clone, Debug)]
pub(super) struct Tuner {
    gains: Gains,
    seed: u64,
    /// What is not tuned.
    base: Params,
    axes: Vec<Axis>,
    done: u64,
}

impl Tuner {
    /// A run from `base` that tunes the parameters `specs`.
    pub(super) fn new(gains: Gains, seed: u64, base: Params, specs: &[Spec]) -> Tuner {
        let values = Params::SPECS.iter().zip(base.values());
        let axis = |(spec, start): (&Spec, i32)| Axis { spec: *spec, start, now: start.into() };
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
    pub(super) fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// What an iteration (from 0) compares if it begins now.
    pub(super) fn trial(&self, iteration: u64) -> Trial {
        let width = self.gains.width(iteration);
        let mut sides = [self.base.clone(), self.base.clone()];
        for (axis, (sign, part)) in self.axes.iter().zip(self.directions(iteration)) {
            for (side, sign) in sides.iter_mut().zip([sign, -sign]) {
                let value = axis.now + sign * width * f64::from(axis.spec.step);
                // The same part of both sides: a whole distance stays as it is.
                let value = clamp((value + part).floor(), &axis.spec) as i32;
                // Cannot fail: the value is in range.
                let _ = side.set(axis.spec.name, &value.to_string());
            }
        }
        Trial { sides }
    }

    /// Learns that the first side of the next iteration won so many games
    /// more than it lost.
    pub(super) fn learn(&mut self, won: i64) {
        let by = self.gains.rate(self.done) * self.gains.width(self.done) * won as f64;
        let directions: Vec<_> = self.directions(self.done).take(self.axes.len()).collect();
        for (axis, (sign, _)) in self.axes.iter_mut().zip(directions) {
            axis.now = clamp(axis.now + sign * by * f64::from(axis.spec.step), &axis.spec);
        }
        self.done += 1;
    }

    /// For each value the way its first side moves, 1 or -1, and a part of one
    /// by which values are rounded up, so that the mean of many is right.
    fn directions(&self, iteration: u64) -> impl Iterator<Item = (f64, f64)> + use<> {
        let mut rng = SmallRng::seed_from_u64(keys::mix(keys::mix(self.seed) ^ iteration));
        std::iter::repeat_with(move || {
            let sign = if rng.random() { 1.0 } else { -1.0 };
            (sign, rng.random())
        })
    }
}

fn clamp(value: f64, spec: &Spec) -> f64 {
    value.clamp(spec.min.into(), spec.max.into())
}
