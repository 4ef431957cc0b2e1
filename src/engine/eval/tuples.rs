//! Static evaluation of the games on a [`LineCountBoard`]: a value for the contents of
//! every tuple of neighbouring cells, summed over the board (an n-tuple network;
//! Bledsoe and Browning, 1959), plus a value of the state.
//!
//! A tuple is five to seven neighbouring cells of a line (codes: `tuple_codes.rs`). The
//! state is what else the evaluation counts, by the game: captured stones, stones left in
//! the turn. Games without a weights file use hand-made values, defined in `game/`.
//!
//! The weights may also hold a network on top of these values (`tuple_net.rs`) and policy
//! values of windows: the policy score of a move is the sum of those of the four windows
//! of its cell. Games without the latter have hand-made policy scores.

use std::sync::Arc;

use super::net::Row;
use super::tuple_codes::{WINDOW_CODES, canonical_window, exchanged, stones};
use super::tuple_net::{TupleNet, TupleNetWeights, state_bits};
use super::weights::VALUE_SCALE;
use crate::board::{LineCountBoard, Windows};
use goren_core::types::{Color, SCORE_LIMIT, Score};

/// Values of all contents of a tuple and of all states.
#[derive(Clone, PartialEq, Debug)]
pub struct TupleWeights {
    span: usize,
    /// By code, in [`VALUE_SCALE`]ths of a point: the value for Black if Black is to
    /// move, and if White is.
    values: Vec<[i16; 2]>,
    /// Points for the side to move, by state; empty if the state does not matter.
    states: Vec<i16>,
    /// Policy values by the code of a window around the cell of a move, own stones coded as
    /// Black's: 200 points multiply the odds that the move is the best by e. Empty if there
    /// are none.
    window_policy: Vec<i16>,
    /// The network on top of these values, if there is one.
    net: Option<Arc<TupleNet>>,
}

impl TupleWeights {
    /// Weights from the value of a code to the side to move, in [`VALUE_SCALE`]ths of a
    /// point, where own stones are coded as Black's. `i16::MIN`, which has no negative,
    /// is raised by one.
    pub fn new(span: usize, value: impl Fn(u16) -> i16) -> TupleWeights {
        let value = |code| value(code).max(-i16::MAX);
        let sides = |code: u16| [value(code), -value(exchanged(code))];
        let values = (0..1u32 << (2 * span)).map(|c| sides(c as u16)).collect();
        TupleWeights { span, values, states: Vec::new(), window_policy: Vec::new(), net: None }
    }

    /// The same with points for the side to move, by state.
    pub fn with_states(self, states: Vec<i16>) -> TupleWeights {
        TupleWeights { states, ..self }
    }

    /// The same with policy values of windows, by canonical code
    /// ([`canonical_window`]), own stones coded as Black's.
    pub fn with_window_policy(self, value: impl Fn(u16) -> i16) -> TupleWeights {
        let value = |code: usize| value(canonical_window(code as u16));
        TupleWeights { window_policy: (0..WINDOW_CODES).map(value).collect(), ..self }
    }

    /// The same with a network.
    ///
    /// # Panics
    /// If it has fewer rows than there are codes.
    pub fn with_net(self, net: TupleNetWeights) -> TupleWeights {
        let net = Some(Arc::new(TupleNet::new(self.span, net)));
        TupleWeights { net, ..self }
    }

    /// The weights of the network, if there is one.
    pub fn net(&self) -> Option<TupleNetWeights> {
        self.net.as_ref().map(|net| net.weights())
    }

    /// The policy value of a window by its code, own stones coded as Black's; `None` if
    /// there are none.
    pub fn window_policy(&self, code: u16) -> Option<i16> {
        self.window_policy.get(usize::from(code)).copied()
    }

    /// The policy score of a move on a cell with these windows; `None` if the weights have
    /// no policy values of windows.
    #[inline]
    pub fn policy_score(&self, windows: Windows, to_move: Color) -> Option<i32> {
        let values = self.window_policy.first_chunk::<WINDOW_CODES>()?;
        let own = |code| if to_move == Color::Black { code } else { exchanged(code) };
        Some(windows.iter().map(|&code| i32::from(values[usize::from(own(code))])).sum())
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
    /// Sums of the embeddings of all tuples; 0 without a network.
    accumulator: Row,
}

impl TupleEval {
    /// The evaluation of a board in its present position.
    ///
    /// # Panics
    /// If the weights are for tuples of another length.
    pub fn new(board: &LineCountBoard, weights: Arc<TupleWeights>) -> TupleEval {
        assert_eq!(weights.span, board.geometry().span(), "cells of a tuple");
        let mut eval = TupleEval { weights, sums: [0; 2], accumulator: Row::ZERO };
        for &code in board.tuples() {
            let values = eval.weights.values[code as usize];
            eval.sums = [0, 1].map(|c| eval.sums[c] + i32::from(values[c]));
            if let Some(net) = &eval.weights.net {
                eval.accumulator.exchange((Row::ZERO, net.row(code)));
            }
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
        if let Some(net) = &self.weights.net {
            self.accumulator.exchange((net.row(before), net.row(after)));
        }
    }

    /// Static evaluation for the side to move, in points, within [`SCORE_LIMIT`];
    /// `state` is an index of [`TupleWeights::states`].
    #[inline]
    pub fn score(&self, to_move: Color, state: usize) -> Score {
        let black = self.sums[to_move.index()] / VALUE_SCALE;
        let own = if to_move == Color::Black { black } else { -black };
        let more = self.weights.states.get(state).copied().unwrap_or_default();
        let score = own + i32::from(more);
        let correction = self.weights.net.as_ref().map_or(0, |net| {
            let bits = state_bits(self.weights.states.len(), state);
            net.correction(&self.accumulator, to_move, score, bits)
        });
        // With extreme weights it may be the largest or the smallest integer.
        score.saturating_add(correction).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tuple_codes::reversed;
    use super::*;
    use crate::board::{Geometry, WINDOW_CELLS};
    use goren_core::types::keys::mix;
    use goren_core::types::{Cell, CellSet};

    #[test]
    fn policy_scores_of_windows_are_alike_in_the_mirror_and_with_colours_exchanged() {
        let weights = TupleWeights::new(6, |_| 0);
        assert_eq!(weights.policy_score([1, 2, 3, 4], Color::Black), None);
        let weights = weights.with_window_policy(|code| (mix(code.into()) % 200) as i16 - 100);
        for seed in 0..50 {
            let windows: Windows = std::array::from_fn(|dir| mix(seed << 2 | dir as u64) as u16);
            let score = weights.policy_score(windows, Color::Black);
            let mirrored = windows.map(|code| reversed(code, WINDOW_CELLS));
            assert_eq!(weights.policy_score(mirrored, Color::Black), score);
            assert_eq!(weights.policy_score(windows.map(exchanged), Color::White), score);
            let values = windows.map(|code| i32::from(weights.window_policy(code).unwrap()));
            assert_eq!(score, Some(values.iter().sum()));
        }
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
        let odd = |code: u16| (mix(code.into()) % 200) as i16 - 100;
        let net = TupleNetWeights {
            rows: (0..1 << 16).map(|i| (mix(i) % 60) as i16 - 30).collect(),
            layers: Box::new(std::array::from_fn(|i| (mix(i as u64) % 1200) as i16 - 600)),
        };
        let weights = Arc::new(TupleWeights::new(6, odd).with_net(net));
        let geometry = Arc::new(geometry);
        let mut boards = [LineCountBoard::new(geometry.clone()), LineCountBoard::new(geometry)];
        let mut evals = boards.each_ref().map(|board| TupleEval::new(board, weights.clone()));
        let plain = Arc::new(TupleWeights::new(6, odd));
        let mut corrected = 0;
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
                let fresh = TupleEval::new(board, weights.clone());
                assert_eq!((eval.sums, eval.accumulator), (fresh.sums, fresh.accumulator));
            }
            for color in Color::ALL {
                assert_eq!(evals[0].score(color, 0), evals[1].score(!color, 0));
                let without = TupleEval::new(&boards[0], plain.clone());
                corrected += (evals[0].score(color, 0) != without.score(color, 0)) as usize;
            }
        }
        assert!(corrected > 300, "{corrected}");
    }
}
