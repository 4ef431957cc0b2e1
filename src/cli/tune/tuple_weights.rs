//! Conversion between fitted vectors and the weights of the games on a line-count board.
//!
//! The vector of the evaluation has a value in points for every code of a tuple, of which
//! those of canonical codes with stones count, then one for every state. A tuple and its
//! reverse have the same value, and a tuple without stones has none.

use anyhow::Result;

use super::net::{NetLayout, NetState};
use super::quantize::{check_finite, restored, store, stored};
use super::ties::Ties;
use goren_engine::eval::net::{EMBEDDING_SCALE, LAYER_SCALE, LAYER_WEIGHTS};
use goren_engine::eval::tuple_codes::{canonical, has_stones, reversed};
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::eval::{TupleFamily, TupleNetWeights, VALUE_SCALE, state_bits};

/// Expected deviation of the value of a code from its prior, in points.
const VALUE_SPREAD: f32 = 5.0;
/// Expected deviation of the value of a state from its prior, in points.
const STATE_SPREAD: f32 = 50.0;

/// Number of codes of a tuple of `span` cells.
pub(super) fn codes(span: usize) -> usize {
    1 << (2 * span)
}

/// Every code of a tuple of `span` cells.
fn all_codes(span: usize) -> impl Iterator<Item = u16> {
    0..=(codes(span) - 1) as u16
}

/// The vector of the evaluation of weights.
pub(super) fn vector(family: &TupleFamily, weights: &TupleWeights) -> Vec<f32> {
    let span = family.span();
    let mut vector = vec![0.0; codes(span) + family.states().max(1)];
    for code in all_codes(span) {
        // Where the two directions differ, their mean keeps the sum over a board and
        // its mirror image, which has each tuple in both directions.
        let value = |code| f32::from(weights.value(code)) / VALUE_SCALE as f32;
        let mirrored = reversed(code, span);
        if has_stones(code, span) {
            vector[usize::from(canonical(code, span))] = (value(code) + value(mirrored)) / 2.0;
        }
    }
    for (slot, &points) in vector[codes(span)..].iter_mut().zip(weights.states()) {
        *slot = points.into();
    }
    vector
}

/// The weights of a vector of the evaluation.
///
/// # Errors
/// A number is not finite.
pub(super) fn weights(family: &TupleFamily, vector: &[f32]) -> Result<TupleWeights> {
    check_finite(vector, "evaluation")?;
    let span = family.span();
    let (values, states) = vector.split_at(codes(span));
    let value = |code: u16| {
        let value = values[usize::from(canonical(code, span))];
        stored(value, VALUE_SCALE as f32).max(-i16::MAX)
    };
    let states = states[..family.states()].iter().map(|&points| stored(points, 1.0)).collect();
    Ok(TupleWeights::new(span, value).with_states(states))
}

/// The ties of the evaluation: every value deviates from that of a vector.
pub(super) fn ties(family: &TupleFamily, prior_values: &[f32]) -> Ties {
    let span = family.span();
    let mut ties = Ties::default();
    for (i, &value) in prior_values.iter().enumerate() {
        let spread = if i >= codes(span) {
            STATE_SPREAD
        } else if has_stones(i as u16, span) {
            VALUE_SPREAD
        } else {
            0.0
        };
        ties.add_with_prior(spread, value);
    }
    ties
}

/// The layout of the network: a row for each canonical code with stones, and one set of
/// layers.
pub(super) fn net_layout(family: &TupleFamily) -> NetLayout {
    let (span, states) = (family.span(), family.states());
    let has_row =
        all_codes(span).map(|code| canonical(code, span) == code && has_stones(code, span));
    let state = |state| NetState { side: 0, bits: state_bits(states, state) };
    NetLayout::new(has_row.collect(), (0..states.max(1)).map(state).collect())
}

/// The network of a vector.
///
/// # Errors
/// A number is not finite.
pub(super) fn net_weights(layout: &NetLayout, numbers: &[f32]) -> Result<TupleNetWeights> {
    check_finite(numbers, "network")?;
    let mut net =
        TupleNetWeights { rows: vec![0; layout.rows()], layers: Box::new([0; LAYER_WEIGHTS]) };
    store(&mut net.rows, numbers, EMBEDDING_SCALE);
    store(&mut *net.layers, &numbers[layout.layers(0)], LAYER_SCALE);
    Ok(net)
}

/// The vector of a network, whose numbers are rounded.
pub(super) fn net_vector(net: &TupleNetWeights) -> Vec<f32> {
    let rows = restored(&net.rows, EMBEDDING_SCALE);
    rows.chain(restored(&net.layers[..], LAYER_SCALE)).collect()
}
