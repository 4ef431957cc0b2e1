//! The evaluation: a table from the code of every empty cell to points, and a
//! table of the threats of both sides.
//!
//! Watches the board and keeps its sum up to date; never looks at moves.

mod file;
mod weights;

use std::sync::Arc;

use crate::board::{Board, CellInfo, Watcher};
use crate::rules::Rule;
use crate::types::{Cell, Color, FRAME, SCORE_LIMIT, Score};

pub use file::{MAX_FILE, WeightsError};
use weights::TABLE;
pub use weights::{Side, THREATS, UNIT, WeightSet, Weights, family, threat_mask};

/// Sums over the empty cells for each colour: if it is to move, and if not.
type Sums = [[i32; 2]; 2];

/// The running evaluation of a board.
#[derive(Clone)]
pub struct Eval {
    weights: Arc<Weights>,
    sums: Sums,
    past: Vec<Sums>,
}

impl Eval {
    /// The evaluation of a board as it stands, by some weights.
    pub fn new<R: Rule>(board: &Board<R>, weights: Arc<Weights>) -> Eval {
        let mut eval = Eval { weights, sums: Sums::default(), past: Vec::with_capacity(FRAME) };
        for cell in board.empty().iter() {
            eval.cell(cell, CellInfo::WALL, *board.cell(cell));
        }
        eval
    }

    /// Call before a stone is placed: [`Eval::restore`] will come back here.
    #[inline]
    pub fn save(&mut self) {
        self.past.push(self.sums);
    }

    /// Back to what it was at the last [`Eval::save`].
    #[inline]
    pub fn restore(&mut self) {
        if let Some(sums) = self.past.pop() {
            self.sums = sums;
        }
    }

    /// Points for the side to move on the board that is watched.
    #[inline]
    pub fn score<R: Rule>(&self, board: &Board<R>, to_move: Color) -> Score {
        let [mine, theirs] = [self.sums[to_move.index()][0], self.sums[(!to_move).index()][1]];
        let threats = self.weights.threats[to_move.index()][threat_mask(board, to_move)] as i32;
        ((mine + theirs + threats) / UNIT).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }

    /// The weights it sums.
    #[inline]
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }
}

impl Watcher for Eval {
    #[inline]
    fn cell(&mut self, _: Cell, old: CellInfo, new: CellInfo) {
        for color in Color::ALL {
            let i = color.index();
            let worth = &self.weights.potential[i];
            let before = worth[old.codes()[i] as usize % TABLE];
            let after = worth[new.codes()[i] as usize % TABLE];
            for tempo in 0..2 {
                self.sums[i][tempo] += after[tempo] as i32 - before[tempo] as i32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Renju, RuleId, Setup};
    use crate::types::keys::mix;

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
                sums.push(eval.sums);
                eval.save();
                board.make(cell, Color::ALL[board.placed() % 2], &mut eval);
                assert_eq!(eval.sums, Eval::new(&board, weights.clone()).sums);
            }
        }
        while let Some(before) = sums.pop() {
            board.unmake();
            eval.restore();
            assert_eq!(eval.sums, before);
        }
    }
}
