//! Static evaluation of the games on a [`LineCountBoard`]: a value for the contents of
//! every tuple of neighbouring cells, summed over the board (an n-tuple network;
//! Bledsoe and Browning, 1959), plus a value of the state.
//!
//! A tuple is five to seven neighbouring cells of a line. Its code has two bits a cell,
//! the first cell lowest: wall 00, black stone 01, white stone 10, empty 11. The state
//! is what else the evaluation counts, by the game: captured stones, stones left in the
//! turn. Games without a weights file use hand-made values, defined in `game/`.

use std::sync::Arc;

use super::weights::VALUE_SCALE;
use crate::board::LineCountBoard;
use goren_core::types::{Color, SCORE_LIMIT, Score};

/// Values of all contents of a tuple and of all states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TupleWeights {
    span: usize,
    /// By code, in [`VALUE_SCALE`]ths of a point: the value for Black if Black is to
    /// move, and if White is.
    values: Vec<[i16; 2]>,
    /// Points for the side to move, by state; empty if the state does not matter.
    states: Vec<i16>,
}

/// The canonical code: the smaller of a code and its reverse.
pub fn canonical(code: u16, span: usize) -> u16 {
    code.min(reversed(code, span))
}

/// A code with its cells in the opposite order.
pub fn reversed(code: u16, span: usize) -> u16 {
    (0..span).fold(0, |turned, k| turned << 2 | code >> (2 * k) & 3)
}

/// A code with Black and White exchanged.
pub fn exchanged(code: u16) -> u16 {
    (code & 0x5555) << 1 | (code & 0xaaaa) >> 1
}

/// Stones of each colour in the first `length` cells of a code; `None` if a
/// wall is among them.
fn stones(code: u16, length: usize) -> Option<[usize; 2]> {
    let mut stones = [0; 2];
    for k in 0..length {
        match code >> (2 * k) & 3 {
            0b01 => stones[0] += 1,
            0b10 => stones[1] += 1,
            0b00 => return None,
            _ => {}
        }
    }
    Some(stones)
}

impl TupleWeights {
    /// Weights from the value of a code to the side to move, in [`VALUE_SCALE`]ths of a
    /// point, where own stones are coded as Black's. `i16::MIN`, which has no negative,
    /// is raised by one.
    pub fn new(span: usize, value: impl Fn(u16) -> i16) -> TupleWeights {
        let value = |code| value(code).max(-i16::MAX);
        let sides = |code: u16| [value(code), -value(exchanged(code))];
        let values = (0..1u32 << (2 * span)).map(|c| sides(c as u16)).collect();
        TupleWeights { span, values, states: Vec::new() }
    }

    /// The same with points for the side to move, by state.
    pub fn with_states(self, states: Vec<i16>) -> TupleWeights {
        TupleWeights { states, ..self }
    }

    /// Number of cells of a tuple.
    pub fn span(&self) -> usize {
        self.span
    }

    /// The value of a code to the side to move, in [`VALUE_SCALE`]ths of a point, where
    /// own stones are coded as Black's.
    pub fn value(&self, code: u16) -> i16 {
        self.values[code as usize][0]
    }

    /// Points for the side to move, by state.
    pub fn states(&self) -> &[i16] {
        &self.states
    }

    /// Hand-made values: a line of the winning length with `n` stones of one colour and
    /// none of the other is worth `steps[n]` points to that colour, and half as much
    /// again if it is to move.
    pub fn by_count(span: usize, length: usize, steps: &[i32]) -> TupleWeights {
        let of_line = |code: u16| match stones(code, length) {
            Some([own, 0]) => steps[own] * 3 / 2,
            Some([0, others]) => -steps[others],
            _ => 0,
        };
        // Tuples overlap. Only the line that a tuple begins with is counted, so each
        // line counts once; a tuple that begins with a wall counts none.
        let value = |code: u16| of_line(code) * VALUE_SCALE;
        let clamp = |value: i32| value.clamp(i16::MIN as i32, i16::MAX as i32) as i16;
        TupleWeights::new(span, |code| clamp(value(code)))
    }
}

/// The evaluation of a board: the sum over its tuples, updated incrementally.
#[derive(Clone, Debug)]
pub struct TupleEval {
    weights: Arc<TupleWeights>,
    /// Value for Black if Black is to move, and if White is, in [`VALUE_SCALE`]ths of a
    /// point.
    sums: [i32; 2],
}

impl TupleEval {
    /// The evaluation of a board in its present position.
    ///
    /// # Panics
    /// If the weights are for tuples of another length.
    pub fn new(board: &LineCountBoard, weights: Arc<TupleWeights>) -> TupleEval {
        assert_eq!(weights.span, board.geometry().span(), "cells of a tuple");
        let mut eval = TupleEval { weights, sums: [0; 2] };
        for &code in board.tuples() {
            let values = eval.weights.values[code as usize];
            eval.sums = [0, 1].map(|c| eval.sums[c] + i32::from(values[c]));
        }
        eval
    }

    /// The weights.
    pub fn weights(&self) -> &TupleWeights {
        &self.weights
    }

    /// Incremental update: a tuple went from code `before` to `after`.
    #[inline]
    pub fn change(&mut self, before: u16, after: u16) {
        let (old, new) =
            (self.weights.values[before as usize], self.weights.values[after as usize]);
        for c in 0..2 {
            self.sums[c] += i32::from(new[c]) - i32::from(old[c]);
        }
    }

    /// Static evaluation for the side to move, in points, within [`SCORE_LIMIT`];
    /// `state` is an index of [`TupleWeights::states`].
    #[inline]
    pub fn score(&self, to_move: Color, state: usize) -> Score {
        let black = self.sums[to_move.index()] / VALUE_SCALE;
        let own = if to_move == Color::Black { black } else { -black };
        let more = self.weights.states.get(state).copied().unwrap_or_default();
        (own + i32::from(more)).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;
    use goren_core::types::keys::mix;
    use goren_core::types::{Cell, CellSet};

    #[test]
    fn codes_are_reversed_and_exchanged() {
        let code = 0b11_01_10_00u16;
        assert_eq!(reversed(code, 4), 0b00_10_01_11);
        assert_eq!(exchanged(code), 0b11_10_01_00);
        assert_eq!(stones(0b11_01_10_01, 4), Some([2, 1]));
        assert_eq!(stones(0b00_01, 2), None);
    }

    #[test]
    fn hand_made_values_are_the_same_in_the_mirror() {
        for (length, span, steps) in
            [(5, 6, &[0, 1, 5, 22, 60, 0][..]), (6, 7, &[0, 1, 5, 12, 40, 60, 0])]
        {
            let geometry = Geometry::new(9, 9, false, length, span, &CellSet::board(9, 9));
            let geometry = Arc::new(geometry);
            let weights = Arc::new(TupleWeights::by_count(span, length, steps));
            let mut boards = [LineCountBoard::new(geometry.clone()), LineCountBoard::new(geometry)];
            for seed in 0..30 {
                let seed = mix(seed);
                let (x, y) = (seed as usize % 9, (seed >> 20) as usize % 9);
                let color = Color::ALL[(seed >> 40) as usize % 2];
                for (board, x) in boards.iter_mut().zip([x, 8 - x]) {
                    if board.is_empty(Cell::new(x, y)) {
                        board.put(Cell::new(x, y), color, |_, _| {});
                    }
                }
                let scores = boards.each_ref().map(|board| {
                    let eval = TupleEval::new(board, weights.clone());
                    Color::ALL.map(|color| eval.score(color, 0))
                });
                assert_eq!(scores[0], scores[1]);
            }
        }
    }

    #[test]
    fn the_running_sum_is_the_sum_afresh_and_colours_are_alike() {
        let geometry = Geometry::new(15, 15, false, 5, 6, &CellSet::board(15, 15));
        let weights = Arc::new(TupleWeights::new(6, |code| (mix(code.into()) % 200) as i16 - 100));
        let geometry = Arc::new(geometry);
        let mut boards = [LineCountBoard::new(geometry.clone()), LineCountBoard::new(geometry)];
        let mut evals = boards.each_ref().map(|board| TupleEval::new(board, weights.clone()));
        let mut seed = 1;
        for _ in 0..300 {
            seed = mix(seed);
            let cell = Cell::new(seed as usize % 15, (seed >> 20) as usize % 15);
            let color = Color::ALL[(seed >> 40) as usize % 2];
            // The second board has all colours exchanged.
            for (i, (board, eval)) in boards.iter_mut().zip(&mut evals).enumerate() {
                let color = if i == 0 { color } else { !color };
                match board.color(cell) {
                    Some(there) => board.lift(cell, there, |a, b| eval.change(a, b)),
                    None => board.put(cell, color, |a, b| eval.change(a, b)),
                }
                assert_eq!(eval.sums, TupleEval::new(board, weights.clone()).sums);
            }
            for color in Color::ALL {
                assert_eq!(evals[0].score(color, 0), evals[1].score(!color, 0));
            }
        }
    }
}
