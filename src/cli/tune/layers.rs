//! The layers of the evaluation network as they are fitted, with any number of inputs: in
//! single precision, with the gradient of the loss.
//!
//! Their weights are stored as in the engine (`LAYER_WEIGHTS`): the first layer by input,
//! the second by neuron of the first, its biases, the output layer and its bias.

use goren_engine::eval::net::{BITS, FIRST, INPUTS, LARGEST, POINTS, SECOND, WIDTH};

/// Number of weights after the first layer.
pub(super) const REST: usize = (FIRST + 1) * SECOND + SECOND + 1;

/// Writes the inputs after the sums of rows: the evaluation without the network, in points,
/// the [`BITS`] bits of the state, and the constant 1.
pub(super) fn set_inputs(inputs: &mut [f32], points: f32, bits: usize) {
    inputs[WIDTH] = (points / POINTS).clamp(-LARGEST, LARGEST);
    for (bit, input) in inputs[WIDTH + 1..][..BITS].iter_mut().enumerate() {
        *input = (bits >> bit & 1) as f32;
    }
    inputs[INPUTS - 1] = 1.0;
}

/// Intermediate values of a forward pass.
pub(super) struct Pass {
    first: [f32; FIRST],
    second: [f32; SECOND],
    /// The correction, in units of [`POINTS`] points.
    pub output: f32,
}

/// Computes the layers for some inputs.
pub(super) fn forward(inputs: &[f32], layers: &[f32]) -> Pass {
    let mut first = [0.0; FIRST];
    for (row, &input) in layers.chunks_exact(FIRST).zip(inputs) {
        if input != 0.0 {
            first.iter_mut().zip(row).for_each(|(cell, weight)| *cell += weight * input);
        }
    }
    let layers = &layers[inputs.len() * FIRST..];
    let mut second: [f32; SECOND] = std::array::from_fn(|i| layers[FIRST * SECOND + i]);
    for (row, cell) in layers.chunks_exact(SECOND).zip(first) {
        let cell = cell.max(0.0);
        second.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight * cell);
    }
    let last = &layers[(FIRST + 1) * SECOND..];
    let output = second.iter().zip(last).fold(last[SECOND], |sum, (c, w)| sum + c.max(0.0) * w);
    Pass { first, second, output }
}

/// Adds the derivatives of the loss by the layers to `by_layers`, where the derivative by the
/// output is `slope`; writes those by the inputs to `by_inputs`.
pub(super) fn backward(
    pass: &Pass,
    slope: f32,
    inputs: &[f32],
    layers: &[f32],
    by_layers: &mut [f32],
    by_inputs: &mut [f32],
) {
    let (layer, rest) = layers.split_at(inputs.len() * FIRST);
    let (by_layer, by_rest) = by_layers.split_at_mut(inputs.len() * FIRST);
    let last = &rest[(FIRST + 1) * SECOND..];
    let (by_second, by_last) = by_rest.split_at_mut((FIRST + 1) * SECOND);

    // From the output back to the second layer.
    let mut at_second = [0.0; SECOND];
    for i in 0..SECOND {
        by_last[i] += slope * pass.second[i].max(0.0);
        at_second[i] = if pass.second[i] > 0.0 { slope * last[i] } else { 0.0 };
        by_second[FIRST * SECOND + i] += at_second[i];
    }
    by_last[SECOND] += slope;
    // From the second layer back to the first.
    let mut at_first = [0.0; FIRST];
    let rows = rest.chunks_exact(SECOND).zip(by_second.chunks_exact_mut(SECOND));
    for ((row, by_row), (cell, slope)) in rows.zip(pass.first.iter().zip(&mut at_first)) {
        if *cell > 0.0 {
            for i in 0..SECOND {
                by_row[i] += at_second[i] * cell;
                *slope += at_second[i] * row[i];
            }
        }
    }
    // From the first layer back to the inputs.
    let rows = layer.chunks_exact(FIRST).zip(by_layer.chunks_exact_mut(FIRST));
    for ((row, by_row), (&input, by_input)) in rows.zip(inputs.iter().zip(by_inputs)) {
        if input != 0.0 {
            by_row.iter_mut().zip(&at_first).for_each(|(by, slope)| *by += slope * input);
        }
        *by_input = row.iter().zip(&at_first).map(|(weight, slope)| weight * slope).sum();
    }
}
