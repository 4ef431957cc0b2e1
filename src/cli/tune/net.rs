//! Fit of the evaluation network of any game: a correction of the fitted evaluation, on the
//! same positions and targets.
//!
//! The rows of the codes on the board are summed. The sums, the evaluation without the
//! network, bits of the state and a constant 1 are the [`INPUTS`] of the layers.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::evaluation::{Evaluation, log_loss, sigmoid};
use super::layers::{Pass, backward, forward, set_inputs};
use super::ties::Ties;
use super::train::Problem;
use goren_engine::eval::net::{INPUTS, LAYER_WEIGHTS, POINTS, SECOND, WIDTH};

/// Expected magnitude of the numbers of a row: the unit of their steps.
const ROW_SPREAD: f32 = 0.02;
/// Expected magnitude of the numbers of the layers.
const LAYER_SPREAD: f32 = 0.15;
/// Range of the random initial numbers of a row, on either side of 0.
const INITIAL_ROW: f32 = 0.012;

/// Layout of the numbers of a network in the fitted vector: a row of [`WIDTH`]
/// numbers for each code, then [`LAYER_WEIGHTS`] numbers for each side with layers of its
/// own.
pub(super) struct NetLayout {
    /// By code: whether it has a row. The rows of others stay 0.
    has_row: Vec<bool>,
    /// By state of a position.
    states: Vec<NetState>,
    /// Number of sides.
    sides: usize,
}

/// The inputs of the network for the state of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct NetState {
    /// The side whose layers are used.
    pub side: usize,
    /// Bits, each an input.
    pub bits: usize,
}

impl NetLayout {
    /// A layout of rows by code, and of states in the order of their weights, which follow
    /// those of all codes.
    pub fn new(has_row: Vec<bool>, states: Vec<NetState>) -> NetLayout {
        let sides = states.iter().map(|state| state.side + 1).max().unwrap_or(1);
        NetLayout { has_row, states, sides }
    }

    /// Length of the vector.
    pub fn len(&self) -> usize {
        self.rows() + self.sides * LAYER_WEIGHTS
    }

    /// Length of the rows of all codes.
    pub fn rows(&self) -> usize {
        self.has_row.len() * WIDTH
    }

    /// The layers of a side in the vector.
    pub fn layers(&self, side: usize) -> std::ops::Range<usize> {
        let start = self.rows() + side * LAYER_WEIGHTS;
        start..start + LAYER_WEIGHTS
    }

    /// Ties with every number free, initially random. The output layer begins at 0.
    pub fn ties(&self, seed: u64) -> Ties {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut ties = Ties::default();
        for &has_row in &self.has_row {
            let unit = if has_row { ROW_SPREAD } else { 0.0 };
            for _ in 0..WIDTH {
                ties.add_free(unit, rng.random_range(-INITIAL_ROW..INITIAL_ROW) / ROW_SPREAD);
            }
        }
        for _ in 0..self.sides {
            for at in 0..LAYER_WEIGHTS {
                let is_output = at >= LAYER_WEIGHTS - SECOND - 1;
                let start = if is_output { 0.0 } else { rng.random_range(-1.0..1.0) };
                ties.add_free(LAYER_SPREAD, start);
            }
        }
        ties
    }

    /// Ties with every number free, initially as in the vector of a network of this layout.
    pub fn ties_from(&self, numbers: &[f32]) -> Ties {
        let mut ties = Ties::default();
        for (at, number) in numbers.iter().enumerate() {
            let unit = match self.has_row.get(at / WIDTH) {
                None => LAYER_SPREAD,
                Some(true) => ROW_SPREAD,
                Some(false) => 0.0,
            };
            ties.add_free(unit, if unit == 0.0 { 0.0 } else { number / unit });
        }
        ties
    }
}

/// The network as a problem to fit.
pub(super) struct NetFit<'a> {
    /// The positions, their targets and the scale; not the weights.
    pub evaluation: &'a Evaluation<'a>,
    /// The vector.
    pub layout: &'a NetLayout,
    /// By position, the points of the evaluation without the network.
    pub points: &'a [f32],
}

impl NetFit<'_> {
    fn state(&self, at: usize) -> NetState {
        let first = self.layout.has_row.len();
        self.layout.states[self.evaluation.positions.state_at(at) - first]
    }

    /// The first numbers of the rows of a position, and how often each counts.
    fn rows(&self, at: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let codes = self.evaluation.positions.codes_at(at);
        let with_row = codes.filter(|&(code, _)| self.layout.has_row[code]);
        with_row.map(|(code, count)| (code * WIDTH, f32::from(count)))
    }

    fn inputs(&self, at: usize, weights: &[f32]) -> [f32; INPUTS] {
        let mut inputs = [0.0; INPUTS];
        for (row, count) in self.rows(at) {
            for (sum, weight) in inputs[..WIDTH].iter_mut().zip(&weights[row..][..WIDTH]) {
                *sum += weight * count;
            }
        }
        set_inputs(&mut inputs, self.points[at], self.state(at).bits);
        inputs
    }

    fn pass(&self, at: usize, weights: &[f32]) -> ([f32; INPUTS], Pass) {
        let inputs = self.inputs(at, weights);
        let pass = forward(&inputs, &weights[self.layout.layers(self.state(at).side)]);
        (inputs, pass)
    }

    /// Log-odds of the side to move, by evaluation and network together.
    pub fn odds(&self, at: usize, weights: &[f32]) -> f32 {
        (self.points[at] + self.pass(at, weights).1.output * POINTS) / self.evaluation.scale
    }

    /// The same by the layers of the engine.
    #[cfg(test)]
    pub fn odds_of_search(&self, at: usize, weights: &[f32]) -> f32 {
        use goren_engine::eval::net::Layers;
        use goren_engine::eval::policy::CHANNELS;
        let NetState { side, bits } = self.state(at);
        let layers = Layers::new(&weights[self.layout.layers(side)]);
        let inputs = self.inputs(at, weights);
        let sums = std::array::from_fn(|i| inputs[i]);
        let output = layers.output(&sums, self.points[at] / POINTS, bits, &[0.0; CHANNELS]);
        (self.points[at] + output * POINTS) / self.evaluation.scale
    }
}

impl Problem for NetFit<'_> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        let (inputs, pass) = self.pass(at, weights);
        let Evaluation { targets, scale, .. } = *self.evaluation;
        let odds = (self.points[at] + pass.output * POINTS) / scale;
        let slope = (sigmoid(odds) - targets[at]) * POINTS / scale;
        let range = self.layout.layers(self.state(at).side);
        let (layers, by_layers) = (&weights[range.clone()], &mut gradient[range]);
        let mut by_inputs = [0.0; INPUTS];
        backward(&pass, slope, &inputs, layers, by_layers, &mut by_inputs);
        for (row, count) in self.rows(at) {
            for (by, slope) in gradient[row..][..WIDTH].iter_mut().zip(&by_inputs) {
                *by += slope * count;
            }
        }
        log_loss(odds, targets[at])
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        log_loss(self.odds(at, weights), self.evaluation.targets[at])
    }
}
