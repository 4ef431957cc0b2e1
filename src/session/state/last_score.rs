//! The score after our last move, which decides whether to accept a draw or to resign.

use goren_core::types::{Cell, Score, Stone};
use goren_engine::Info;

/// The score of our last search in the game.
pub struct LastScore {
    /// The stones after our move.
    stones: Vec<(Cell, Stone)>,
    /// The score for our side.
    pub score: Score,
}

impl LastScore {
    /// Returns the score after a move. If the move was forced and not searched, carries over
    /// the score `before`.
    pub fn after(
        before: Option<LastScore>,
        stones: Vec<(Cell, Stone)>,
        info: Option<&Info>,
    ) -> Option<LastScore> {
        let before = before.filter(|before| before.is_of(&stones, 2));
        let score = info.and_then(|info| info.searched().or(before.map(|before| before.score)));
        score.map(|score| LastScore { stones, score })
    }

    /// Whether the score belongs to a game with these stones, at most `since` of which came
    /// later.
    pub fn is_of(&self, stones: &[(Cell, Stone)], since: usize) -> bool {
        stones.starts_with(&self.stones) && stones.len() <= self.stones.len() + since
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::Color;
    use goren_engine::Basis;

    #[test]
    fn a_score_holds_until_another_is_searched_or_another_game_begins() {
        let stones = |count: usize| -> Vec<(Cell, Stone)> {
            let color = |i: usize| Stone::Of(Color::ALL[i % 2]);
            (0..count).map(|i| (Cell::new(i, 3), color(i))).collect()
        };
        let searched = Info { score: 40, basis: Basis::Search, ..Info::NOTHING };
        let first = LastScore::after(None, stones(3), Some(&searched));
        assert_eq!(first.as_ref().map(|last| last.score), Some(40));
        let second = LastScore::after(first, stones(5), Some(&Info::NOTHING));
        assert_eq!(second.as_ref().map(|last| last.score), Some(40));
        assert!(second.as_ref().is_some_and(|last| last.is_of(&stones(6), 1)));
        assert!(!second.as_ref().is_some_and(|last| last.is_of(&stones(7), 1)));
        // Too many stones since, too few, or no info.
        for (count, info) in [(8, Some(&Info::NOTHING)), (4, Some(&Info::NOTHING)), (7, None)] {
            let before = LastScore::after(None, stones(5), Some(&searched));
            assert!(LastScore::after(before, stones(count), info).is_none(), "{count}");
        }
    }
}
