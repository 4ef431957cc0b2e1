//! Draw offers and resigning, answered by the result of our last search.

use goren_protocol::Reply;

use super::super::out::Out;
use super::super::state::{Session, State};
use super::opinion::Opinion;
use goren_core::types::{PROVEN, Score};
use goren_engine::Info;

/// Points within which a position counts as level.
const LEVEL: Score = 30;
/// The board is nearly full when so many moves of a hundred are left.
const NEARLY_FULL: usize = 15;

/// Whether a draw suits us: we are lost, or the position is level and there is
/// hardly room for more.
fn draws(score: Score, stones: usize, longest: usize) -> bool {
    let late = longest.saturating_sub(stones) * 100 <= longest * NEARLY_FULL;
    score <= -PROVEN || score.abs() <= LEVEL && late
}

/// Notes what the search said that led to our move. Where the move was
/// forced and nothing was searched, what was thought before still holds.
pub(crate) fn form_opinion(session: &mut Session, info: Option<Info>) {
    let State::Idle(game) = &session.state else { return };
    let stones = game.stones();
    let before = session.opinion.take().filter(|opinion| opinion.is_of(&stones, 2));
    let score = info.and_then(|info| info.searched().or(before.map(|opinion| opinion.score)));
    session.opinion = score.map(|score| Opinion { stones, score });
}

/// What we think of the game at hand, if it is still the one we moved in:
/// at most the opponent's answer came since. With the stones and the longest
/// game.
fn opinion(session: &Session) -> Option<(Score, usize, usize)> {
    let State::Idle(game) = &session.state else { return None };
    let opinion = session.opinion.as_ref().filter(|_| !session.refused)?;
    let stones = game.stones();
    let longest = session.settings.longest_game(game.setup().area());
    opinion.is_of(&stones, 1).then_some((opinion.score, stones.len(), longest))
}

pub(crate) fn answer_draw(session: &Session, out: Out) {
    let yes =
        opinion(session).is_some_and(|(score, stones, longest)| draws(score, stones, longest));
    out(Reply::Message(format!("DRAW {}", if yes { "ACCEPT" } else { "REJECT" })));
}

pub(crate) fn answer_resign(session: &Session, out: Out) {
    let yes = opinion(session).is_some_and(|(score, ..)| score <= -PROVEN);
    out(Reply::Message(format!("RESIGN {}", if yes { "ACCEPT" } else { "REJECT" })));
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{loss_in, win_in};

    #[test]
    fn a_draw_suits_who_is_lost_or_level_at_the_end() {
        assert!(draws(loss_in(8), 20, 225) && !draws(win_in(8), 220, 225));
        assert!(draws(0, 200, 225) && draws(-30, 60, 60));
        assert!(!draws(0, 100, 225) && !draws(31, 224, 225) && !draws(-31, 224, 225));
    }
}
