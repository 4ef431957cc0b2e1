//! What earlier cutoffs say about moves.

use super::params::HISTORY_MAX;
use crate::types::{Cell, Color, FRAME, Move};

/// Tables of one search thread.
#[derive(Clone)]
pub struct History {
    main: Box<[[i16; FRAME]; 2]>,
    counter: Box<[[Move; FRAME]; 2]>,
}

impl Default for History {
    fn default() -> History {
        History { main: Box::new([[0; FRAME]; 2]), counter: Box::new([[Move::NONE; FRAME]; 2]) }
    }
}

impl History {
    /// How well a move did, within [`HISTORY_MAX`].
    #[inline]
    pub fn get(&self, color: Color, m: Move) -> i32 {
        self.main[color.index()][m.cell().index()] as i32
    }

    /// The move that last refuted a stone on `last`.
    #[inline]
    pub fn counter(&self, color: Color, last: Option<Cell>) -> Move {
        last.map_or(Move::NONE, |c| self.counter[color.index()][c.index()])
    }

    /// A move refuted a stone on `last` after others had been tried.
    pub fn reward(
        &mut self,
        color: Color,
        m: Move,
        last: Option<Cell>,
        tried: &[Move],
        depth: i32,
    ) {
        let bonus = (16 * depth * depth + 32 * depth).min(2000);
        self.add(color, m, bonus);
        for &other in tried {
            self.add(color, other, -bonus);
        }
        if let Some(last) = last {
            self.counter[color.index()][last.index()] = m;
        }
    }

    fn add(&mut self, color: Color, m: Move, bonus: i32) {
        let entry = &mut self.main[color.index()][m.cell().index()];
        // Gravity: the nearer the bound, the less it moves.
        *entry += (bonus - *entry as i32 * bonus.abs() / HISTORY_MAX) as i16;
    }

    /// Makes the past weigh less, before the search of a new position.
    pub fn fade(&mut self) {
        for entry in self.main.iter_mut().flatten() {
            *entry /= 2;
        }
    }
}
