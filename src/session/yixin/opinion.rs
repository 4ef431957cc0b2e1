//! Score of the game after our last move.

use goren_core::types::{Cell, Score, Stone};

/// What we thought of the game when we moved last.
pub struct Opinion {
    /// The stones after our move.
    pub(super) stones: Vec<(Cell, Stone)>,
    pub(super) score: Score,
}

impl Opinion {
    /// Whether it is about the game of these stones, at most so many of which
    /// came since.
    pub(super) fn is_of(&self, stones: &[(Cell, Stone)], since: usize) -> bool {
        stones.starts_with(&self.stones) && stones.len() <= self.stones.len() + since
    }
}
