//! Score of the game after our last move, by which offers are answered.

use goren_core::types::{Cell, Score, Stone};
use goren_engine::Info;

/// What our last search said of the game.
pub struct LastScore {
    /// The stones after our move.
    stones: Vec<(Cell, Stone)>,
    /// The score for us.
    pub score: Score,
}

impl LastScore {
    /// After the move that a search has led to. Where the move was forced and
    /// nothing was searched, the score `before` still holds.
    pub fn after(
        before: Option<LastScore>,
        stones: Vec<(Cell, Stone)>,
        info: Option<&Info>,
    ) -> Option<LastScore> {
        let before = before.filter(|before| before.is_of(&stones, 2));
        let score = info.and_then(|info| info.searched().or(before.map(|before| before.score)));
        score.map(|score| LastScore { stones, score })
    }

    /// Whether it is about the game of these stones, at most so many of which
    /// came since.
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
        let kept = LastScore::after(first, stones(5), Some(&Info::NOTHING));
        assert_eq!(kept.as_ref().map(|last| last.score), Some(40));
        assert!(kept.as_ref().is_some_and(|last| last.is_of(&stones(6), 1)));
        assert!(!kept.as_ref().is_some_and(|last| last.is_of(&stones(7), 1)));
        // Too many stones since, fewer, or nothing told at all.
        for (count, info) in [(8, Some(&Info::NOTHING)), (4, Some(&Info::NOTHING)), (7, None)] {
            let before = LastScore::after(None, stones(5), Some(&searched));
            assert!(LastScore::after(before, stones(count), info).is_none(), "{count}");
        }
    }
}
