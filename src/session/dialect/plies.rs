//! PLIES, a command for games named by `INFO variant` only: it sends a whole game in the
//! game's own notation. The opening comes from `INFO opening`, the winner of a draw from
//! `INFO tie_break`.

use super::game::continue_or_report_end;
use crate::order::limits::Limits;
use crate::order::search_order::SearchOrder;
use crate::order::task::Task;
use crate::out::Out;
use crate::state::command_error::CommandError;
use crate::state::game_at_hand::GameAtHand;
use crate::state::played_game::stones_and_area;
use goren_core::opening::{self, GameState};

/// Replaces the game by the plies of a line, and orders the next ply.
pub fn plies(
    at_hand: &mut GameAtHand,
    limits: &Limits,
    texts: &str,
    out: Out,
) -> Result<SearchOrder, CommandError> {
    let contest = *at_hand.named()?.game_state.contest();
    // Until the list is accepted, commands that continue a game are refused: the client
    // no longer shows the old one. If only memory is missing, the old game stays in
    // use.
    let before = std::mem::replace(&mut at_hand.refused, true);
    let mut game_state = GameState::new(contest);
    for text in texts.split_whitespace() {
        let played =
            opening::read(&game_state, text).and_then(|action| Ok(game_state.apply(&action)?));
        played.map_err(|error| CommandError::Ply { text: text.to_owned(), error })?;
    }
    let secured = limits.secure(stones_and_area(&game_state), &at_hand.hash);
    let allowance = secured.inspect_err(|_| at_hand.refused = before)?;
    at_hand.refused = false;
    let game = at_hand.named()?;
    game.game_state = game_state;
    continue_or_report_end(game, false, out)?;
    Ok(SearchOrder::new(Task::Move, allowance))
}
