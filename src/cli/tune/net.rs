//! Fit of the evaluation network: its correction of the fitted sums, on the same
//! positions and targets.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::evaluation::{Evaluation, log_loss, sigmoid};
use super::layers::{Pass, backward, forward};
use super::model::{Ties, untouched};
use super::positions::{Layout, Positions};
use super::train::Problem;
use goren_engine::eval::THREATS;
use goren_engine::eval::net::{BITS, INPUTS, LARGEST, LAYER_WEIGHTS, POINTS, SECOND, WIDTH};
use goren_engine::pattern::CODES;

/// Expected magnitude of the numbers of a code: the unit of its steps.
pub(super) const ROW_SPREAD: f32 = 0.02;
/// Expected magnitude of the numbers of the layers.
pub(super) const HEAD_SPREAD: f32 = 0.15;
/// Range of the random initial numbers of a code, on either side of 0.
pub(super) const FIRST_ROW: f32 = 0.012;

/// Where numbers stand in the vector that is fitted: the rows of all codes as
/// in [`Layout::potential`], then the layers of each side.
fn layers_start(layout: Layout, side: usize) -> usize {
    layout.sides * 2 * CODES * WIDTH + side * LAYER_WEIGHTS
}

/// Numbers of the vector.
pub(super) fn weights(layout: Layout) -> usize {
    layers_start(layout, layout.sides)
}

/// The rows of a side, of a colour to move or waiting, as a part of the vector.
pub(super) fn rows(layout: Layout, side: usize, waiting: bool) -> std::ops::Range<usize> {
    debug_assert!(side < layout.sides);
    let start = (side * 2 + usize::from(waiting)) * CODES * WIDTH;
    start..start + CODES * WIDTH
}

/// The layers of a side, as a part of the vector.
pub(super) fn layers(layout: Layout, side: usize) -> std::ops::Range<usize> {
    layers_start(layout, side)..layers_start(layout, side + 1)
}

/// Every number free, at random at first. The output begins at 0.
pub(super) fn ties(layout: Layout, seed: u64) -> Ties {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut ties = Ties::default();
    for _ in 0..layout.sides * 2 {
        for code in 0..CODES {
            for _ in 0..WIDTH {
                let unit = if code == untouched() as usize { 0.0 } else { ROW_SPREAD };
                ties.add_free(unit, rng.random_range(-FIRST_ROW..FIRST_ROW) / ROW_SPREAD);
            }
        }
    }
    for _ in 0..layout.sides {
        for at in 0..LAYER_WEIGHTS {
            let start =
                if at < LAYER_WEIGHTS - SECOND - 1 { rng.random_range(-1.0..1.0) } else { 0.0 };
            ties.add_free(HEAD_SPREAD, start);
        }
    }
    ties
}

/// Every number free, at first as it is in a net of the same layout.
pub(super) fn ties_from(layout: Layout, numbers: &[f32]) -> Ties {
    let rows = layout.sides * 2 * CODES * WIDTH;
    let mut ties = Ties::default();
    for (at, number) in numbers.iter().enumerate() {
        let unit = match at {
            _ if at >= rows => HEAD_SPREAD,
            _ if at / WIDTH % CODES == untouched() as usize => 0.0,
            _ => ROW_SPREAD,
        };
        ties.add_free(unit, if unit == 0.0 { 0.0 } else { number / unit });
    }
    ties
}

/// The network as a problem to fit: the fitted evaluation, with targets.
pub(super) struct Net<'a> {
    /// The positions.
    pub positions: &'a Positions,
    /// Where their codes stand.
    pub layout: Layout,
    /// What each should be worth to the side to move, 0 to 1.
    pub targets: &'a [f32],
    /// Points of each by the sums alone.
    pub points: &'a [f32],
    /// Points of the evaluation that multiply the odds by e.
    pub scale: f32,
}

impl<'a> Net<'a> {
    /// To be fitted to the targets of an evaluation whose sums are `weights`.
    pub fn points(evaluation: &Evaluation<'a>, count: usize, weights: &[f32]) -> Vec<f32> {
        (0..count).map(|at| evaluation.odds(at, weights) * evaluation.scale).collect()
    }

    /// The side to move, whose layers are asked, and the threats: the reverse
    /// of [`Layout::threats`].
    fn side_and_threats(&self, at: usize) -> (usize, usize) {
        let number = self.positions.threats_at(at) - self.layout.sides * 2 * CODES;
        (number / THREATS, number % THREATS)
    }

    fn codes(&self, at: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let codes = self.positions.codes_at(at);
        let known = codes.filter(|&(code, _)| code % CODES != untouched() as usize);
        known.map(|(code, count)| (code * WIDTH, f32::from(count)))
    }

    fn inputs(&self, at: usize, weights: &[f32]) -> [f32; INPUTS] {
        let mut inputs = [0.0; INPUTS];
        for (row, count) in self.codes(at) {
            for (sum, weight) in inputs[..WIDTH].iter_mut().zip(&weights[row..row + WIDTH]) {
                *sum += weight * count;
            }
        }
        inputs[WIDTH] = (self.points[at] / POINTS).clamp(-LARGEST, LARGEST);
        let mask = self.side_and_threats(at).1;
        for (bit, input) in inputs[WIDTH + 1..WIDTH + 1 + BITS].iter_mut().enumerate() {
            *input = (mask >> bit & 1) as f32;
        }
        inputs[INPUTS - 1] = 1.0;
        inputs
    }

    fn pass(&self, at: usize, weights: &[f32]) -> ([f32; INPUTS], Pass) {
        let inputs = self.inputs(at, weights);
        let pass = forward(&inputs, &weights[layers(self.layout, self.side_and_threats(at).0)]);
        (inputs, pass)
    }

    /// Log-odds of the side to move, net and sums together.
    pub fn odds(&self, at: usize, weights: &[f32]) -> f32 {
        (self.points[at] + self.pass(at, weights).1.output * POINTS) / self.scale
    }

    /// The same by layers as the search has them.
    #[cfg(test)]
    pub fn odds_of_search(&self, at: usize, weights: &[f32]) -> f32 {
        let (side, mask) = self.side_and_threats(at);
        use goren_engine::eval::policy::CHANNELS;
        let layers = goren_engine::eval::net::Layers::new(&weights[layers(self.layout, side)]);
        let inputs = self.inputs(at, weights);
        let sums = std::array::from_fn(|i| inputs[i]);
        let output = layers.output(&sums, self.points[at] / POINTS, mask, &[0.0; CHANNELS]);
        (self.points[at] + output * POINTS) / self.scale
    }
}

impl Problem for Net<'_> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        let (inputs, pass) = self.pass(at, weights);
        let odds = (self.points[at] + pass.output * POINTS) / self.scale;
        let slope = (sigmoid(odds) - self.targets[at]) * POINTS / self.scale;
        let range = layers(self.layout, self.side_and_threats(at).0);
        let (layers, by_layers) = (&weights[range.clone()], &mut gradient[range]);
        let mut by_inputs = [0.0; INPUTS];
        backward(&pass, slope, &inputs, layers, by_layers, &mut by_inputs);
        for (row, count) in self.codes(at) {
            for (by, slope) in gradient[row..row + WIDTH].iter_mut().zip(&by_inputs) {
                *by += slope * count;
            }
        }
        log_loss(odds, self.targets[at])
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        log_loss(self.odds(at, weights), self.targets[at])
    }
}
