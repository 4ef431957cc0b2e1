//! The window features as they are fitted: in single precision, with the gradient of the
//! loss. `eval/windows` in the engine describes them.

#![allow(clippy::needless_range_loop)]

use anyhow::{Context, Result};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::super::evaluation::{log_loss, sigmoid};
use super::super::layers::{Pass, REST, backward, forward, set_inputs};
use super::super::per_thread::PerThread;
use super::super::quantize::{check_finite, restored, store};
use super::super::replayed::{ReplayedPosition, ReplayedPositions};
use super::super::ties::Ties;
use super::super::train::Problem;
use super::super::window_rows::{RowLayout, WindowRow, add, clip, clip_slope, row, sum_rows};
use goren_core::rules::Rule;
use goren_core::types::{Color, DIRECTIONS};
use goren_engine::eval::net::{
    EMBEDDING_SCALE, FEATURE_LAYER, FIRST, INPUTS, LAYER_SCALE, NetSide, POINTS, WIDTH, WindowSide,
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

/// Layout of the numbers of a side in the fitted vector: the rows of the windows,
/// then the layers.
pub(super) struct WindowLayout {
    windows: RowLayout,
}

impl WindowLayout {
    pub fn of<R: Rule>() -> WindowLayout {
        WindowLayout { windows: RowLayout::of::<R>() }
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

    /// Ties with every number free. The layers begin as those of `base`, and so do its window
    /// features, if it has them. Otherwise the rows begin as those of the policy net, which
    /// already distinguish windows, or at random.
    ///
    /// # Errors
    /// `base` has no network.
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
                Some(windows) => restored(&*windows.layer, LAYER_SCALE).collect(),
                None => (0..FEATURE_LAYER).map(|_| rng.random_range(-0.05..0.05)).collect(),
            };
            let old = |part: &[i16]| restored(part, LAYER_SCALE).collect();
            let parts: [Vec<f32>; 3] = [old(first), new, old(rest)];
            for start in parts.into_iter().flatten() {
                ties.add_free(LAYER_SPREAD, start / LAYER_SPREAD);
            }
        }
        Ok(ties)
    }

    /// The networks of `base` with the layers and features of a fitted vector.
    ///
    /// # Errors
    /// A number is not finite; `base` has no network.
    pub fn sides(&self, base: &Weights, weights: &[f32]) -> Result<[NetSide; 2]> {
        check_finite(weights, "window features")?;
        let side = |color: Color| {
            let numbers = &weights[self.start(color)..][..self.side()];
            let (rows, layers) = numbers.split_at(self.layers());
            let (first, layers) = layers.split_at(INPUTS * FIRST);
            let (features, rest) = layers.split_at(FEATURE_LAYER);
            let mut net = base.net_side(color)?;
            store(&mut net.layers[..INPUTS * FIRST], first, LAYER_SCALE);
            store(&mut net.layers[INPUTS * FIRST..], rest, LAYER_SCALE);
            let mut windows = WindowSide::zero(self.windows.rule);
            store(&mut windows.rows, rows, WINDOW_SCALE);
            store(&mut *windows.layer, features, LAYER_SCALE);
            net.windows = Some(windows);
            Some(net)
        };
        let [black, white] = Color::ALL.map(side);
        black.zip(white).map(<[NetSide; 2]>::from).context("the weights have no network")
    }
}

/// The window features and layers as a problem to fit.
pub(super) struct WindowProblem<'a, R: Rule> {
    positions: &'a ReplayedPositions<R>,
    layout: &'a WindowLayout,
    /// By position, the inputs of the layers besides the features; they do not change.
    fixed: Vec<NetInputs>,
    /// By position, the expected result of the side to move, 0 to 1.
    targets: &'a [f32],
    /// Points of the evaluation per unit of log-odds.
    scale: f32,
    /// The empty cells of the position of a thread.
    scratches: PerThread<Vec<SeenCell>>,
}

/// An empty cell: the first numbers of the rows of its windows, and the sum of the rows.
struct SeenCell {
    rows: [u32; 4],
    sums: WindowRow,
}

impl<'a, R: Rule> WindowProblem<'a, R> {
    pub fn new(
        positions: &'a ReplayedPositions<R>,
        base: &std::sync::Arc<Weights>,
        layout: &'a WindowLayout,
        targets: &'a [f32],
        scale: f32,
    ) -> WindowProblem<'a, R> {
        let fixed = |at: usize| {
            positions.with(at, |position| {
                let mut eval = Eval::new(position.board, base.clone());
                eval.net_inputs(position.board, position.to_move)
            })
        };
        let fixed = (0..positions.len()).into_par_iter().map(fixed).collect();
        let scratches = PerThread::new(Vec::new);
        WindowProblem { positions, layout, fixed, targets, scale, scratches }
    }

    /// The log-odds of a position, the inputs of the layers and their intermediate values. The
    /// empty cells are written to `scratch`.
    fn forward(
        &self,
        scratch: &mut Vec<SeenCell>,
        (position, at): (&ReplayedPosition<'_, R>, usize),
        side: &[f32],
    ) -> (f32, [f32; ALL_INPUTS], Pass) {
        scratch.clear();
        let mut total = [0.0; CHANNELS];
        for cell in position.board.empty().iter() {
            let rows = DIRECTIONS.map(|dir| {
                let window = position.board.window_number(dir, cell);
                (self.layout.windows.rows.row(window, position.to_move) * CHANNELS) as u32
            });
            let sums = sum_rows(rows.map(|at| row(side, at as usize)));
            for i in 0..CHANNELS {
                total[i] += clip(sums[i]);
            }
            scratch.push(SeenCell { rows, sums });
        }
        let NetInputs { evaluation, sums, threats } = self.fixed[at];
        let mut inputs = [0.0; ALL_INPUTS];
        for i in 0..WIDTH {
            inputs[i] = f32::from(sums[i]) / EMBEDDING_SCALE;
        }
        set_inputs(&mut inputs, evaluation as f32, threats);
        for i in 0..CHANNELS {
            inputs[INPUTS + i] = total[i] / SUM;
        }
        let pass = forward(&inputs, &side[self.layout.layers()..]);
        let odds = (evaluation as f32 + pass.output * POINTS) / self.scale;
        (odds, inputs, pass)
    }
}

impl<R: Rule> Problem for WindowProblem<'_, R> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        let mut learn_at = |scratch: &mut Vec<SeenCell>, position: &ReplayedPosition<'_, R>| {
            let range = self.layout.start(position.to_move)..;
            let side = &weights[range.clone()][..self.layout.side()];
            let (by_rows, by_layers) =
                gradient[range][..self.layout.side()].split_at_mut(self.layout.layers());
            let (odds, inputs, pass) = self.forward(scratch, (position, at), side);
            let slope = (sigmoid(odds) - self.targets[at]) * POINTS / self.scale;
            let mut by_inputs = [0.0; ALL_INPUTS];
            let layers = &side[self.layout.layers()..];
            backward(&pass, slope, &inputs, layers, by_layers, &mut by_inputs);
            for SeenCell { rows, sums } in scratch.iter() {
                let mut slopes = [0.0; CHANNELS];
                let mut any = false;
                for i in 0..CHANNELS {
                    slopes[i] = by_inputs[INPUTS + i] / SUM * clip_slope(sums[i]);
                    any |= slopes[i] != 0.0;
                }
                if any {
                    rows.iter().for_each(|&at| add(by_rows, at as usize, &slopes));
                }
            }
            log_loss(odds, self.targets[at])
        };
        self.positions
            .with(at, |position| self.scratches.with(|scratch| learn_at(scratch, position)))
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        let loss_at = |scratch: &mut Vec<SeenCell>, position: &ReplayedPosition<'_, R>| {
            let side = &weights[self.layout.start(position.to_move)..][..self.layout.side()];
            log_loss(self.forward(scratch, (position, at), side).0, self.targets[at])
        };
        self.positions
            .with(at, |position| self.scratches.with(|scratch| loss_at(scratch, position)))
    }
}
