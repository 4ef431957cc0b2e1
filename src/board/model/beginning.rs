//! The initial position of a game.

use goren_core::opening::GameState;

/// Returns the initial position of a game, set-up stones included.
pub(super) fn beginning_of(game_state: &GameState) -> GameState {
    let mut beginning = game_state.clone();
    beginning.take_back(game_state.actions().len());
    beginning
}
