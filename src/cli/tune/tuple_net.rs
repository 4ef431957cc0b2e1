//! Fit of the evaluation network of the games on a line-count board: its correction of
//! the fitted tuple values, on the same positions and targets.

use anyhow::{Result, ensure};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::evaluation::{Evaluation, log_loss, sigmoid};
use super::layers::{Pass, backward, forward};
use super::learn::learn;
use super::loaded::Split;
use super::model::Ties;
use super::net::{FIRST_ROW, HEAD_SPREAD, ROW_SPREAD};
use super::train::{Fit, Problem, Schedule};
use goren_engine::eval::net::{
    BITS, EMBEDDING_SCALE, INPUTS, LARGEST, LAYER_SCALE, LAYER_WEIGHTS, POINTS, SECOND, WIDTH,
};
use goren_engine::eval::tuple_codes::{canonical, has_stones};
use goren_engine::eval::{TupleFamily, TupleNetWeights, state_bits};

/// The network as a problem to learn. The vector that is fitted has a row of [`WIDTH`]
/// numbers for every code of a tuple, of which those of canonical codes with stones count,
/// and then the layers.
pub(super) struct TupleNet<'a> {
    evaluation: &'a Evaluation<'a>,
    codes: usize,
    states: usize,
    /// Points of each position without the network.
    points: Vec<f32>,
}

impl<'a> TupleNet<'a> {
    /// Upon tuple values, as [`Evaluation`] knows them.
    pub fn new(family: &TupleFamily, evaluation: &'a Evaluation, values: &[f32]) -> TupleNet<'a> {
        let count = evaluation.positions.len();
        let points = (0..count).map(|at| evaluation.odds(at, values) * evaluation.scale).collect();
        TupleNet { evaluation, codes: 1 << (2 * family.span()), states: family.states(), points }
    }

    /// First number of the layers.
    fn layers(&self) -> usize {
        self.codes * WIDTH
    }

    fn pass(&self, at: usize, weights: &[f32]) -> ([f32; INPUTS], Pass) {
        let mut inputs = [0.0; INPUTS];
        for (code, count) in self.evaluation.positions.codes_at(at) {
            let row = &weights[code * WIDTH..][..WIDTH];
            for (sum, weight) in inputs[..WIDTH].iter_mut().zip(row) {
                *sum += weight * f32::from(count);
            }
        }
        inputs[WIDTH] = (self.points[at] / POINTS).clamp(-LARGEST, LARGEST);
        let state = self.evaluation.positions.threats_at(at) - self.codes;
        let bits = state_bits(self.states, state);
        for (bit, input) in inputs[WIDTH + 1..][..BITS].iter_mut().enumerate() {
            *input = (bits >> bit & 1) as f32;
        }
        inputs[INPUTS - 1] = 1.0;
        let pass = forward(&inputs, &weights[self.layers()..]);
        (inputs, pass)
    }

    /// Log-odds of the side to move, tuple values and network together.
    pub fn odds(&self, at: usize, weights: &[f32]) -> f32 {
        (self.points[at] + self.pass(at, weights).1.output * POINTS) / self.evaluation.scale
    }

    /// Every number free, at random at first. The output begins at 0.
    fn ties(&self, span: usize, seed: u64) -> Ties {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut ties = Ties::default();
        for code in 0..=(self.codes - 1) as u16 {
            let counts = canonical(code, span) == code && has_stones(code, span);
            for _ in 0..WIDTH {
                let unit = if counts { ROW_SPREAD } else { 0.0 };
                ties.add_free(unit, rng.random_range(-FIRST_ROW..FIRST_ROW) / ROW_SPREAD);
            }
        }
        for at in 0..LAYER_WEIGHTS {
            let is_last = at >= LAYER_WEIGHTS - SECOND - 1;
            let start = if is_last { 0.0 } else { rng.random_range(-1.0..1.0) };
            ties.add_free(HEAD_SPREAD, start);
        }
        ties
    }

    /// Fits the network; its vector, and how the fit went.
    ///
    /// # Errors
    /// The fit fails.
    pub fn fit(
        &self,
        args: &Args,
        span: usize,
        split: &Split,
        checkpoint: &mut Checkpoint,
    ) -> Result<Fit> {
        let schedule =
            Schedule { epochs: args.net_epochs, batch: 2048, rate: args.net_rate, seed: args.seed };
        let ties = self.ties(span, args.seed);
        learn("net", self, &ties, &split.train, &split.valid, &schedule, checkpoint)
    }

    /// The network of a vector.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn weights(&self, numbers: &[f32]) -> Result<TupleNetWeights> {
        ensure!(numbers.iter().all(|n| n.is_finite()), "a number of the net is not finite");
        let (rows, layers) = numbers.split_at(self.layers());
        // A cast from a float keeps to the range of the integer.
        let rows = rows.iter().map(|n| (n * EMBEDDING_SCALE).round() as i16).collect();
        let mut stored = Box::new([0; LAYER_WEIGHTS]);
        for (stored, n) in stored.iter_mut().zip(layers) {
            *stored = (n * LAYER_SCALE).round() as i16;
        }
        Ok(TupleNetWeights { rows, layers: stored })
    }
}

impl Problem for TupleNet<'_> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        let (inputs, pass) = self.pass(at, weights);
        let scale = self.evaluation.scale;
        let odds = (self.points[at] + pass.output * POINTS) / scale;
        let target = self.evaluation.targets[at];
        let slope = (sigmoid(odds) - target) * POINTS / scale;
        let (by_rows, by_layers) = gradient.split_at_mut(self.layers());
        let mut by_inputs = [0.0; INPUTS];
        let layers = &weights[self.layers()..];
        backward(&pass, slope, &inputs, layers, by_layers, &mut by_inputs);
        for (code, count) in self.evaluation.positions.codes_at(at) {
            let row = &mut by_rows[code * WIDTH..][..WIDTH];
            for (by, slope) in row.iter_mut().zip(&by_inputs) {
                *by += slope * f32::from(count);
            }
        }
        log_loss(odds, target)
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        log_loss(self.odds(at, weights), self.evaluation.targets[at])
    }
}

#[cfg(test)]
mod tests {
    use super::super::positions::{Label, Positions};
    use super::*;
    use crate::tune::tests::slopes::Comparison;
    use goren_core::rules::Variant;
    use goren_core::types::keys::mix;
    use goren_engine::game::tuple_family;

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let family = tuple_family(Variant::from_name("pente").unwrap()).unwrap();
        let (codes, count) = (1 << (2 * family.span()), 20);
        let mut positions = Positions::default();
        for at in 0..count {
            let label = Label { score: 0, result: None, held_out: false };
            let code = |i: u64| canonical((mix(at << 8 | i) % codes) as u16, family.span());
            let seen = (0..30).map(|i| (code(i), 1 + (i % 3) as u8));
            positions.push(label, (codes + 5 * at) as usize, seen, None);
        }
        let targets = vec![0.3; count as usize];
        let evaluation = Evaluation { positions: &positions, targets: &targets, scale: 200.0 };
        let values = (0..codes + family.states() as u64).map(|i| (mix(i) % 20) as f32 - 10.0);
        let net = TupleNet::new(family, &evaluation, &values.collect::<Vec<_>>());
        let numbers = (0..net.layers() + LAYER_WEIGHTS).map(|i| (mix(i as u64) % 400) as f32);
        let numbers: Vec<f32> = numbers.map(|n| (n - 200.0) / 1000.0).collect();
        let comparison = Comparison { least: 1e-4, step: 1e-3, tolerance: 1e-3 };
        let [compared, wrong] = comparison.wrong(&net, 0..count as usize, &numbers);
        // Where a neuron begins to count there is no slope.
        assert!(compared > 300 && wrong * 20 < compared, "{wrong} of {compared}");
    }
}
