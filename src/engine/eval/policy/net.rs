//! Weights of the policy net, and its layers after the embedding.

use std::array::from_fn;

use arrayvec::ArrayVec;

use super::cells::{Cells, PADDING};
use crate::eval::embedding::{CHANNELS, CLIP, Embedding, Row, window_rows};
use crate::eval::near::{EarlierMove, NEAR, number_by_lookup};
use crate::game::MoveList;
use goren_core::rules::RuleId;
use goren_core::types::{Cell, Color, MAX_SIDE, STRIDE};

/// Quantisation scale of the kernel. The sums of the convolution, including the biases and
/// the rows of places, have the scale `WINDOW_SCALE * KERNEL_SCALE`; the activations have
/// the scale of features, `WINDOW_SCALE`.
pub const KERNEL_SCALE: f32 = 64.0;
/// Right shift from the sums of the convolution to activations.
pub const ACTIVATION_SHIFT: u32 = 6;
/// Right shift from the weighted sum of the activations to policy scores.
pub const OUTPUT_SHIFT: u32 = 8;
/// Right shift from the sum of `global` times board sums to output weights.
pub const GLOBAL_SHIFT: u32 = 14;

/// Maximum distance of a move's policy score from the best for the net to evaluate the move.
/// 100 points of policy score multiply the odds of a move by e.
pub const MARGIN: i32 = 600;

/// Quantised weights of the net for one colour to move, as stored in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicySide {
    /// Embedding: [`crate::pattern::WindowRows::count`] rows of [`CHANNELS`] entries.
    pub windows: Vec<i16>,
    /// Convolution, [`CHANNELS`] weights each: for the cell, for its neighbours along
    /// rows and columns, for its neighbours along diagonals.
    pub kernel: [i16; 3 * CHANNELS],
    /// [`PolicySide::PLACE_ROWS`] rows of [`CHANNELS`] entries: the biases of the
    /// convolution, then the rows of places relative to the last two moves, by
    /// [`crate::eval::near::number`].
    pub places: Vec<i16>,
    /// Output weights, without the part that depends on the board (`global`).
    pub output: [i16; CHANNELS],
    /// Contribution of the sum of a feature over the board to an output weight:
    /// entry `weight * CHANNELS + feature`.
    pub global: [i16; CHANNELS * CHANNELS],
}

impl PolicySide {
    /// Number of rows of `places`: the biases, and one for each of the [`NEAR`] places.
    pub const PLACE_ROWS: usize = NEAR + 1;

    /// Returns weights of zero, in the shape of a rule: the output is 0 for every move.
    pub fn zero(rule: RuleId) -> PolicySide {
        PolicySide {
            windows: vec![0; window_rows(rule).count() * CHANNELS],
            kernel: [0; 3 * CHANNELS],
            places: vec![0; PolicySide::PLACE_ROWS * CHANNELS],
            output: [0; CHANNELS],
            global: [0; CHANNELS * CHANNELS],
        }
    }
}

/// The net for both colours to move, laid out for lookups.
#[derive(Clone, PartialEq)]
pub struct PolicyNet {
    pub(in crate::eval) embedding: Embedding,
    layers: [Layers; 2],
}

/// The layers after the embedding, for one colour to move.
#[derive(Clone, PartialEq)]
struct Layers {
    kernel: [[i32; CHANNELS]; 3],
    /// Biases of the convolution.
    bias: [i32; CHANNELS],
    places: Box<[Row; NEAR]>,
    output: Row,
    /// By feature, then by output weight.
    global: [Row; CHANNELS],
}

impl PolicyNet {
    /// Creates the net from the weights for Black and for White to move.
    ///
    /// # Panics
    /// In debug builds, if their shape does not fit the rule.
    pub fn new(rule: RuleId, sides: &[PolicySide; 2]) -> PolicyNet {
        let embedding = Embedding::new(rule, sides.each_ref().map(|side| &side.windows[..]));
        PolicyNet { embedding, layers: sides.each_ref().map(Layers::new) }
    }

    /// Returns the weights for a colour to move, as stored in a file.
    pub fn side(&self, rule: RuleId, color: Color) -> PolicySide {
        let mut side = PolicySide::zero(rule);
        side.windows = self.embedding.side(rule, color);
        let layers = &self.layers[color.index()];
        side.kernel = from_fn(|at| layers.kernel[at / CHANNELS][at % CHANNELS] as i16);
        let (bias, places) = side.places.split_at_mut(CHANNELS);
        bias.copy_from_slice(&layers.bias.map(|number| number as i16));
        places.copy_from_slice(layers.places.as_flattened());
        side.output = layers.output;
        side.global = from_fn(|at| layers.global[at % CHANNELS][at / CHANNELS]);
        side
    }

    /// Adds the output of the net to the policy scores of moves of `to_move`, given the
    /// features of all cells and the last two moves, the opponent's first. Moves more
    /// than [`MARGIN`] below the best are not evaluated: they get the lowest output of the
    /// evaluated ones, and so stay behind these.
    #[inline(always)]
    pub(super) fn score(
        &self,
        cells: &Cells,
        to_move: Color,
        last: [Option<EarlierMove>; 2],
        moves: &mut MoveList,
    ) {
        let layers = &self.layers[to_move.index()];
        let weights = layers.weights(cells.sums());
        let best = moves.iter().map(|entry| entry.score).max().unwrap_or(0);
        let mut unscored = ArrayVec::<u16, { MAX_SIDE * MAX_SIDE }>::new();
        let mut lowest = i32::MAX;
        for i in 0..moves.len() {
            let entry = &mut moves[i];
            if entry.score < best - MARGIN {
                unscored.push(i as u16);
                continue;
            }
            let output = layers.output_of(cells, &weights, last, entry.m.cell());
            entry.score += output;
            lowest = lowest.min(output);
        }
        for &i in &unscored {
            moves[usize::from(i)].score += lowest;
        }
    }
}

impl Layers {
    fn new(side: &PolicySide) -> Layers {
        let mut places = Box::new([[0; CHANNELS]; NEAR]);
        places.as_flattened_mut().copy_from_slice(&side.places[CHANNELS..]);
        Layers {
            kernel: from_fn(|at| from_fn(|i| side.kernel[at * CHANNELS + i].into())),
            bias: from_fn(|i| side.places[i].into()),
            places,
            output: side.output,
            global: from_fn(|feature| from_fn(|w| side.global[w * CHANNELS + feature])),
        }
    }

    /// Returns the output weights for a board with these sums of features, clamped so that the
    /// weighted sum of the activations fits `i32`.
    #[inline(always)]
    fn weights(&self, sums: &[i32; CHANNELS]) -> [i32; CHANNELS] {
        let mut weights = [0_i64; CHANNELS];
        for j in 0..CHANNELS {
            for i in 0..CHANNELS {
                weights[i] += i64::from(self.global[j][i]) * i64::from(sums[j]);
            }
        }
        let limit = i64::from(i32::MAX) / (CHANNELS as i64 * i64::from(CLIP)) / 2;
        let mut out = [0; CHANNELS];
        for i in 0..CHANNELS {
            let weight = i64::from(self.output[i]) + (weights[i] >> GLOBAL_SHIFT);
            out[i] = weight.clamp(-limit, limit) as i32;
        }
        out
    }

    /// Computes the output of the net for a move on `cell`, in points of policy score.
    #[inline(always)]
    fn output_of(
        &self,
        cells: &Cells,
        weights: &[i32; CHANNELS],
        last: [Option<EarlierMove>; 2],
        cell: Cell,
    ) -> i32 {
        let at = PADDING + cell.index();
        let edges = cells.sum_of_four(at, [1, STRIDE]);
        let corners = cells.sum_of_four(at, [STRIDE + 1, STRIDE - 1]);
        let [middle, edge, corner] = &self.kernel;
        let center = cells.at(at);
        let mut sums = [0_i32; CHANNELS];
        for i in 0..CHANNELS {
            sums[i] = self.bias[i]
                + middle[i] * i32::from(center[i])
                + edge[i] * i32::from(edges[i])
                + corner[i] * i32::from(corners[i]);
        }
        for own in [false, true] {
            if let Some(earlier) = last[usize::from(own)] {
                let row = &self.places[number_by_lookup(own, earlier, cell)];
                for i in 0..CHANNELS {
                    sums[i] += i32::from(row[i]);
                }
            }
        }
        let mut total = 0;
        for i in 0..CHANNELS {
            total += (sums[i] >> ACTIVATION_SHIFT).clamp(0, CLIP.into()) * weights[i];
        }
        total >> OUTPUT_SHIFT
    }
}
