//! Static evaluation of the games on a [`LineCountBoard`](crate::board::LineCountBoard):
//! a value for the contents of every tuple of neighbouring cells, summed over the board
//! (an n-tuple network; Bledsoe and Browning, 1959), plus a value of the state.
//!
//! A tuple is five to seven neighbouring cells of a line (codes: `tuple_codes.rs`). The
//! state is what the evaluation counts besides tuples, depending on the game: captured
//! stones, stones left in the turn. Games without a weights file use hand-made values,
//! defined in `game/`.
//!
//! The weights may also hold a network on top of these values (`tuple_net.rs`) and policy
//! values of windows: the policy score of a move is the sum of the values of the four
//! windows of its cell. Games without policy values have hand-made policy scores.

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
    /// Black's: 200 points multiply the odds that the move is the best by e. May be empty.
    window_policy: Vec<i16>,
    /// The network on top of these values, if there is one.
    net: Option<Arc<TupleNet>>,
}

impl TupleWeights {
    /// Creates weights from the value of a code to the side to move, in [`VALUE_SCALE`]ths of a
    /// point, where own stones are coded as Black's. `i16::MIN`, which has no negative,
    /// is raised by one.
    pub fn new(span: usize, value: impl Fn(u16) -> i16) -> TupleWeights {
        let value = |code| value(code).max(-i16::MAX);
        let sides = |code: u16| [value(code), -value(exchanged(code))];
        let values = (0..1u32 << (2 * span)).map(|c| sides(c as u16)).collect();
        TupleWeights { span, values, states: Vec::new(), window_policy: Vec::new(), net: None }
    }

    /// Adds points for the side to move, by state.
    pub fn with_states(self, states: Vec<i16>) -> TupleWeights {
        TupleWeights { states, ..self }
    }

    /// Adds policy values of windows, by canonical code ([`canonical_window`]), own stones
    /// coded as Black's.
    pub fn with_window_policy(self, value: impl Fn(u16) -> i16) -> TupleWeights {
        let value = |code: usize| value(canonical_window(code as u16));
        TupleWeights { window_policy: (0..WINDOW_CODES).map(value).collect(), ..self }
    }

    /// Adds a network.
    ///
    /// # Panics
    /// If it has fewer rows than there are codes.
    pub fn with_net(self, net: TupleNetWeights) -> TupleWeights {
        let net = Some(Arc::new(TupleNet::new(self.span, net)));
        TupleWeights { net, ..self }
    }

    /// Returns the weights of the network, if there is one.
    pub fn net(&self) -> Option<TupleNetWeights> {
        self.net.as_ref().map(|net| net.weights())
    }

    /// Returns the policy value of a window by its code, own stones coded as Black's; `None`
    /// if the weights have none.
    pub fn window_policy(&self, code: u16) -> Option<i16> {
        self.window_policy.get(usize::from(code)).copied()
    }

    /// Returns the policy score of a move on a cell with these windows; `None` if the weights have
    /// no policy values of windows.
    #[inline]
    pub fn policy_score(&self, windows: Windows, to_move: Color) -> Option<i32> {
        let values = self.window_policy.first_chunk::<WINDOW_CODES>()?;
        let own = |code| if to_move == Color::Black { code } else { exchanged(code) };
        Some(windows.iter().map(|&code| i32::from(values[usize::from(own(code))])).sum())
    }

    /// Returns the number of cells of a tuple.
    pub fn span(&self) -> usize {
        self.span
    }

    /// Returns the value of a code to the side to move, in [`VALUE_SCALE`]ths of a point, where own
    /// stones are coded as Black's.
    pub fn value(&self, code: u16) -> i16 {
        self.values[code as usize][0]
    }

    /// Returns the points for the side to move, by state.
    pub fn states(&self) -> &[i16] {
        &self.states
    }

    /// Creates hand-made values: a line of the winning length with `n` stones of one colour
    /// and none of the other is worth `steps[n]` points to that colour, and half as much
    /// again if that colour is to move.
    pub fn by_count(span: usize, length: usize, steps: &[i32]) -> TupleWeights {
        let of_line = |code: u16| match stones(code, length) {
            Some([own, 0]) => steps[own] * 3 / 2,
            Some([0, others]) => -steps[others],
            _ => 0,
        };
        // Tuples overlap. Each counts only the line that it begins with, so that every line
        // counts once; a tuple that begins with a wall counts none.
        let value = |code: u16| of_line(code) * VALUE_SCALE;
        let clamp = |value: i32| value.clamp(i16::MIN as i32, i16::MAX as i32) as i16;
        TupleWeights::new(span, |code| clamp(value(code)))
    }
}

/// A stone placed on an empty cell, or removed; the same flip again undoes it.
type Flip = (Cell, Color);

/// Maximum number of pending changes.
const MAX_PENDING: usize = 64;

/// The evaluation of a board: the sum over its tuples, updated on demand (a lazy
/// accumulator). In a position that is only evaluated, the last stone is never applied: its
/// changes are summed up for the side to move alone.
#[derive(Clone, Debug)]
pub struct TupleEval {
    weights: Arc<TupleWeights>,
    geometry: Arc<Geometry>,
    /// The codes. They lack the pending changes, as do the sums and the accumulator.
    codes: Codes,
    /// Value for Black if Black is to move, and if White is, in [`VALUE_SCALE`]ths of a
    /// point.
    sums: [i32; 2],
    /// Sums of the embeddings of all tuples; 0 without a network.
    accumulator: Row,
    /// Changes not applied yet, oldest first.
    pending: ArrayVec<Flip, MAX_PENDING>,
}

impl TupleEval {
    /// Creates the evaluation of an empty board.
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

    /// Creates the evaluation of the same board without stones.
    pub fn emptied(&self) -> TupleEval {
        TupleEval::new(self.geometry.clone(), self.weights.clone())
    }

    /// Returns the weights.
    pub fn weights(&self) -> &TupleWeights {
        &self.weights
    }

    /// Records that a stone was placed on an empty cell, or removed.
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

    /// Returns the codes of the board.
    #[inline]
    pub fn codes(&mut self) -> &Codes {
        self.apply_pending();
        &self.codes
    }

    /// Returns the policy score of a move; `None` if the weights have no policy values of windows.
    #[inline]
    pub fn policy_score(&mut self, cell: Cell, to_move: Color) -> Option<i32> {
        if self.weights.window_policy.is_empty() {
            return None;
        }
        let windows = self.codes().windows(cell);
        self.weights.policy_score(windows, to_move)
    }

    /// Returns the sum of the values, in [`VALUE_SCALE`]ths of a point for Black, and the
    /// accumulator of the network, both for a colour to move. Applies all pending changes but
    /// the last.
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
                    let (old, new) = (net.row(before).half(to_move), net.row(after).half(to_move));
                    for (sum, (old, new)) in accumulator.iter_mut().zip(old.iter().zip(new)) {
                        *sum = sum.wrapping_add(new.wrapping_sub(*old));
                    }
                }
            }
            self.pending.push(flip);
        }
        (sum, accumulator)
    }

    /// Returns the static evaluation for the side to move, in points, within [`SCORE_LIMIT`];
    /// `state` is an index of [`TupleWeights::states`].
    #[inline]
    pub fn score(&mut self, to_move: Color, state: usize) -> Score {
        let (sum, accumulator) = self.sums(to_move);
        let black = sum / VALUE_SCALE;
        let own = if to_move == Color::Black { black } else { -black };
        let of_state = self.weights.states.get(state).copied().unwrap_or_default();
        let score = own + i32::from(of_state);
        let correction = self.weights.net.as_ref().map_or(0, |net| {
            let bits = state_bits(self.weights.states.len(), state);
            net.correction(&accumulator, score, bits)
        });
        // With extreme weights the correction may be `i32::MAX` or `i32::MIN`.
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
    fn policy_scores_survive_mirroring_and_exchanging_colours() {
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
    fn hand_made_values_survive_mirroring() {
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

    /// Returns the codes of a board with these stones, each code from its own cells.
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

    /// Sums up values and embeddings of codes one by one.
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
    fn incremental_sums_equal_fresh_ones_and_colours_are_symmetric() {
        let geometry = Geometry::new(15, 15, false, 5, 6, &CellSet::board(15, 15));
        let value = |code: u16| (mix(code.into()) % 200) as i16 - 100;
        let net = TupleNetWeights {
            rows: (0..1 << 16).map(|i| (mix(i) % 60) as i16 - 30).collect(),
            layers: Box::new(std::array::from_fn(|i| (mix(i as u64) % 1200) as i16 - 600)),
        };
        let weights = Arc::new(TupleWeights::new(6, value).with_net(net));
        let geometry = Arc::new(geometry);
        let mut evals = [0, 1].map(|_| TupleEval::new(geometry.clone(), weights.clone()));
        let mut plain = TupleEval::new(geometry, Arc::new(TupleWeights::new(6, value)));
        let (mut corrected, mut most_pending) = (0, 0);
        let mut stones = Vec::<Flip>::new();
        let mut seed = 1;
        for i in 0..600 {
            seed = mix(seed);
            // Some stones are removed at once, some later.
            let cell = Cell::new(seed as usize % 15, (seed >> 20) as usize % 15);
            let color = Color::ALL[(seed >> 40) as usize % 2];
            // Overflow the list of pending changes.
            let only_place = (100..300).contains(&i);
            let flip = match seed >> 50 & 7 {
                0 if !only_place && !stones.is_empty() => stones.remove(i % stones.len()),
                1..=3 if !only_place && !stones.is_empty() => stones.pop().unwrap(),
                _ if stones.iter().any(|stone| stone.0 == cell) => continue,
                _ => {
                    stones.push((cell, color));
                    (cell, color)
                }
            };
            // The second evaluation has all colours exchanged.
            evals[0].flip(flip.0, flip.1);
            evals[1].flip(flip.0, !flip.1);
            plain.flip(flip.0, flip.1);
            most_pending = most_pending.max(evals[1].pending.len());
            let codes = codes_of(&evals[0], &stones);
            if seed >> 60 & 3 == 0 {
                assert_eq!(evals[0].codes().tuples(), codes);
            }
            if seed >> 55 & 1 == 0 || only_place {
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
        assert!(corrected > 300 && most_pending == MAX_PENDING, "{corrected} {most_pending}");
    }

    #[test]
    fn a_cell_that_occurs_twice_in_a_tuple_changes_both_places() {
        // Tuples of seven cells on a board of side five with joined edges.
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
        // Two of the five tuples along a line contain the cell twice.
        assert_eq!((with(1), with(2)), (4 * 3, 4 * 2));
        eval.flip(Cell::new(1, 1), Color::White);
        assert_eq!(*eval.codes(), empty);
    }
}
