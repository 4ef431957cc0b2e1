//! Parameter tying: weights as sums of a few shared parameters and an individual deviation.
//!
//! The weight of a code is the sum of the parameters of its strongest line, the second, the
//! two others, and of their class (the ladder), plus a deviation of its own. Regularisation
//! draws deviations towards 0, so that rare codes follow the ladder. The weight of a set of
//! threats is the sum of the parameters of its threats plus a deviation.

use super::layout::TableLayout;
use goren_core::rules::{Excuse, Fouls};
use goren_engine::eval::THREATS;
use goren_engine::eval::near::NEAR;
use goren_engine::pattern::{CODES, Class, Code, LineClass, class_of, code_lines, code_number};

/// The code of a cell far from all stones and the edge. Its value is fixed at 0: there are
/// so many such cells that their value would measure the length of the game and the size of
/// the board.
pub(super) fn untouched() -> Code {
    code_number([LineClass::OpenOne; 4])
}

/// Parameters of a ladder: three places for a line, and the classes.
const LADDER: usize = 3 * LineClass::COUNT + Class::COUNT;
/// Parameters of threats: one for each bit of the mask and one for the move.
const BITS: usize = THREATS.ilog2() as usize;

/// Expected deviation of codes from the ladder, in points.
const CODE_SPREAD: f32 = 5.0;
/// Expected deviation of sets of threats from the sum, in points.
const THREAT_SPREAD: f32 = 50.0;
/// Expected deviation of the policy scores of codes from the ladder; 100 are one unit of
/// log-odds.
const POLICY_SPREAD: f32 = 40.0;
/// Expected magnitude of the shared parameters, in deviations.
const SHARED: f32 = 10.0;

/// Which parameters add up to which weight.
#[derive(Default)]
pub(super) struct Ties {
    /// Shared parameters; a deviation for each weight follows.
    shared: usize,
    /// By weight, the end of its part of `parts`.
    ends: Vec<u32>,
    /// Indices of the shared parameters that a weight is the sum of.
    parts: Vec<u16>,
    /// By weight, the unit of its parameters; 0 for weights that stay 0.
    units: Vec<f32>,
    /// Initial deviations in units, where all weights are free and not regularised; else
    /// empty, for 0.
    start: Vec<f32>,
    /// By weight, the prior that it deviates from, in the unit of the weights; empty for 0.
    prior_means: Vec<f32>,
}

impl Ties {
    /// Ties of the evaluation, in points.
    pub fn evaluation(layout: TableLayout, fouls: bool) -> Ties {
        let mut ties = Ties::default();
        for side in 0..layout.sides {
            for _ in ["to move", "waiting"] {
                ties.add_ladder(CODE_SPREAD, fouls && side == 0, Some(untouched()));
            }
        }
        for _ in 0..layout.sides {
            let first = ties.shared as u16;
            ties.shared += BITS + 1;
            for mask in 0..THREATS {
                let bits = (0..BITS as u16).filter(|bit| mask >> bit & 1 != 0);
                let parts = bits.chain([BITS as u16]).map(|bit| first + bit);
                ties.add(parts, THREAT_SPREAD);
            }
        }
        ties
    }

    /// Ties of the move ordering, in hundredths of the logarithm of the odds.
    pub fn ordering(layout: TableLayout, fouls: bool) -> Ties {
        let mut ties = Ties::default();
        for side in 0..layout.sides {
            for _ in ["own", "deny"] {
                ties.add_ladder(POLICY_SPREAD, fouls && side == 0, None);
            }
        }
        for _ in 0..layout.sides * NEAR {
            ties.add(std::iter::empty(), POLICY_SPREAD);
        }
        ties
    }

    /// Ties of a move ordering that deviates from given policy scores.
    pub fn ordering_with_prior(policy_scores: &[f32]) -> Ties {
        let mut ties = Ties::default();
        for &policy_score in policy_scores {
            ties.add_with_prior(POLICY_SPREAD, policy_score);
        }
        ties
    }

    fn add_ladder(&mut self, unit: f32, fouls: bool, pinned: Option<Code>) {
        let fouls = if fouls { Fouls::ALL } else { Fouls::NONE };
        let first = self.shared as u16;
        self.shared += LADDER;
        for code in 0..CODES as Code {
            let unit = if pinned == Some(code) { 0.0 } else { unit };
            let places = code_lines(code).into_iter().rev().zip([0, 1, 2, 2]);
            let lines = places.map(|(line, place)| place * LineClass::COUNT + line as usize);
            let class = 3 * LineClass::COUNT + class_of(code, fouls, Excuse::None) as usize;
            self.add(lines.chain([class]).map(|part| first + part as u16), unit);
        }
    }

    fn add(&mut self, parts: impl Iterator<Item = u16>, unit: f32) {
        self.parts.extend(parts);
        self.ends.push(self.parts.len() as u32);
        self.units.push(unit);
    }

    /// Adds a weight without shared parameters or regularisation that begins at `start`
    /// units. All weights must be of this kind.
    pub fn add_free(&mut self, unit: f32, start: f32) {
        debug_assert!(self.shared == 0 && self.start.len() == self.units.len());
        self.add(std::iter::empty(), unit);
        self.start.push(start);
    }

    /// Adds a weight without shared parameters whose prior mean is `prior_mean` and which deviates
    /// from it by about `spread`. All weights must be of this kind.
    pub fn add_with_prior(&mut self, spread: f32, prior_mean: f32) {
        debug_assert!(self.shared == 0 && self.prior_means.len() == self.units.len());
        self.add(std::iter::empty(), spread);
        self.prior_means.push(prior_mean);
    }

    /// The initial parameters.
    pub fn start(&self) -> Vec<f32> {
        let mut start = vec![0.0; self.parameters()];
        start[self.shared..][..self.start.len()].copy_from_slice(&self.start);
        start
    }

    /// Number of weights.
    pub fn weights(&self) -> usize {
        self.units.len()
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.shared + self.units.len()
    }

    fn weight_parts(&self) -> impl Iterator<Item = (usize, &[u16])> {
        let mut start = 0;
        self.ends.iter().enumerate().map(move |(i, &end)| {
            let parts = &self.parts[start..end as usize];
            start = end as usize;
            (i, parts)
        })
    }

    /// Computes the weights from the parameters.
    pub fn expand(&self, parameters: &[f32], weights: &mut [f32]) {
        let (shared, own) = parameters.split_at(self.shared);
        for (i, parts) in self.weight_parts() {
            let sum: f32 = parts.iter().map(|&part| shared[part as usize]).sum();
            let prior_mean = self.prior_means.get(i).copied().unwrap_or_default();
            weights[i] = prior_mean + self.units[i] * (sum + own[i]);
        }
    }

    /// The gradient by parameters, written to `out`, from that by weights of the mean loss
    /// over `samples` samples: the transpose of [`Ties::expand`], plus the regularisation at
    /// the parameters `at`.
    pub fn parameter_gradient(
        &self,
        by_weight: &[f32],
        samples: usize,
        at: &[f32],
        out: &mut [f32],
    ) {
        // Free weights are not regularised: for rare codes Adam would turn the small gradient
        // of the regularisation into full steps.
        let decay = if self.start.is_empty() { 1.0 / samples.max(1) as f32 } else { 0.0 };
        let (shared, own) = out.split_at_mut(self.shared);
        for (gradient, parameter) in shared.iter_mut().zip(at) {
            *gradient = parameter * decay / (SHARED * SHARED);
        }
        for (i, parts) in self.weight_parts() {
            let gradient = by_weight[i] * self.units[i];
            for &part in parts {
                shared[part as usize] += gradient;
            }
            own[i] = gradient + at[self.shared + i] * decay;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameter_gradient_is_the_transpose_of_expanding() {
        for sides in [1, 2] {
            let layout = TableLayout { sides };
            let all = [
                (Ties::evaluation(layout, sides == 2), layout.evaluation()),
                (Ties::ordering(layout, sides == 2), layout.ordering()),
            ];
            for (ties, weights) in all {
                assert_eq!(ties.weights(), weights);
                let (n, m) = (ties.parameters(), ties.weights());
                let x: Vec<f32> = (0..n).map(|i| (i % 7) as f32 - 3.0).collect();
                let y: Vec<f32> = (0..m).map(|i| (i % 5) as f32 - 2.0).collect();
                let mut ax = vec![0.0; m];
                ties.expand(&x, &mut ax);
                let mut aty = vec![0.0; n];
                ties.parameter_gradient(&y, usize::MAX, &x, &mut aty);
                let dot = |a: &[f32], b: &[f32]| {
                    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>()
                };
                let (left, right) = (dot(&ax, &y), dot(&x, &aty));
                assert!((left - right).abs() < 1e-3 * left.abs().max(1.0), "{left} {right}");
            }
        }
    }

    #[test]
    fn the_untouched_cell_has_value_0_for_any_parameters() {
        let layout = TableLayout { sides: 1 };
        let ties = Ties::evaluation(layout, false);
        let mut weights = vec![0.0; ties.weights()];
        ties.expand(&vec![1.0; ties.parameters()], &mut weights);
        let zeros = weights.iter().filter(|&&weight| weight == 0.0).count();
        assert_eq!(zeros, 2);
        assert_eq!(weights[untouched() as usize], 0.0);
    }
}
