//! Static evaluation of the games on a [`LineCountBoard`](crate::board::LineCountBoard): a value for the contents of
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

use arrayvec::ArrayVec;

use super::net::{Row, WIDTH};
use super::tuple_codes::{WINDOW_CODES, canonical_window, exchanged, stones};
use super::tuple_net::{TupleNet, TupleNetWeights, state_bits};
use super::weights::VALUE_SCALE;
use crate::board::{Codes, Geometry, Windows};
use goren_core::types::{Cell, Color, SCORE_LIMIT, Score};

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

/// A stone that is placed on an empty cell, or removed; the same flip again undoes it.
type Flip = (Cell, Color);

/// Most changes that may be pending.
const MOST_PENDING: usize = 64;

/// The evaluation of a board: the sum over its tuples, updated when it is asked for (a
/// lazy accumulator). Of a position that is only evaluated, the last stone is never applied:
/// what it changes is summed up for the side to move alone.
#[derive(Clone, Debug)]
pub struct TupleEval {
    weights: Arc<TupleWeights>,
    geometry: Arc<Geometry>,
    /// The codes; pending changes are not in them, nor in the sums and the accumulator.
    codes: Codes,
    /// Value for Black if Black is to move, and if White is, in [`VALUE_SCALE`]ths of a
    /// point.
    sums: [i32; 2],
    /// Sums of the embeddings of all tuples; 0 without a network.
    accumulator: Row,
    /// Changes that are not applied yet, oldest first.
    pending: ArrayVec<Flip, MOST_PENDING>,
}

impl TupleEval {
    /// The evaluation of an empty board.
    ///
    /// # Panics
    /// If the weights are for tuples of another length.
    pub fn new(geometry: Arc<Geometry>, weights: Arc<TupleWeights>) -> TupleEval {
        assert_eq!(weights.span, geometry.span(), "cells of a tuple");
        let codes = Codes::new(&geometry);
        let mut sums = [0; 2];
        let mut accumulator = Row::ZERO;
        for &code in codes.tuples() {
            let values = weights.values[usize::from(code)];
            sums = [0, 1].map(|c| sums[c] + i32::from(values[c]));
            if let Some(net) = &weights.net {
                accumulator.exchange((Row::ZERO, *net.row(code)));
            }
        }
        TupleEval { weights, geometry, codes, sums, accumulator, pending: ArrayVec::new() }
    }

    /// The evaluation of the same board without stones.
    pub fn emptied(&self) -> TupleEval {
        TupleEval::new(self.geometry.clone(), self.weights.clone())
    }

    /// The weights.
    pub fn weights(&self) -> &TupleWeights {
        &self.weights
    }

    /// Takes note of a stone that is placed on an empty cell, or removed.
    #[inline]
    pub fn flip(&mut self, cell: Cell, color: Color) {
        if self.pending.last() == Some(&(cell, color)) {
            self.pending.pop();
            return;
        }
        if self.pending.is_full() {
            self.apply_pending();
        }
        self.pending.push((cell, color));
    }

    /// Applies all pending changes.
    #[inline]
    fn apply_pending(&mut self) {
        if !self.pending.is_empty() {
            self.apply_all();
        }
    }

    fn apply_all(&mut self) {
        for i in 0..self.pending.len() {
            self.apply(self.pending[i]);
        }
        self.pending.clear();
    }

    fn apply(&mut self, flip: Flip) {
        let (mut sums, mut accumulator) = (self.sums, self.accumulator);
        let values = &self.weights.values;
        self.codes.flip(&self.geometry, flip, |before, after| {
            let (old, new) = (values[usize::from(before)], values[usize::from(after)]);
            sums = [0, 1].map(|c| sums[c] + i32::from(new[c]) - i32::from(old[c]));
            if let Some(net) = &self.weights.net {
                accumulator.exchange((*net.row(before), *net.row(after)));
            }
        });
        (self.sums, self.accumulator) = (sums, accumulator);
    }

    /// The codes of the board.
    #[inline]
    pub fn codes(&mut self) -> &Codes {
        self.apply_pending();
        &self.codes
    }

    /// The policy score of a move; `None` if the weights have no policy values of windows.
    #[inline]
    pub fn policy_score(&mut self, cell: Cell, to_move: Color) -> Option<i32> {
        if self.weights.window_policy.is_empty() {
            return None;
        }
        let windows = self.codes().windows(cell);
        self.weights.policy_score(windows, to_move)
    }

    /// The sum of the values, in [`VALUE_SCALE`]ths of a point for Black, and the accumulator
    /// of the network, both for a colour to move. All pending changes but the last are applied.
    fn sums(&mut self, to_move: Color) -> (i32, [i16; WIDTH]) {
        let last = self.pending.pop();
        self.apply_pending();
        let c = to_move.index();
        let (mut sum, mut accumulator) = (self.sums[c], *self.accumulator.half(to_move));
        if let Some(flip) = last {
            let values = &self.weights.values;
            for (before, after) in self.codes.changes(&self.geometry, flip) {
                let (old, new) = (values[usize::from(before)][c], values[usize::from(after)][c]);
                sum += i32::from(new) - i32::from(old);
                if let Some(net) = &self.weights.net {
                    let (was, is) = (net.row(before).half(to_move), net.row(after).half(to_move));
                    for (sum, (was, is)) in accumulator.iter_mut().zip(was.iter().zip(is)) {
                        *sum = sum.wrapping_add(is.wrapping_sub(*was));
                    }
                }
            }
            self.pending.push(flip);
        }
        (sum, accumulator)
    }

    /// Static evaluation for the side to move, in points, within [`SCORE_LIMIT`];
    /// `state` is an index of [`TupleWeights::states`].
    #[inline]
    pub fn score(&mut self, to_move: Color, state: usize) -> Score {
        let (sum, accumulator) = self.sums(to_move);
        let black = sum / VALUE_SCALE;
        let own = if to_move == Color::Black { black } else { -black };
        let more = self.weights.states.get(state).copied().unwrap_or_default();
        let score = own + i32::from(more);
        let correction = self.weights.net.as_ref().map_or(0, |net| {
            let bits = state_bits(self.weights.states.len(), state);
            net.correction(&accumulator, score, bits)
        });
        // With extreme weights it may be the largest or the smallest integer.
        score.saturating_add(correction).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tuple_codes::reversed;
    use super::*;
    use crate::board::WINDOW_CELLS;
    use goren_core::types::CellSet;
    use goren_core::types::keys::mix;

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
            let mut evals = [0, 1].map(|_| TupleEval::new(geometry.clone(), weights.clone()));
            let mut stones = CellSet::EMPTY;
            for seed in 0..30 {
                let seed = mix(seed);
                let (x, y) = (seed as usize % 9, (seed >> 20) as usize % 9);
                let color = Color::ALL[(seed >> 40) as usize % 2];
                if stones.contains(Cell::new(x, y)) {
                    continue;
                }
                stones.insert(Cell::new(x, y));
                for (eval, x) in evals.iter_mut().zip([x, 8 - x]) {
                    eval.flip(Cell::new(x, y), color);
                }
                let [one, other] =
                    evals.each_mut().map(|eval| Color::ALL.map(|color| eval.score(color, 0)));
                assert_eq!(one, other);
            }
        }
    }

    /// The codes of a board with these stones, each code from its own cells.
    fn codes_of(eval: &TupleEval, stones: &[Flip]) -> Vec<u16> {
        let mut codes = Codes::new(&eval.geometry).tuples().to_vec();
        for &(cell, color) in stones {
            for &(tuple, places) in eval.geometry.tuples_through(cell) {
                // An empty cell is 11.
                codes[usize::from(tuple)] &= !(3 * places);
                codes[usize::from(tuple)] |= places << color.index();
            }
        }
        codes
    }

    /// Values and embeddings of codes, summed up one by one.
    fn summed(eval: &TupleEval, codes: &[u16]) -> [(i32, [i16; WIDTH]); 2] {
        let net = eval.weights.net.as_ref().unwrap();
        Color::ALL.map(|color| {
            let values = &eval.weights.values;
            let value = |&code: &u16| i32::from(values[usize::from(code)][color.index()]);
            let embedding = |i: usize| {
                codes.iter().fold(0i16, |sum, &code| sum.wrapping_add(net.row(code).half(color)[i]))
            };
            (codes.iter().map(value).sum(), std::array::from_fn(embedding))
        })
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
        let mut evals = [0, 1].map(|_| TupleEval::new(geometry.clone(), weights.clone()));
        let mut plain = TupleEval::new(geometry, Arc::new(TupleWeights::new(6, odd)));
        let (mut corrected, mut most_pending) = (0, 0);
        let mut stones = Vec::<Flip>::new();
        let mut seed = 1;
        for i in 0..600 {
            seed = mix(seed);
            // Some stones come and go at once, some later.
            let cell = Cell::new(seed as usize % 15, (seed >> 20) as usize % 15);
            let color = Color::ALL[(seed >> 40) as usize % 2];
            // Once more changes are pending than there is room for.
            let only_put = (100..300).contains(&i);
            let flip = match seed >> 50 & 7 {
                0 if !only_put && !stones.is_empty() => stones.remove(i % stones.len()),
                1..=3 if !only_put && !stones.is_empty() => stones.pop().unwrap(),
                _ if stones.iter().any(|stone| stone.0 == cell) => continue,
                _ => {
                    stones.push((cell, color));
                    (cell, color)
                }
            };
            // The second has all colours exchanged.
            evals[0].flip(flip.0, flip.1);
            evals[1].flip(flip.0, !flip.1);
            plain.flip(flip.0, flip.1);
            most_pending = most_pending.max(evals[1].pending.len());
            let codes = codes_of(&evals[0], &stones);
            if seed >> 60 & 3 == 0 {
                assert_eq!(evals[0].codes().tuples(), codes);
            }
            if seed >> 55 & 1 == 0 || only_put {
                continue;
            }
            let fresh = summed(&evals[0], &codes);
            for color in Color::ALL {
                assert_eq!(evals[0].sums(color), fresh[color.index()]);
                let score = evals[0].score(color, 0);
                assert_eq!(score, evals[1].score(!color, 0));
                corrected += (score != plain.score(color, 0)) as usize;
            }
        }
        assert!(corrected > 300 && most_pending == MOST_PENDING, "{corrected} {most_pending}");
    }

    #[test]
    fn a_cell_that_is_in_a_tuple_twice_changes_both_places() {
        // Tuples of seven cells on a board of five with joined edges.
        let geometry = Arc::new(Geometry::new(5, 5, true, 4, 7, &CellSet::board(5, 5)));
        let weights = Arc::new(TupleWeights::new(7, |code| (mix(code.into()) % 200) as i16));
        let mut eval = TupleEval::new(geometry, weights);
        let empty = eval.codes().clone();
        eval.flip(Cell::new(1, 1), Color::White);
        let [pending, applied] = [false, true].map(|apply| {
            if apply {
                eval.apply_pending();
            }
            Color::ALL.map(|color| eval.score(color, 0))
        });
        assert_eq!(pending, applied);
        let cells = |code: u16| (0..7).filter(|k| code >> (2 * k) & 3 == 0b10).count();
        let codes = eval.codes().tuples().to_vec();
        let with = |times| codes.iter().filter(|&&code| cells(code) == times).count();
        // Of the five tuples along a line, two have the cell twice.
        assert_eq!((with(1), with(2)), (4 * 3, 4 * 2));
        eval.flip(Cell::new(1, 1), Color::White);
        assert_eq!(*eval.codes(), empty);
    }
}
