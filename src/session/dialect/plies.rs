//! Commands of named games alone: any game by `INFO variant`, with its opening by
//! `INFO opening` and the winner of a draw by `INFO tie_break`. `PLIES` sends a whole
//! game in its own notation.

use super::game::go_on_or_tell;
use crate::command_error::CommandError;
use crate::out::Out;
use crate::search::job::Task;
use crate::search::order::SearchOrder;
use crate::state::game_at_hand::GameAtHand;
use crate::state::limits::Limits;
use crate::state::played_game::measures;
use goren_core::opening::{self, GameState};

/// Replaces the game by the plies of a line, and answers them.
pub fn plies(
    at_hand: &mut GameAtHand,
    limits: &Limits,
    texts: &str,
    out: Out,
) -> Result<SearchOrder, CommandError> {
    let contest = *at_hand.named()?.game_state.contest();
    // Until there is another, nothing is said of the game of before. Where
    // memory is all that is missing, that game stays.
    let before = std::mem::replace(&mut at_hand.refused, true);
    let mut game_state = GameState::new(contest);
    for text in texts.split_whitespace() {
        let played =
            opening::read(&game_state, text).and_then(|action| Ok(game_state.apply(&action)?));
        played.map_err(|error| CommandError::Ply { text: text.to_owned(), error })?;
    }
    let secured = limits.secure(measures(&game_state), &at_hand.hash);
    let allowance = secured.inspect_err(|_| at_hand.refused = before)?;
    at_hand.refused = false;
    let game = at_hand.named()?;
    game.game_state = game_state;
    go_on_or_tell(game, false, out)?;
    Ok(SearchOrder::new(Task::Move, allowance))
}
