//! The policy net as it is learnt: in single precision, with the gradient of
//! its loss. What each step means is told in the engine (`eval/policy`).

#![allow(clippy::needless_range_loop)]

use std::array::from_fn;

use anyhow::{Result, bail};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::super::model::Ties;
use super::super::per_thread::PerThread;
use super::super::samples::{Sample, Samples};
use super::super::train::Problem;
use super::super::window_rows::{Row, RowLayout, add, clip, four, open, row};
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, DIRECTIONS, FRAME, STRIDE};
use goren_engine::eval::Weights;
use goren_engine::eval::near::number;
use goren_engine::eval::policy::{
    ACTIVATION_SHIFT, CHANNELS, CLIP, GLOBAL_SHIFT, KERNEL_SCALE, OUTPUT_SHIFT, PolicySide,
    WINDOW_SCALE,
};

/// Policy score that multiplies the odds of a move by e.
const SCORE_OF_E: f32 = 100.0;
/// The sums over the board are divided by this, so that they are of the size
/// of the other numbers.
const BOARD: f32 = 64.0;
/// What the numbers of the output, in the logarithm of the odds for a feature
/// at its largest, are counted in where they are integers.
const OUTPUT_SCALE: f32 = SCORE_OF_E * (1 << OUTPUT_SHIFT) as f32 / WINDOW_SCALE;
/// The same for what the whole board adds.
const GLOBAL_SCALE: f32 = OUTPUT_SCALE * (1 << GLOBAL_SHIFT) as f32 / (BOARD * WINDOW_SCALE);
/// Unit of the places.
const PLACE_SCALE: f32 = WINDOW_SCALE * KERNEL_SCALE;

/// Where the numbers of a side stand in the vector that is fitted.
pub(super) struct Shape {
    windows: RowLayout,
}

impl Shape {
    pub fn of<R: Rule>() -> Shape {
        const { assert!(KERNEL_SCALE == (1 << ACTIVATION_SHIFT) as f32) };
        const { assert!(WINDOW_SCALE == CLIP as f32) };
        Shape { windows: RowLayout::of::<R>() }
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

    /// Every number free, at first by chance.
    pub fn ties(&self, seed: u64) -> Ties {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut ties = Ties::default();
        for _ in 0..self.windows.sides {
            for at in 0..self.side() {
                let (unit, [least, most]) = self.scale(at);
                let start = if least < most { rng.random_range(least..most) } else { 0.0 };
                ties.add_free(unit, if unit == 0.0 { 0.0 } else { start / unit });
            }
        }
        ties
    }

    /// Every number free, at first as in other weights.
    ///
    /// # Errors
    /// They have no policy net.
    pub fn ties_from(&self, base: &Weights) -> Result<Ties> {
        let mut ties = Ties::default();
        for color in &Color::ALL[..self.windows.sides] {
            let Some(side) = base.policy_side(*color) else { bail!("there is no policy net") };
            let parts: [(&[i16], f32); 5] = [
                (&side.windows, WINDOW_SCALE),
                (&side.kernel, KERNEL_SCALE),
                (&side.places, PLACE_SCALE),
                (&side.output, OUTPUT_SCALE),
                (&side.global, GLOBAL_SCALE),
            ];
            let numbers = parts
                .iter()
                .flat_map(|(part, unit)| part.iter().map(move |&n| f32::from(n) / unit));
            for (at, number) in numbers.enumerate() {
                let (unit, _) = self.scale(at);
                ties.add_free(unit, if unit == 0.0 { 0.0 } else { number / unit });
            }
        }
        Ok(ties)
    }

    /// By how much a number is expected to change, which is what a step is
    /// measured in, and between which bounds it begins.
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

    /// The numbers as a file has them.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn sides(&self, weights: &[f32]) -> Result<[PolicySide; 2]> {
        if !weights.iter().all(|weight| weight.is_finite()) {
            bail!("a number of the policy net is not finite");
        }
        Ok(Color::ALL.map(|color| {
            let numbers = &weights[self.start(color)..][..self.side()];
            let mut side = PolicySide::zero(self.windows.rule);
            let fill = |out: &mut [i16], from: usize, unit: f32| {
                for (out, number) in out.iter_mut().zip(&numbers[from..]) {
                    // A cast from a float keeps to the range of the integer.
                    *out = (number * unit).round() as i16;
                }
            };
            fill(&mut side.windows, 0, WINDOW_SCALE);
            fill(&mut side.kernel, self.kernel(), KERNEL_SCALE);
            fill(&mut side.places, self.places(), PLACE_SCALE);
            fill(&mut side.output, self.output(), OUTPUT_SCALE);
            fill(&mut side.global, self.global(), GLOBAL_SCALE);
            side
        }))
    }
}

/// The choice of moves as a problem to learn.
pub(super) struct Trained<'a, R: Rule> {
    samples: &'a Samples<R>,
    base: &'a Weights,
    shape: &'a Shape,
    pages: PerThread<Page>,
}

/// Room for the cells around a board.
const MARGIN: usize = 2 * STRIDE;

/// Intermediate values of one position.
struct Page {
    /// The empty cells and the rows of their windows.
    cells: Vec<(Cell, [u32; 4])>,
    /// Features by cell, zeros elsewhere.
    features: Vec<Row>,
    /// The gradient by features.
    slopes: Vec<Row>,
    moves: Vec<Candidate>,
}

/// A move to choose.
struct Candidate {
    at: usize,
    places: [Option<usize>; 2],
    edges: Row,
    corners: Row,
    /// After the convolution, before it is clipped.
    sums: Row,
    worth: f32,
}

impl Page {
    fn new() -> Page {
        let rows = vec![[0.0; CHANNELS]; MARGIN + FRAME + MARGIN];
        Page { cells: Vec::new(), features: rows.clone(), slopes: rows, moves: Vec::new() }
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

impl<'a, R: Rule> Trained<'a, R> {
    pub fn new(samples: &'a Samples<R>, base: &'a Weights, shape: &'a Shape) -> Trained<'a, R> {
        Trained { samples, base, shape, pages: PerThread::new(Page::new) }
    }

    /// Works a position out; the loss, and what was found of the whole board:
    /// the sums of features and the weights of the output.
    fn forward(
        &self,
        page: &mut Page,
        sample: &Sample<'_, R>,
        side: &[f32],
    ) -> (f32, Row, Row, usize) {
        page.clear();
        let (board, shape) = (sample.board, self.shape);
        let mut sums = [0.0; CHANNELS];
        for cell in board.empty().iter() {
            let rows = DIRECTIONS.map(|dir| {
                shape.windows.rows.row(board.window_number(dir, cell), sample.to_move) as u32
            });
            let parts = rows.map(|at| row(side, at as usize * CHANNELS));
            let mut feature = four(parts);
            for i in 0..CHANNELS {
                feature[i] = clip(feature[i]);
                sums[i] += feature[i] / BOARD;
            }
            page.features[MARGIN + cell.index()] = feature;
            page.cells.push((cell, rows));
        }
        let global = &side[shape.global()..];
        let output: Row = from_fn(|k| {
            let more: f32 = (0..CHANNELS).map(|j| global[k * CHANNELS + j] * sums[j]).sum();
            side[shape.output() + k] + more
        });
        let kernel: [&Row; 3] = from_fn(|i| row(side, shape.kernel() + i * CHANNELS));
        let bias = row(side, shape.places());
        let mut best = 0;
        for (i, entry) in sample.moves(self.base).iter().enumerate() {
            let cell = entry.m.cell();
            if cell == sample.best {
                best = i;
            }
            let at = MARGIN + cell.index();
            let [edges, corners] =
                around(at).map(|cells| four(cells.map(|cell| &page.features[cell])));
            let own = &page.features[at];
            let mut sums = *bias;
            for i in 0..CHANNELS {
                let near = kernel[1][i] * edges[i] + kernel[2][i] * corners[i];
                sums[i] += kernel[0][i] * own[i] + near;
            }
            let places = [(false, 0), (true, 1)].map(|(plan, which)| {
                let place = 1 + number(plan, sample.last[which]?, cell);
                Some(shape.places() + place * CHANNELS)
            });
            for place in places.into_iter().flatten() {
                let row = row(side, place);
                for i in 0..CHANNELS {
                    sums[i] += row[i];
                }
            }
            let mut worth = entry.score as f32 / SCORE_OF_E;
            for i in 0..CHANNELS {
                worth += clip(sums[i]) * output[i];
            }
            page.moves.push(Candidate { at, places, edges, corners, sums, worth });
        }
        let most = page.moves.iter().map(|m| m.worth).fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = page.moves.iter().map(|m| (m.worth - most).exp()).sum();
        let chosen = page.moves[best].worth;
        // From here on the chance of the move.
        page.moves.iter_mut().for_each(|m| m.worth = (m.worth - most).exp() / sum);
        (most + sum.ln() - chosen, sums, output, best)
    }

    fn backward(
        &self,
        page: &mut Page,
        (sums, output, best): (Row, Row, usize),
        side: &[f32],
        gradient: &mut [f32],
    ) {
        let shape = self.shape;
        let kernel: [&Row; 3] = from_fn(|i| row(side, shape.kernel() + i * CHANNELS));
        let mut by_output = [0.0; CHANNELS];
        let mut by_kernel = [[0.0; CHANNELS]; 3];
        let mut by_bias = [0.0; CHANNELS];
        page.moves[best].worth -= 1.0;
        for m in &page.moves {
            let mut slope = [0.0; CHANNELS];
            for i in 0..CHANNELS {
                slope[i] = open(m.sums[i]) * m.worth * output[i];
            }
            for i in 0..CHANNELS {
                by_output[i] += m.worth * clip(m.sums[i]);
                by_bias[i] += slope[i];
                by_kernel[0][i] += slope[i] * page.features[m.at][i];
                by_kernel[1][i] += slope[i] * m.edges[i];
                by_kernel[2][i] += slope[i] * m.corners[i];
            }
            for place in m.places.into_iter().flatten() {
                add(gradient, place, &slope);
            }
            let mut pass = |at: usize, which: usize| {
                let out = &mut page.slopes[at];
                for i in 0..CHANNELS {
                    out[i] += slope[i] * kernel[which][i];
                }
            };
            pass(m.at, 0);
            let [edges, corners] = around(m.at);
            edges.into_iter().for_each(|at| pass(at, 1));
            corners.into_iter().for_each(|at| pass(at, 2));
        }
        let global = shape.global();
        let mut by_sums = [0.0; CHANNELS];
        for k in 0..CHANNELS {
            for j in 0..CHANNELS {
                gradient[global + k * CHANNELS + j] += by_output[k] * sums[j];
                by_sums[j] += by_output[k] * side[global + k * CHANNELS + j] / BOARD;
            }
        }
        add(gradient, shape.output(), &by_output);
        add(gradient, shape.places(), &by_bias);
        for (i, by_kernel) in by_kernel.iter().enumerate() {
            add(gradient, shape.kernel() + i * CHANNELS, by_kernel);
        }
        for (cell, rows) in &page.cells {
            let at = MARGIN + cell.index();
            let feature = &page.features[at];
            let mut slope = [0.0; CHANNELS];
            for i in 0..CHANNELS {
                slope[i] = open(feature[i]) * (page.slopes[at][i] + by_sums[i]);
            }
            rows.iter().for_each(|&at| add(gradient, at as usize * CHANNELS, &slope));
        }
        // Neighbours that are not empty, or off the board, learn nothing.
        for m in &page.moves {
            for at in around(m.at).into_iter().flatten().chain([m.at]) {
                page.slopes[at] = [0.0; CHANNELS];
            }
        }
    }
}

impl<R: Rule> Problem for Trained<'_, R> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        self.samples.with(at, |sample| {
            self.pages.with(|page| {
                let (from, size) = (self.shape.start(sample.to_move), self.shape.side());
                let side = &weights[from..][..size];
                let (loss, sums, output, best) = self.forward(page, sample, side);
                let gradient = &mut gradient[from..][..size];
                self.backward(page, (sums, output, best), side, gradient);
                loss
            })
        })
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        self.samples.with(at, |sample| {
            self.pages.with(|page| {
                let side = &weights[self.shape.start(sample.to_move)..][..self.shape.side()];
                self.forward(page, sample, side).0
            })
        })
    }
}
