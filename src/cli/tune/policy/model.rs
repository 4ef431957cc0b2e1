//! The policy net as it is fitted: in single precision, with the gradient of its loss. The
//! engine describes the net (`eval/policy`).

#![allow(clippy::needless_range_loop)]

use std::array::from_fn;

use anyhow::{Context, Result};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::super::ordering::FIVE_SCALE;
use super::super::per_thread::PerThread;
use super::super::quantize::{check_finite, restored, store};
use super::super::replayed::{ReplayedPosition, ReplayedPositions};
use super::super::ties::Ties;
use super::super::train::Problem;
use super::super::window_rows::{RowLayout, WindowRow, add, clip, clip_slope, row, sum_rows};
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, DIRECTIONS, FRAME, STRIDE};
use goren_engine::eval::Weights;
use goren_engine::eval::near::number;
use goren_engine::eval::policy::{
    ACTIVATION_SHIFT, CHANNELS, CLIP, GLOBAL_SHIFT, KERNEL_SCALE, OUTPUT_SHIFT, PolicySide,
    WINDOW_SCALE,
};

/// The sums of features over the board are divided by this, which makes them as large as the
/// other numbers.
const BOARD: f32 = 64.0;
/// Scale of the integers of the output weights, which are log-odds for a feature of 1. A
/// feature of 1 is stored as [`WINDOW_SCALE`].
const OUTPUT_SCALE: f32 = FIVE_SCALE * (1 << OUTPUT_SHIFT) as f32 / WINDOW_SCALE;
/// Scale of the integers by which the sums over the board change the output weights.
const GLOBAL_SCALE: f32 = OUTPUT_SCALE * (1 << GLOBAL_SHIFT) as f32 / (BOARD * WINDOW_SCALE);
/// Scale of the integers of the rows of places.
const PLACE_SCALE: f32 = WINDOW_SCALE * KERNEL_SCALE;

/// Layout of the numbers of a side in the fitted vector: rows of windows, kernel of
/// the convolution, rows of places (the bias first), output weights, and the matrix by which
/// the sums over the board change these.
pub(super) struct PolicyLayout {
    windows: RowLayout,
}

impl PolicyLayout {
    pub fn of<R: Rule>() -> PolicyLayout {
        const { assert!(KERNEL_SCALE == (1 << ACTIVATION_SHIFT) as f32) };
        const { assert!(WINDOW_SCALE == CLIP as f32) };
        PolicyLayout { windows: RowLayout::of::<R>() }
    }

    fn kernel(&self) -> usize {
        self.windows.numbers()
    }

    fn places(&self) -> usize {
        self.kernel() + 3 * CHANNELS
    }

    fn output(&self) -> usize {
        self.places() + PolicySide::PLACE_ROWS * CHANNELS
    }

    fn global(&self) -> usize {
        self.output() + CHANNELS
    }

    /// Numbers of a side.
    fn side(&self) -> usize {
        self.global() + CHANNELS * CHANNELS
    }

    /// First number of the side of a colour.
    fn start(&self, color: Color) -> usize {
        self.windows.start(color, self.side())
    }

    /// Ties with every number free, initially random.
    pub fn ties(&self, seed: u64) -> Ties {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut ties = Ties::default();
        for _ in 0..self.windows.sides {
            for at in 0..self.side() {
                let (unit, [low, high]) = self.scale(at);
                let start = if low < high { rng.random_range(low..high) } else { 0.0 };
                ties.add_free(unit, if unit == 0.0 { 0.0 } else { start / unit });
            }
        }
        ties
    }

    /// Ties with every number free, initially as in the net of `base`.
    ///
    /// # Errors
    /// `base` has no policy net.
    pub fn ties_from(&self, base: &Weights) -> Result<Ties> {
        let mut ties = Ties::default();
        for color in &Color::ALL[..self.windows.sides] {
            let side = base.policy_side(*color).context("the weights have no policy net")?;
            let parts: [(&[i16], f32); 5] = [
                (&side.windows, WINDOW_SCALE),
                (&side.kernel, KERNEL_SCALE),
                (&side.places, PLACE_SCALE),
                (&side.output, OUTPUT_SCALE),
                (&side.global, GLOBAL_SCALE),
            ];
            let numbers = parts.iter().flat_map(|(part, scale)| restored(part, *scale));
            for (at, number) in numbers.enumerate() {
                let (unit, _) = self.scale(at);
                ties.add_free(unit, if unit == 0.0 { 0.0 } else { number / unit });
            }
        }
        Ok(ties)
    }

    /// The expected change of a number, which is the unit of its steps, and the bounds of its
    /// random initial value.
    fn scale(&self, at: usize) -> (f32, [f32; 2]) {
        match at {
            _ if self.windows.is_untouched(at) => (0.0, [0.0; 2]),
            _ if at < self.kernel() => (0.1, [-0.1, 0.14]),
            _ if at < self.kernel() + CHANNELS => (0.1, [0.3, 0.9]),
            _ if at < self.places() => (0.1, [-0.2, 0.2]),
            _ if at < self.places() + CHANNELS => (0.1, [0.0, 0.2]),
            _ if at < self.output() => (0.1, [-0.05, 0.05]),
            _ if at < self.global() => (0.5, [-1.5, 1.5]),
            _ => (0.5, [0.0; 2]),
        }
    }

    /// The net of a vector, by colour.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn sides(&self, weights: &[f32]) -> Result<[PolicySide; 2]> {
        check_finite(weights, "policy net")?;
        Ok(Color::ALL.map(|color| {
            let numbers = &weights[self.start(color)..][..self.side()];
            let mut side = PolicySide::zero(self.windows.rule);
            store(&mut side.windows, numbers, WINDOW_SCALE);
            store(&mut side.kernel, &numbers[self.kernel()..], KERNEL_SCALE);
            store(&mut side.places, &numbers[self.places()..], PLACE_SCALE);
            store(&mut side.output, &numbers[self.output()..], OUTPUT_SCALE);
            store(&mut side.global, &numbers[self.global()..], GLOBAL_SCALE);
            side
        }))
    }
}

/// The choice of the best move as a problem to fit.
pub(super) struct PolicyProblem<'a, R: Rule> {
    positions: &'a ReplayedPositions<R>,
    base: &'a Weights,
    layout: &'a PolicyLayout,
    scratches: PerThread<Scratch>,
}

/// Cells before and after those of the frame of a board, so that all neighbours have an index.
const MARGIN: usize = 2 * STRIDE;

/// Intermediate values of one position.
struct Scratch {
    /// The empty cells and the rows of their windows.
    cells: Vec<(Cell, [u32; 4])>,
    /// Features by cell, zeros elsewhere.
    features: Vec<WindowRow>,
    /// Derivatives of the loss by features, zeros between positions.
    slopes: Vec<WindowRow>,
    moves: Vec<CandidateMove>,
}

/// A move that can be chosen.
struct CandidateMove {
    /// Index of its cell in [`Scratch::features`].
    at: usize,
    /// First numbers of the rows of its places, seen from the last two moves.
    places: [Option<usize>; 2],
    /// Sums of the features of the neighbours along rows and columns, and along diagonals.
    edges: WindowRow,
    corners: WindowRow,
    /// Channels after the convolution, not clipped yet.
    sums: WindowRow,
    /// Log-odds of the choice; after the forward pass its probability, and in the backward pass
    /// the derivative of the loss by the log-odds.
    odds: f32,
}

impl Scratch {
    fn new() -> Scratch {
        let rows = vec![[0.0; CHANNELS]; MARGIN + FRAME + MARGIN];
        Scratch { cells: Vec::new(), features: rows.clone(), slopes: rows, moves: Vec::new() }
    }

    fn clear(&mut self) {
        for (cell, _) in self.cells.drain(..) {
            self.features[MARGIN + cell.index()] = [0.0; CHANNELS];
        }
        self.moves.clear();
    }
}

/// The neighbours along rows and columns, and along diagonals.
fn around(at: usize) -> [[usize; 4]; 2] {
    [
        [at - 1, at + 1, at - STRIDE, at + STRIDE],
        [at - STRIDE - 1, at - STRIDE + 1, at + STRIDE - 1, at + STRIDE + 1],
    ]
}

impl<'a, R: Rule> PolicyProblem<'a, R> {
    pub fn new(
        positions: &'a ReplayedPositions<R>,
        base: &'a Weights,
        layout: &'a PolicyLayout,
    ) -> PolicyProblem<'a, R> {
        PolicyProblem { positions, base, layout, scratches: PerThread::new(Scratch::new) }
    }

    /// The loss of a position, the sums of features over the board, the output weights that they
    /// result in, and the index of the best move.
    fn forward(
        &self,
        scratch: &mut Scratch,
        position: &ReplayedPosition<'_, R>,
        side: &[f32],
    ) -> (f32, WindowRow, WindowRow, usize) {
        scratch.clear();
        let (board, layout) = (position.board, self.layout);
        let mut sums = [0.0; CHANNELS];
        for cell in board.empty().iter() {
            let rows = DIRECTIONS.map(|dir| {
                layout.windows.rows.row(board.window_number(dir, cell), position.to_move) as u32
            });
            let parts = rows.map(|at| row(side, at as usize * CHANNELS));
            let mut feature = sum_rows(parts);
            for i in 0..CHANNELS {
                feature[i] = clip(feature[i]);
                sums[i] += feature[i] / BOARD;
            }
            scratch.features[MARGIN + cell.index()] = feature;
            scratch.cells.push((cell, rows));
        }
        let global = &side[layout.global()..];
        let output: WindowRow = from_fn(|k| {
            let more: f32 = (0..CHANNELS).map(|j| global[k * CHANNELS + j] * sums[j]).sum();
            side[layout.output() + k] + more
        });
        let kernel: [&WindowRow; 3] = from_fn(|i| row(side, layout.kernel() + i * CHANNELS));
        let bias = row(side, layout.places());
        let mut best = 0;
        for (i, entry) in position.moves(self.base).iter().enumerate() {
            let cell = entry.m.cell();
            if cell == position.best {
                best = i;
            }
            let at = MARGIN + cell.index();
            let [edges, corners] =
                around(at).map(|cells| sum_rows(cells.map(|cell| &scratch.features[cell])));
            let own = &scratch.features[at];
            let mut sums = *bias;
            for i in 0..CHANNELS {
                let near = kernel[1][i] * edges[i] + kernel[2][i] * corners[i];
                sums[i] += kernel[0][i] * own[i] + near;
            }
            let places = [(false, 0), (true, 1)].map(|(is_follow_up, which)| {
                let place = 1 + number(is_follow_up, position.last[which]?, cell);
                Some(layout.places() + place * CHANNELS)
            });
            for place in places.into_iter().flatten() {
                let row = row(side, place);
                for i in 0..CHANNELS {
                    sums[i] += row[i];
                }
            }
            let mut odds = entry.score as f32 / FIVE_SCALE;
            for i in 0..CHANNELS {
                odds += clip(sums[i]) * output[i];
            }
            scratch.moves.push(CandidateMove { at, places, edges, corners, sums, odds });
        }
        let max = scratch.moves.iter().map(|m| m.odds).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = scratch.moves.iter().map(|m| (m.odds - max).exp()).sum();
        let chosen = scratch.moves[best].odds;
        // Softmax.
        scratch.moves.iter_mut().for_each(|m| m.odds = (m.odds - max).exp() / sum);
        (max + sum.ln() - chosen, sums, output, best)
    }

    fn backward(
        &self,
        scratch: &mut Scratch,
        (sums, output, best): (WindowRow, WindowRow, usize),
        side: &[f32],
        gradient: &mut [f32],
    ) {
        let layout = self.layout;
        let kernel: [&WindowRow; 3] = from_fn(|i| row(side, layout.kernel() + i * CHANNELS));
        let mut by_output = [0.0; CHANNELS];
        let mut by_kernel = [[0.0; CHANNELS]; 3];
        let mut by_bias = [0.0; CHANNELS];
        scratch.moves[best].odds -= 1.0;
        for m in &scratch.moves {
            let mut slope = [0.0; CHANNELS];
            for i in 0..CHANNELS {
                slope[i] = clip_slope(m.sums[i]) * m.odds * output[i];
            }
            for i in 0..CHANNELS {
                by_output[i] += m.odds * clip(m.sums[i]);
                by_bias[i] += slope[i];
                by_kernel[0][i] += slope[i] * scratch.features[m.at][i];
                by_kernel[1][i] += slope[i] * m.edges[i];
                by_kernel[2][i] += slope[i] * m.corners[i];
            }
            for place in m.places.into_iter().flatten() {
                add(gradient, place, &slope);
            }
            let mut pass = |at: usize, which: usize| {
                let out = &mut scratch.slopes[at];
                for i in 0..CHANNELS {
                    out[i] += slope[i] * kernel[which][i];
                }
            };
            pass(m.at, 0);
            let [edges, corners] = around(m.at);
            edges.into_iter().for_each(|at| pass(at, 1));
            corners.into_iter().for_each(|at| pass(at, 2));
        }
        let global = layout.global();
        let mut by_sums = [0.0; CHANNELS];
        for k in 0..CHANNELS {
            for j in 0..CHANNELS {
                gradient[global + k * CHANNELS + j] += by_output[k] * sums[j];
                by_sums[j] += by_output[k] * side[global + k * CHANNELS + j] / BOARD;
            }
        }
        add(gradient, layout.output(), &by_output);
        add(gradient, layout.places(), &by_bias);
        for (i, by_kernel) in by_kernel.iter().enumerate() {
            add(gradient, layout.kernel() + i * CHANNELS, by_kernel);
        }
        for (cell, rows) in &scratch.cells {
            let at = MARGIN + cell.index();
            let feature = &scratch.features[at];
            let mut slope = [0.0; CHANNELS];
            for i in 0..CHANNELS {
                slope[i] = clip_slope(feature[i]) * (scratch.slopes[at][i] + by_sums[i]);
            }
            rows.iter().for_each(|&at| add(gradient, at as usize * CHANNELS, &slope));
        }
        // Cleared also for neighbours that are occupied or off the board, which learn nothing.
        for m in &scratch.moves {
            for at in around(m.at).into_iter().flatten().chain([m.at]) {
                scratch.slopes[at] = [0.0; CHANNELS];
            }
        }
    }
}

impl<R: Rule> Problem for PolicyProblem<'_, R> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        self.positions.with(at, |position| {
            self.scratches.with(|scratch| {
                let (from, size) = (self.layout.start(position.to_move), self.layout.side());
                let side = &weights[from..][..size];
                let (loss, sums, output, best) = self.forward(scratch, position, side);
                let gradient = &mut gradient[from..][..size];
                self.backward(scratch, (sums, output, best), side, gradient);
                loss
            })
        })
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        self.positions.with(at, |position| {
            self.scratches.with(|scratch| {
                let side = &weights[self.layout.start(position.to_move)..][..self.layout.side()];
                self.forward(scratch, position, side).0
            })
        })
    }
}
