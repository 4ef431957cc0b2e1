//! Evaluation network of the games on a [`LineCountBoard`](crate::board::LineCountBoard),
//! on top of the sum of tuple values: the network of five in a row (`net.rs`) with
//! embeddings of tuple codes instead of cell codes.
//!
//! The embeddings of all tuples are summed in an accumulator, for either colour to move.
//! The inputs of [`Layers`] are the accumulator, the evaluation without the network and,
//! in place of the threat mask, up to [`BITS`] bits of the state; the output is a
//! correction of the evaluation. A tuple without stones has the embedding 0, so that the
//! size of a board does not matter.

use super::cpu;
use super::embedding::CHANNELS;
use super::net::{BITS, LAYER_SCALE, LAYER_WEIGHTS, Layers, POINTS, Row, WIDTH};
use super::tuple_codes::{canonical, exchanged, has_stones};
use goren_core::types::Score;

/// Bits of the thermometer code of a number of captured stones; see [`state_bits`].
const STEPS: usize = 5;

/// Returns the bits that encode a state, one of `states`, as inputs of the layers. A square
/// number of states stands for the stones that the side to move and the opponent have
/// captured, each from 0 to the number that wins: two thermometer codes of five bits, one
/// bit for each full fifth of that number. Other states are binary numbers: in Connect6 one
/// bit for the stones left in the turn.
pub fn state_bits(states: usize, state: usize) -> usize {
    let side = states.isqrt();
    if side < 2 || side * side != states {
        return state % (1 << BITS);
    }
    let thermometer = |captured: usize| (1 << (STEPS * captured / (side - 1))) - 1;
    thermometer(state / side) | thermometer(state % side) << STEPS
}

/// Quantised weights of a network, as stored in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TupleNetWeights {
    /// Embeddings by canonical code, own stones coded as Black's: a row of [`WIDTH`]
    /// entries for every code, in [`super::net::EMBEDDING_SCALE`]ths. Rows of codes that
    /// are not canonical or have no stones are ignored.
    pub rows: Vec<i16>,
    /// The layers in the order of [`LAYER_WEIGHTS`], in [`LAYER_SCALE`]ths.
    pub layers: Box<[i16; LAYER_WEIGHTS]>,
}

/// A network, laid out for lookups.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TupleNet {
    /// By code: the embeddings with Black and with White to move.
    rows: Vec<Row>,
    layers: Layers,
    /// The layers as stored in a file.
    stored: Box<[i16; LAYER_WEIGHTS]>,
}

impl TupleNet {
    /// Creates the network from weights for tuples of `span` cells.
    ///
    /// # Panics
    /// If there are fewer rows than codes.
    pub(super) fn new(span: usize, weights: TupleNetWeights) -> TupleNet {
        let row_of = |code: u16| {
            let first = usize::from(canonical(code, span)) * WIDTH;
            &weights.rows[first..][..WIDTH]
        };
        let row = |code: u32| {
            let code = code as u16;
            let mut row = Row::ZERO;
            if has_stones(code, span) {
                let (black, white) = row.0.split_at_mut(WIDTH);
                black.copy_from_slice(row_of(code));
                white.copy_from_slice(row_of(exchanged(code)));
            }
            row
        };
        let rows = (0..1u32 << (2 * span)).map(row).collect();
        let layers = Layers::new(&weights.layers.map(|n| f32::from(n) / LAYER_SCALE));
        TupleNet { rows, layers, stored: weights.layers }
    }

    /// Returns the weights, as stored in a file.
    pub(super) fn weights(&self) -> TupleNetWeights {
        let rows = self.rows.iter().flat_map(|row| row.0[..WIDTH].iter().copied());
        TupleNetWeights { rows: rows.collect(), layers: self.stored.clone() }
    }

    /// Returns the embeddings of a code.
    #[inline(always)]
    pub(super) fn row(&self, code: u16) -> &Row {
        &self.rows[usize::from(code)]
    }

    /// Returns the correction of an evaluation, in points, from the accumulator for the side
    /// to move and the bits of the state.
    #[inline]
    pub(super) fn correction(
        &self,
        accumulator: &[i16; WIDTH],
        evaluation: Score,
        state_bits: usize,
    ) -> Score {
        let evaluation = evaluation as f32 / POINTS;
        let features = &[0.0; CHANNELS];
        (cpu::output(&self.layers, accumulator, evaluation, state_bits, features) * POINTS) as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_are_thermometer_codes() {
        // Ten stones win: 11 * 11 states.
        for (own, others, bits) in
            [(0, 0, 0), (2, 0, 0b1), (0, 2, 0b1 << 5), (8, 6, 0b1111 | 0b111 << 5), (3, 1, 0b1)]
        {
            assert_eq!(state_bits(121, own * 11 + others), bits, "{own} {others}");
        }
        assert_eq!([0, 1].map(|state| state_bits(2, state)), [0, 1]);
        assert_eq!(state_bits(0, 0), 0);
        assert!((0..256).all(|state| state_bits(256, state) < 1 << BITS));
    }
}
