//! The evaluation: a table from the code of every empty cell to points, and a
//! table of the threats of both sides; where a variant has one, a small net
//! mends the sum.
//!
//! Reads from the board what its stones changed when it is asked, and not
//! before: most positions of a search are never evaluated.
//!
//! Two sums are kept per colour, both in one word: the value of its cells if it
//! is to move, and if it is not. They are updated from the board's journal only
//! when a score is asked for, and the sums of every ply on the way are kept:
//! two of three positions of a search are never evaluated. One entry of a table
//! of the threats of both sides (eleven bits, from the census) is added; it
//! also holds the value of the move itself.
//!
//! Policy scores, which order the moves, come from the codes of a cell and from
//! its place relative to the last two moves (`near.rs`).

pub mod cpu;
mod file;
pub mod near;
pub mod net;
mod tuple_file;
pub mod tuples;
mod weights;

use std::sync::Arc;

use crate::board::Board;
use crate::pattern::{Code, STONE};
use goren_core::rules::Rule;
use goren_core::types::{Color, FRAME, SCORE_LIMIT, Score};

pub use file::{MAX_FILE, WeightsError};
pub use tuple_file::{TupleFamily, write as write_tuples};
use weights::TABLE;
use weights::Worths;
pub use weights::{Side, THREATS, UNIT, WeightFile, WeightSet, Weights, family, threat_mask};

/// Sums over the empty cells for each colour.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
struct Sums {
    worths: [Worths; 2],
    net: net::Sums,
}

impl Sums {
    /// Cells had the codes on the left and now have those on the right.
    #[inline(always)]
    fn change(&mut self, weights: &Weights, cells: impl Iterator<Item = [[Code; 2]; 2]>) {
        // What stays in registers.
        let (mut worths, mut gains) = (self.worths, net::Gains::ZERO);
        for [old, new] in cells {
            for c in 0..2 {
                let table = &weights.potential[c];
                worths[c].change(table[old[c] as usize % TABLE], table[new[c] as usize % TABLE]);
            }
            if let Some(net) = &weights.net {
                net.change(&mut gains, old, new);
            }
        }
        self.worths = worths;
        gains.add_to(&mut self.net);
    }
}

/// The running evaluation of a board.
#[derive(Clone)]
pub struct Eval {
    weights: Arc<Weights>,
    /// Sums after `base` stones, and after each stone since, as far as they
    /// are known; never empty.
    sums: Vec<Sums>,
    base: usize,
}

impl Eval {
    /// The evaluation of a board as it stands, by some weights.
    pub fn new<R: Rule>(board: &Board<R>, weights: Arc<Weights>) -> Eval {
        let mut sums = Vec::with_capacity(FRAME);
        sums.push(fresh(board, &weights));
        Eval { weights, sums, base: board.placed() }
    }

    /// Call when stones are taken back: only the sums up to the board as it
    /// was after `stones` stones are still true.
    #[inline]
    pub fn keep(&mut self, stones: usize) {
        if stones < self.base {
            self.sums.clear();
        } else {
            self.sums.truncate(stones - self.base + 1);
        }
    }

    /// Points for the side to move on the board, which is the one it was made
    /// for with stones placed and taken back.
    #[inline]
    pub fn score<R: Rule>(&mut self, board: &Board<R>, to_move: Color) -> Score {
        let sums = self.catch_up(board);
        let mine = sums.worths[to_move.index()].to_move();
        let theirs = sums.worths[(!to_move).index()].waiting();
        let mask = threat_mask(board, to_move);
        let threats = self.weights.threats[to_move.index()][mask] as i32;
        let base = (mine + theirs + threats) / UNIT;
        let net = self.weights.net.as_ref();
        let more = net.map_or(0, |net| net.points(&sums.net, to_move, base, mask));
        // Of weights out of any measure a net says the largest number.
        base.saturating_add(more).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }

    /// The sums of the board as it stands.
    #[inline]
    fn catch_up<R: Rule>(&mut self, board: &Board<R>) -> Sums {
        let Some(&(mut sums)) = self.sums.last() else {
            // Stones were taken back that stood when this was made.
            self.base = board.placed();
            let sums = fresh(board, &self.weights);
            self.sums.push(sums);
            return sums;
        };
        for stone in self.base + self.sums.len() - 1..board.placed() {
            cpu::follow(&mut sums, &self.weights, board.changes(stone));
            self.sums.push(sums);
        }
        sums
    }

    /// The weights it sums.
    #[inline]
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }
}

/// The sums of a board from its cells alone.
fn fresh<R: Rule>(board: &Board<R>, weights: &Weights) -> Sums {
    let mut sums = Sums::default();
    sums.change(weights, board.empty().iter().map(|cell| [[STONE; 2], board.cell(cell).codes()]));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{Renju, RuleId, Setup};
    use goren_core::types::{Cell, keys::mix};

    #[test]
    fn the_running_sum_is_the_sum_afresh() {
        let mut board = Board::<Renju>::new(Setup::new(RuleId::Renju, 15, 15).unwrap());
        let weights = Weights::embedded(RuleId::Renju);
        let mut eval = Eval::new(&board, weights.clone());
        let mut seed = 3;
        let mut sums = Vec::new();
        while board.placed() < 120 {
            seed = mix(seed);
            let cell = Cell::new(seed as usize % 15, (seed >> 20) as usize % 15);
            if board.is_empty(cell) {
                sums.push(fresh(&board, &weights));
                board.make(cell, Color::ALL[board.placed() % 2]);
                if seed >> 40 & 3 != 0 {
                    assert_eq!(eval.catch_up(&board), fresh(&board, &weights));
                }
            }
        }
        while let Some(before) = sums.pop() {
            board.unmake();
            eval.keep(board.placed());
            if (seed >> (board.placed() % 64)) & 1 != 0 {
                assert_eq!(eval.catch_up(&board), before);
            }
        }
    }

    #[test]
    fn weights_out_of_any_measure_say_no_more_than_the_limit() {
        let usual = Weights::embedded(RuleId::Renju);
        let sides = Color::ALL.map(|color| {
            let mut side = usual.side(color);
            side.threats.fill(i16::MAX);
            side
        });
        let mut net = net::NetSide::zero();
        net.to_move.fill(100);
        net.head.fill(i16::MAX);
        let weights = Weights::new(RuleId::Renju, &sides).with_net(&[net.clone(), net]);
        let weights = Arc::new(weights);
        let mut board = Board::<Renju>::new(Setup::new(RuleId::Renju, 15, 15).unwrap());
        board.make(Cell::new(7, 7), Color::Black);
        for color in Color::ALL {
            let mut eval = Eval::new(&board, weights.clone());
            let (sums, net) = (eval.catch_up(&board), weights.net.as_ref().unwrap());
            assert_eq!(net.points(&sums.net, color, 2_000, 0), i32::MAX);
            assert_eq!(eval.score(&board, color), SCORE_LIMIT);
        }
    }
}
