//! Draw offers and requests to resign, answered by the score of our last search.

use goren_protocol::Reply;

use crate::out::Out;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::Settings;
use goren_core::types::{PROVEN, Score};

/// Scores up to this many points count as level.
const LEVEL: Score = 30;
/// The board counts as nearly full if at most this percentage of the moves is left.
const NEARLY_FULL: usize = 15;

/// Whether to accept a draw: we are lost, or the position is level and the board nearly
/// full.
fn accepts_draw(score: Score, stones: usize, longest: usize) -> bool {
    let late = longest.saturating_sub(stones) * 100 <= longest * NEARLY_FULL;
    score <= -PROVEN || score.abs() <= LEVEL && late
}

/// The score of our last search, if at most the opponent's answer was played since, the
/// number of stones, and the number of stones after which the game is drawn.
fn opinion(at_hand: &GameAtHand, settings: &Settings) -> Option<(Score, usize, usize)> {
    let game = at_hand.five()?;
    let last = at_hand.last_score.as_ref().filter(|_| !at_hand.refused)?;
    let longest = settings.longest_game(game.setup.area());
    last.is_of(&game.stones, 1).then_some((last.score, game.stones.len(), longest))
}

pub(super) fn answer_draw(at_hand: &GameAtHand, settings: &Settings, out: Out) {
    let opinion = opinion(at_hand, settings);
    let yes = opinion.is_some_and(|(score, stones, longest)| accepts_draw(score, stones, longest));
    out(Reply::Message(format!("DRAW {}", if yes { "ACCEPT" } else { "REJECT" })));
}

pub(super) fn answer_resign(at_hand: &GameAtHand, settings: &Settings, out: Out) {
    let yes = opinion(at_hand, settings).is_some_and(|(score, ..)| score <= -PROVEN);
    out(Reply::Message(format!("RESIGN {}", if yes { "ACCEPT" } else { "REJECT" })));
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{loss_in, win_in};

    #[test]
    fn a_draw_is_accepted_if_lost_or_level_near_the_end() {
        assert!(accepts_draw(loss_in(8), 20, 225) && !accepts_draw(win_in(8), 220, 225));
        assert!(accepts_draw(0, 200, 225) && accepts_draw(-30, 60, 60));
        assert!(!accepts_draw(0, 100, 225));
        assert!(!accepts_draw(31, 224, 225) && !accepts_draw(-31, 224, 225));
    }
}
