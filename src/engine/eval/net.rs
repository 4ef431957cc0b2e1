//! Evaluation network. Every code has an embedding; the embeddings of the codes of all
//! empty cells are summed in an accumulator. Two hidden layers take the accumulator,
//! the evaluation without the network and the threat mask; the output is a correction of
//! the evaluation.
//!
//! Shapes: each code adds 16 numbers to the accumulator for its own colour to move and
//! 16 others to that for the opponent to move; the layers are 16 + 1 + 11 inputs, 32, 16
//! and 1, with ReLU after the hidden ones. Weights with window features (`windows.rs`)
//! add their 16 sums as inputs. Embeddings and accumulators are quantised to 16 bits
//! and updated incrementally; only the layers are computed for each position. They use
//! IEEE single precision, a fixed order and no fused multiply-add, so the result is the
//! same on every machine.

use std::array::from_fn;
use std::sync::Arc;

use super::embedding::{CHANNELS, Embedding, window_rows};
use super::table::shared;
use super::threats::THREATS;
use crate::pattern::{CODES, TABLE_SIZE};
use goren_core::rules::RuleId;
use goren_core::types::Color;

/// Length of an accumulator, and of an embedding for one colour to move.
pub const WIDTH: usize = 16;
/// Neurons of the first hidden layer.
pub const FIRST: usize = 32;
/// Neurons of the second hidden layer.
pub const SECOND: usize = 16;
/// Bits of the threat mask; each is an input of the first layer.
pub const BITS: usize = THREATS.ilog2() as usize;
/// Inputs of the first layer: the accumulator, the evaluation without the network, the
/// threat bits, and the constant 1.
pub const INPUTS: usize = WIDTH + 1 + BITS + 1;
/// Number of weights of the layers, in the order of the file: the first layer by input,
/// the second by input, its biases, the output layer and its bias.
pub const LAYER_WEIGHTS: usize = INPUTS * FIRST + (FIRST + 1) * SECOND + SECOND + 1;
/// Entries of the rows of the first layer for the window features.
pub const FEATURE_LAYER: usize = CHANNELS * FIRST;
/// Entries of the embeddings of all codes for one colour to move.
pub const ROWS: usize = CODES * WIDTH;
/// Quantisation scale of embeddings and accumulators: 1.0 is stored as 2048. An
/// accumulator must stay between -16.0 and 16.0 to fit 16 bits, which vector units add
/// without widening; in practice it stays well within.
pub const EMBEDDING_SCALE: f32 = 2048.0;
/// Quantisation scale of the weights of the layers in a file: 1.0 is stored as 2048.
pub const LAYER_SCALE: f32 = 2048.0;
/// Points that 1.0 stands for, in the output and in the evaluation input.
pub const POINTS: f32 = 200.0;
/// Bound of the evaluation input, which is clamped to `-LARGEST..=LARGEST`, in units of
/// [`POINTS`] points.
pub const LARGEST: f32 = 8.0;

/// Quantised weights of one colour, as stored in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetSide {
    /// Embeddings of the colour's codes if it is to move: `CODES` rows of [`WIDTH`]
    /// entries, in [`EMBEDDING_SCALE`]ths.
    pub to_move: Box<[i16; ROWS]>,
    /// The same if the opponent is to move.
    pub waiting: Box<[i16; ROWS]>,
    /// The layers if the colour is to move, in the order of [`LAYER_WEIGHTS`], in
    /// [`LAYER_SCALE`]ths.
    pub layers: Box<[i16; LAYER_WEIGHTS]>,
    /// The window features if the colour is to move, if the network has any.
    pub windows: Option<WindowSide>,
}

impl NetSide {
    /// Returns weights of zero without window features: the correction is always 0.
    pub fn zero() -> NetSide {
        NetSide {
            to_move: Box::new([0; ROWS]),
            waiting: Box::new([0; ROWS]),
            layers: Box::new([0; LAYER_WEIGHTS]),
            windows: None,
        }
    }
}

/// Quantised weights of the window features of one colour, as stored in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WindowSide {
    /// Embedding: [`crate::pattern::WindowRows::count`] rows of [`CHANNELS`] entries, in
    /// [`super::policy::WINDOW_SCALE`]ths.
    pub rows: Vec<i16>,
    /// Weights of the first layer, [`FIRST`] for each feature, in
    /// [`LAYER_SCALE`]ths.
    pub layer: Box<[i16; FEATURE_LAYER]>,
}

impl WindowSide {
    /// Returns weights of zero, in the shape of a rule: the features add nothing.
    pub fn zero(rule: RuleId) -> WindowSide {
        let rows = vec![0; window_rows(rule).count() * CHANNELS];
        WindowSide { rows, layer: Box::new([0; FEATURE_LAYER]) }
    }
}

/// The accumulators, by the colour to move.
pub(super) type Accumulators = [[i16; WIDTH]; 2];

/// The embeddings of a code. For a cell code: if its colour is to move, then if the opponent
/// is; for a tuple code: with Black, then with White to move. One cache line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i16; 2 * WIDTH]);

impl Row {
    pub(super) const ZERO: Row = Row([0; 2 * WIDTH]);

    /// Subtracts the row `old` and adds the row `new`.
    #[inline(always)]
    pub(super) fn exchange(&mut self, (old, new): (Row, Row)) {
        for i in 0..2 * WIDTH {
            self.0[i] = self.0[i].wrapping_add(new.0[i].wrapping_sub(old.0[i]));
        }
    }
}

impl Row {
    /// Returns the half for a colour to move, in the row of a tuple code.
    #[inline(always)]
    pub(super) fn half(&self, to_move: Color) -> &[i16; WIDTH] {
        let (black, white) = self.0.as_chunks::<WIDTH>().0.split_at(1);
        if to_move == Color::Black { &black[0] } else { &white[0] }
    }
}

/// Sums of changes of embeddings, by the colour of the codes.
pub(super) struct AccumulatorDelta([Row; 2]);

impl AccumulatorDelta {
    pub(super) const ZERO: AccumulatorDelta = AccumulatorDelta([Row::ZERO; 2]);

    /// Adds the sums to the accumulators.
    #[inline(always)]
    pub(super) fn add_to(&self, sums: &mut Accumulators) {
        let [black, white] = &self.0;
        let (of_black, of_white) = (black.0.split_at(WIDTH), white.0.split_at(WIDTH));
        let [for_black, for_white] = sums;
        add_both(for_black, of_black.0, of_white.1);
        add_both(for_white, of_white.0, of_black.1);
    }
}

#[inline(always)]
fn add_both(sums: &mut [i16; WIDTH], own: &[i16], opponent: &[i16]) {
    for (sum, (own, opponent)) in sums.iter_mut().zip(own.iter().zip(opponent)) {
        *sum = sum.wrapping_add(own.wrapping_add(*opponent));
    }
}

/// The network, laid out for lookups.
#[derive(Clone, PartialEq)]
pub(super) struct Net {
    /// By the colour of the code, and by code.
    rows: [Arc<[Row; TABLE_SIZE]>; 2],
    layers: [Layers; 2],
    /// The embedding of the window features, if there are any.
    pub(super) windows: Option<Embedding>,
}

/// The layers for one colour to move. Rows begin at cache lines, so that no vector of weights
/// straddles two.
#[derive(Clone, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Layers {
    pub(super) first: [[f32; FIRST]; INPUTS],
    pub(super) second: [[f32; SECOND]; FIRST + 1],
    pub(super) last: [f32; SECOND],
    bias: f32,
    /// Weights of the first layer for the window features, if there are any.
    pub(super) features: Option<Box<FeatureRows>>,
}

/// Weights of the first layer for the window features.
#[derive(Clone, PartialEq, Debug)]
#[repr(align(64))]
pub(super) struct FeatureRows(pub(super) [[f32; FIRST]; CHANNELS]);

impl Layers {
    /// Creates the layers from weights in the order of [`LAYER_WEIGHTS`].
    ///
    /// # Panics
    /// If there are fewer weights.
    pub fn new(numbers: &[f32]) -> Layers {
        let (first, rest) = numbers.split_at(INPUTS * FIRST);
        let (second, last) = rest.split_at((FIRST + 1) * SECOND);
        Layers {
            first: from_fn(|i| from_fn(|j| first[i * FIRST + j])),
            second: from_fn(|i| from_fn(|j| second[i * SECOND + j])),
            last: from_fn(|i| last[i]),
            bias: last[SECOND],
            features: None,
        }
    }

    /// Adds weights for window features: [`FIRST`] for each feature.
    #[must_use]
    pub fn with_features(self, numbers: &[f32; FEATURE_LAYER]) -> Layers {
        let rows = from_fn(|i| from_fn(|j| numbers[i * FIRST + j]));
        Layers { features: Some(Box::new(FeatureRows(rows))), ..self }
    }

    /// Computes the output in units of [`POINTS`] points, from an accumulator, the evaluation
    /// without the network in the same units, the threat mask, and the sums of the window
    /// features. The vector code in `eval/cpu.rs` does the same operations in the same
    /// order.
    #[inline]
    pub fn output(
        &self,
        sums: &[f32; WIDTH],
        evaluation: f32,
        mut threats: usize,
        features: &[f32; CHANNELS],
    ) -> f32 {
        let mut first = self.first[INPUTS - 1];
        for (row, &sum) in self.first.iter().zip(sums) {
            add(&mut first, row, sum);
        }
        add(&mut first, &self.first[WIDTH], evaluation.clamp(-LARGEST, LARGEST));
        while threats != 0 {
            add(&mut first, self.threat(threats), 1.0);
            threats &= threats - 1;
        }
        if let Some(rows) = &self.features {
            for (row, &feature) in rows.0.iter().zip(features) {
                add(&mut first, row, feature);
            }
        }
        // Four partial sums, because the additions to one sum depend on each other.
        let mut parts = [self.second[FIRST], [0.0; SECOND], [0.0; SECOND], [0.0; SECOND]];
        for (rows, neurons) in self.second.chunks_exact(4).zip(first.chunks_exact(4)) {
            for (part, (row, neuron)) in parts.iter_mut().zip(rows.iter().zip(neurons)) {
                add(part, row, neuron.max(0.0));
            }
        }
        let [a, b, c, d] = parts;
        let second: [f32; SECOND] = from_fn(|i| ((a[i] + b[i]) + (c[i] + d[i])).max(0.0));
        self.sum_output(from_fn(|i| second[i] * self.last[i]))
    }

    /// Returns the weights of the first layer for the lowest bit of a threat mask.
    #[inline]
    pub(super) fn threat(&self, threats: usize) -> &[f32; FIRST] {
        &self.first[WIDTH + 1 + threats.trailing_zeros() as usize % BITS]
    }

    /// Computes the output from the products of the last layer: pairwise summation, halves
    /// onto halves, plus the bias.
    #[inline(always)]
    pub(super) fn sum_output(&self, products: [f32; SECOND]) -> f32 {
        let mut sums = products;
        let mut half = SECOND / 2;
        while half > 0 {
            for i in 0..half {
                sums[i] += sums[half + i];
            }
            half /= 2;
        }
        sums[0] + self.bias
    }
}

/// Adds a row of weights times an input to a layer.
fn add<const N: usize>(neurons: &mut [f32; N], row: &[f32; N], by: f32) {
    for (neuron, weight) in neurons.iter_mut().zip(row) {
        *neuron += weight * by;
    }
}

impl Net {
    /// Creates the network from the weights of Black and White.
    ///
    /// # Panics
    /// In debug builds, if the shape of the window features does not fit the rule.
    pub(super) fn new(rule: RuleId, sides: &[NetSide; 2]) -> Net {
        let rows = |side: &NetSide| {
            let mut rows = vec![Row::ZERO; TABLE_SIZE].into_boxed_slice();
            for (code, row) in rows.iter_mut().enumerate().take(CODES) {
                let (to_move, waiting) = row.0.split_at_mut(WIDTH);
                to_move.copy_from_slice(&side.to_move[code * WIDTH..][..WIDTH]);
                waiting.copy_from_slice(&side.waiting[code * WIDTH..][..WIDTH]);
            }
            // The length is `TABLE_SIZE`, so the conversion cannot fail.
            rows.try_into().unwrap_or_else(|_| Box::new([Row::ZERO; TABLE_SIZE]))
        };
        let number = |n: i16| f32::from(n) / LAYER_SCALE;
        let layers = |side: &NetSide| {
            let layers = Layers::new(&side.layers.map(number));
            match &side.windows {
                Some(windows) => layers.with_features(&windows.layer.map(number)),
                None => layers,
            }
        };
        let windows = match sides.each_ref().map(|side| side.windows.as_ref()) {
            [Some(black), Some(white)] => Some(Embedding::new(rule, [&black.rows, &white.rows])),
            _ => None,
        };
        Net {
            rows: shared(sides.each_ref().map(rows)),
            layers: sides.each_ref().map(layers),
            windows,
        }
    }

    /// Returns the weights of a colour, as stored in a file.
    pub(super) fn side(&self, rule: RuleId, color: Color) -> NetSide {
        let rows = &self.rows[color.index()];
        let layers = &self.layers[color.index()];
        let numbers = layers.first.as_flattened().iter().chain(layers.second.as_flattened());
        let mut side = NetSide::zero();
        let numbers = numbers.chain(&layers.last).chain([&layers.bias]);
        for (entry, number) in side.layers.iter_mut().zip(numbers) {
            *entry = (number * LAYER_SCALE) as i16;
        }
        for at in 0..ROWS {
            let Row(numbers) = rows[at / WIDTH];
            side.to_move[at] = numbers[at % WIDTH];
            side.waiting[at] = numbers[WIDTH + at % WIDTH];
        }
        if let (Some(embedding), Some(rows)) = (&self.windows, &layers.features) {
            let number = |at: usize| (rows.0.as_flattened()[at] * LAYER_SCALE) as i16;
            let layer = Box::new(from_fn(number));
            side.windows = Some(WindowSide { rows: embedding.side(rule, color), layer });
        }
        side
    }

    /// Adds an incremental update: a cell's codes (for Black and White) change from `old` to
    /// `new`.
    #[inline(always)]
    pub(super) fn change(&self, delta: &mut AccumulatorDelta, old: [u16; 2], new: [u16; 2]) {
        let [black, white] = &self.rows;
        let rows = |rows: &[Row; TABLE_SIZE], c: usize| {
            (rows[old[c] as usize % TABLE_SIZE], rows[new[c] as usize % TABLE_SIZE])
        };
        // Unrolled by hand: in a loop the compiler keeps the delta in memory, not in
        // registers.
        delta.0[0].exchange(rows(black, 0));
        delta.0[1].exchange(rows(white, 1));
    }

    /// Returns the layers for a colour to move.
    #[inline]
    pub(super) fn layers(&self, to_move: Color) -> &Layers {
        &self.layers[to_move.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_agree_with_the_formula() {
        let number = |i: usize| ((i * 37 % 101) as f32 - 50.0) / 64.0;
        let numbers: Vec<f32> = (0..LAYER_WEIGHTS).map(number).collect();
        let sums: [f32; WIDTH] = from_fn(|i| number(i * 7 + 3));
        let (evaluation, threats) = (1.25, 0b100_0010_1001);
        let features: [f32; CHANNELS] = from_fn(|i| number(i * 11 + 5));
        let feature_layer: [f32; FEATURE_LAYER] = from_fn(|i| number(i * 5 + 1));
        let mut inputs = sums.to_vec();
        inputs.push(evaluation);
        inputs.extend((0..BITS).map(|bit| (threats >> bit & 1) as f32));
        inputs.push(1.0);
        let layer = |inputs: &[f32], start: usize, width: usize| -> Vec<f64> {
            let weight = |i: usize, j: usize| f64::from(number(start + i * width + j));
            let neuron =
                |j| inputs.iter().enumerate().map(|(i, &x)| f64::from(x) * weight(i, j)).sum();
            (0..width).map(neuron).collect()
        };
        let relu = |neurons: Vec<f64>| -> Vec<f32> {
            neurons.iter().map(|&n| n.max(0.0) as f32).chain([1.0]).collect()
        };
        let mut first = layer(&inputs, 0, FIRST);
        for (j, neuron) in first.iter_mut().enumerate() {
            let term = |i: usize| f64::from(features[i]) * f64::from(feature_layer[i * FIRST + j]);
            *neuron += (0..CHANNELS).map(term).sum::<f64>();
        }
        let first = relu(first);
        let second = relu(layer(&first, INPUTS * FIRST, SECOND));
        let expected = layer(&second, INPUTS * FIRST + (FIRST + 1) * SECOND, 1)[0];
        let layers = Layers::new(&numbers).with_features(&feature_layer);
        let found = f64::from(layers.output(&sums, evaluation, threats, &features));
        assert!((found - expected).abs() < 1e-3 * expected.abs().max(1.0), "{found} {expected}");
    }

    #[test]
    fn rows_of_weights_begin_at_cache_lines() {
        let layers = Layers::new(&[0.0; LAYER_WEIGHTS]).with_features(&[0.0; FEATURE_LAYER]);
        let rows = layers.features.as_ref().unwrap();
        let starts = [layers.first.as_ptr().addr(), layers.second.as_ptr().addr()];
        assert_eq!(starts.map(|start| start % 64), [0; 2]);
        assert_eq!([layers.last.as_ptr().addr(), rows.0.as_ptr().addr()].map(|at| at % 64), [0; 2]);
    }
}
