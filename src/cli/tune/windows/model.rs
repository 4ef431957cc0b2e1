//! The window features as they are learnt: in single precision, with the gradient of the
//! loss. `eval/windows` in the engine describes them.

#![allow(clippy::needless_range_loop)]

use anyhow::{Context, Result, bail};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::super::evaluation::{log_loss, sigmoid};
use super::super::layers::{Pass, REST, backward, forward};
use super::super::model::Ties;
use super::super::per_thread::PerThread;
use super::super::samples::{Sample, Samples};
use super::super::train::Problem;
use super::super::window_rows::{Row, RowLayout, add, clip, four, open, row};
use goren_core::rules::Rule;
use goren_core::types::{Color, DIRECTIONS};
use goren_engine::eval::net::{
    BITS, EMBEDDING_SCALE, FEATURE_LAYER, FIRST, INPUTS, LARGEST, LAYER_SCALE, NetSide, POINTS,
    WIDTH, WindowSide,
};
use goren_engine::eval::policy::{CHANNELS, WINDOW_SCALE};
use goren_engine::eval::windows::SUM_SCALE;
use goren_engine::eval::{Eval, NetInputs, Weights};

/// Inputs of the first layer, the features last.
const ALL_INPUTS: usize = INPUTS + CHANNELS;
/// Numbers of the layers.
const LAYERS: usize = ALL_INPUTS * FIRST + REST;
/// The sum of features from 0 to 1 is divided by this before it enters the first layer.
const SUM: f32 = SUM_SCALE / WINDOW_SCALE;
/// Expected change of the numbers of windows.
const ROW_SPREAD: f32 = 0.05;
/// Expected change of the numbers of the layers.
const LAYER_SPREAD: f32 = 0.15;

/// Where the numbers of a side stand in the vector that is fitted: the rows of the windows,
/// then the layers.
pub(super) struct Shape {
    windows: RowLayout,
}

impl Shape {
    pub fn of<R: Rule>() -> Shape {
        Shape { windows: RowLayout::of::<R>() }
    }

    fn layers(&self) -> usize {
        self.windows.numbers()
    }

    /// Numbers of a side.
    fn side(&self) -> usize {
        self.layers() + LAYERS
    }

    /// First number of the side of a colour.
    fn start(&self, color: Color) -> usize {
        self.windows.start(color, self.side())
    }

    /// Every number free. The layers begin as those of other weights, and so does what the
    /// weights have of window features. Otherwise the rows begin as those of the policy
    /// net, which tell windows apart already, or at random.
    ///
    /// # Errors
    /// The weights have no network.
    pub fn ties(&self, base: &Weights, seed: u64) -> Result<Ties> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut ties = Ties::default();
        for &color in &Color::ALL[..self.windows.sides] {
            let net = base.net_side(color).context(
                "the weights have no evaluation network, whose layers the window features need",
            )?;
            let policy = base.policy_side(color).map(|policy| policy.windows);
            let known = net.windows.as_ref().map(|windows| &windows.rows).or(policy.as_ref());
            for at in 0..self.layers() {
                let random = rng.random_range(-0.1..0.14);
                let start = known.map_or(random, |rows| f32::from(rows[at]) / WINDOW_SCALE);
                if self.windows.is_untouched(at) {
                    ties.add_free(0.0, 0.0);
                } else {
                    ties.add_free(ROW_SPREAD, start / ROW_SPREAD);
                }
            }
            let (first, rest) = net.layers.split_at(INPUTS * FIRST);
            let new: Vec<f32> = match &net.windows {
                Some(windows) => {
                    windows.layer.iter().map(|&n| f32::from(n) / LAYER_SCALE).collect()
                }
                None => (0..FEATURE_LAYER).map(|_| rng.random_range(-0.05..0.05)).collect(),
            };
            let old = |part: &[i16]| part.iter().map(|&n| f32::from(n) / LAYER_SCALE).collect();
            let parts: [Vec<f32>; 3] = [old(first), new, old(rest)];
            for start in parts.into_iter().flatten() {
                ties.add_free(LAYER_SPREAD, start / LAYER_SPREAD);
            }
        }
        Ok(ties)
    }

    /// The networks of other weights with the layers and features of a fitted vector.
    ///
    /// # Errors
    /// A number is not finite; the weights have no network.
    pub fn sides(&self, base: &Weights, weights: &[f32]) -> Result<[NetSide; 2]> {
        if !weights.iter().all(|weight| weight.is_finite()) {
            bail!("a number of the window features is not finite");
        }
        let side = |color: Color| {
            let numbers = &weights[self.start(color)..][..self.side()];
            let (rows, layers) = numbers.split_at(self.layers());
            let (first, layers) = layers.split_at(INPUTS * FIRST);
            let (features, rest) = layers.split_at(FEATURE_LAYER);
            // A cast from a float keeps to the range of the integer.
            let fill = |out: &mut [i16], numbers: &[f32], unit: f32| {
                out.iter_mut().zip(numbers).for_each(|(out, n)| *out = (n * unit).round() as i16);
            };
            let mut net = base.net_side(color)?;
            fill(&mut net.layers[..INPUTS * FIRST], first, LAYER_SCALE);
            fill(&mut net.layers[INPUTS * FIRST..], rest, LAYER_SCALE);
            let mut windows = WindowSide::zero(self.windows.rule);
            fill(&mut windows.rows, rows, WINDOW_SCALE);
            fill(&mut *windows.layer, features, LAYER_SCALE);
            net.windows = Some(windows);
            Some(net)
        };
        let [black, white] = Color::ALL.map(side);
        black.zip(white).map(<[NetSide; 2]>::from).context("the weights have no network")
    }
}

/// The window features and layers as a problem to learn.
pub(super) struct Trained<'a, R: Rule> {
    samples: &'a Samples<R>,
    shape: &'a Shape,
    /// By position, what the layers are given beside the features.
    known: Vec<NetInputs>,
    /// By position, the chance to win that the evaluation should give the side to move.
    targets: &'a [f32],
    /// Points of the evaluation that multiply the odds by e.
    scale: f32,
    /// The cells of the position at hand.
    pages: PerThread<Vec<SeenCell>>,
}

/// An empty cell: the first numbers of the rows of its windows, and the sum of the rows.
struct SeenCell {
    rows: [u32; 4],
    sums: Row,
}

impl<'a, R: Rule> Trained<'a, R> {
    pub fn new(
        samples: &'a Samples<R>,
        base: &std::sync::Arc<Weights>,
        shape: &'a Shape,
        targets: &'a [f32],
        scale: f32,
    ) -> Trained<'a, R> {
        let known = |at: usize| {
            samples.with(at, |sample| {
                let mut eval = Eval::new(sample.board, base.clone());
                eval.net_inputs(sample.board, sample.to_move)
            })
        };
        let known = (0..samples.len()).into_par_iter().map(known).collect();
        Trained { samples, shape, known, targets, scale, pages: PerThread::new(Vec::new) }
    }

    /// Computes a position: its log-odds, the inputs of the layers and what they made of
    /// them.
    fn forward(
        &self,
        page: &mut Vec<SeenCell>,
        (sample, at): (&Sample<'_, R>, usize),
        side: &[f32],
    ) -> (f32, [f32; ALL_INPUTS], Pass) {
        page.clear();
        let mut total = [0.0; CHANNELS];
        for cell in sample.board.empty().iter() {
            let rows = DIRECTIONS.map(|dir| {
                let window = sample.board.window_number(dir, cell);
                (self.shape.windows.rows.row(window, sample.to_move) * CHANNELS) as u32
            });
            let sums = four(rows.map(|at| row(side, at as usize)));
            for i in 0..CHANNELS {
                total[i] += clip(sums[i]);
            }
            page.push(SeenCell { rows, sums });
        }
        let NetInputs { evaluation, sums, threats } = self.known[at];
        let mut inputs = [0.0; ALL_INPUTS];
        for i in 0..WIDTH {
            inputs[i] = f32::from(sums[i]) / EMBEDDING_SCALE;
        }
        inputs[WIDTH] = (evaluation as f32 / POINTS).clamp(-LARGEST, LARGEST);
        for bit in 0..BITS {
            inputs[WIDTH + 1 + bit] = (threats >> bit & 1) as f32;
        }
        inputs[INPUTS - 1] = 1.0;
        for i in 0..CHANNELS {
            inputs[INPUTS + i] = total[i] / SUM;
        }
        let pass = forward(&inputs, &side[self.shape.layers()..]);
        let odds = (evaluation as f32 + pass.output * POINTS) / self.scale;
        (odds, inputs, pass)
    }
}

impl<R: Rule> Problem for Trained<'_, R> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        let mut one = |page: &mut Vec<SeenCell>, sample: &Sample<'_, R>| {
            let range = self.shape.start(sample.to_move)..;
            let side = &weights[range.clone()][..self.shape.side()];
            let (by_rows, by_layers) =
                gradient[range][..self.shape.side()].split_at_mut(self.shape.layers());
            let (odds, inputs, pass) = self.forward(page, (sample, at), side);
            let slope = (sigmoid(odds) - self.targets[at]) * POINTS / self.scale;
            let mut by_inputs = [0.0; ALL_INPUTS];
            let layers = &side[self.shape.layers()..];
            backward(&pass, slope, &inputs, layers, by_layers, &mut by_inputs);
            for SeenCell { rows, sums } in page.iter() {
                let mut slopes = [0.0; CHANNELS];
                let mut any = false;
                for i in 0..CHANNELS {
                    slopes[i] = by_inputs[INPUTS + i] / SUM * open(sums[i]);
                    any |= slopes[i] != 0.0;
                }
                if any {
                    rows.iter().for_each(|&at| add(by_rows, at as usize, &slopes));
                }
            }
            log_loss(odds, self.targets[at])
        };
        self.samples.with(at, |sample| self.pages.with(|page| one(page, sample)))
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        let one = |page: &mut Vec<SeenCell>, sample: &Sample<'_, R>| {
            let side = &weights[self.shape.start(sample.to_move)..][..self.shape.side()];
            log_loss(self.forward(page, (sample, at), side).0, self.targets[at])
        };
        self.samples.with(at, |sample| self.pages.with(|page| one(page, sample)))
    }
}
