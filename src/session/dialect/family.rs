//! Commands of family games: any game of the family by `INFO variant`, with its
//! opening by `INFO opening` and the winner of a draw by `INFO tie_break`. Plies
//! are coordinates separated by blanks, followed by a number if one is declared,
//! or the words SWAP and PASS; `PLIES` sends a whole game in its own notation.

use goren_protocol::{Ply, Reply};

use super::axes::Axes;
use super::wire::{action_of, ply_of};
use crate::command_error::CommandError;
use crate::decide::Decision;
use crate::out::Out;
use crate::search::job::Task;
use crate::search::order::SearchOrder;
use crate::state::any_game::AnyGame;
use crate::state::game_at_hand::GameAtHand;
use crate::state::limits::Limits;
use goren_core::opening::{self, GameState};

/// The opponent's ply, and then ours.
pub fn turn_ply(
    at_hand: &mut GameAtHand,
    axes: Axes,
    limits: &Limits,
    ply: &Ply,
    out: Out,
) -> Result<SearchOrder, CommandError> {
    at_hand.not_refused()?;
    let family_game = at_hand.family()?;
    let (width, height) = family_game.size();
    let action = action_of(&family_game.game_state, ply, axes).map_err(CommandError::Outside)?;
    let next = family_game.after(&action)?;
    let allowance = limits.secure((next.events().len(), width * height), at_hand.hash())?;
    let family_game = at_hand.family()?;
    if let Some(text) = family_game.advance_to(next, &action) {
        out(Reply::Message(text));
    }
    family_game.go_on_or_tell(out)?;
    Ok(SearchOrder::new(Task::Move, allowance))
}

/// Replaces the game by the plies of a line, and answers them.
pub fn plies(
    at_hand: &mut GameAtHand,
    limits: &Limits,
    texts: &str,
    out: Out,
) -> Result<SearchOrder, CommandError> {
    let contest = *at_hand.family()?.game_state.contest();
    // Until there is another, nothing is said of the game of before. Where
    // memory is all that is missing, that game stays.
    let before = std::mem::replace(&mut at_hand.refused, true);
    let mut game_state = GameState::new(contest);
    for text in texts.split_whitespace() {
        let played =
            opening::read(&game_state, text).and_then(|action| Ok(game_state.apply(&action)?));
        played.map_err(|error| CommandError::Ply { text: text.to_owned(), error })?;
    }
    let measures = (game_state.events().len(), contest.width * contest.height);
    let secured = limits.secure(measures, at_hand.hash());
    let allowance = secured.inspect_err(|_| at_hand.refused = before)?;
    at_hand.refused = false;
    let family_game = at_hand.family()?;
    family_game.game_state = game_state;
    family_game.go_on_or_tell(out)?;
    Ok(SearchOrder::new(Task::Move, allowance))
}

/// Plays what was decided, and says why and what it did.
pub fn answer_ply(at_hand: &mut GameAtHand, axes: Axes, decision: Option<Decision>, out: Out) {
    let over = || Reply::Error(CommandError::Over.to_string());
    let (Some(decision), Some(AnyGame::Family(family_game))) = (decision, &mut at_hand.game) else {
        out(over());
        return;
    };
    let Ok(gone) = family_game.play(&decision.action) else {
        out(over());
        return;
    };
    for text in decision.why.into_iter().chain(gone) {
        out(Reply::Message(text));
    }
    family_game.tell_end(out);
    out(ply_of(&decision.action, axes).into());
}
