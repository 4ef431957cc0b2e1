//! Plies of the engine's opponent, and commands for positions.

use goren_protocol::Command;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::baseline::play_baseline;
use crate::engine::{Terms, board_of};
use crate::plies;
use goren_core::opening::{Action, Event, GameState};
use goren_core::types::Cell;
use goren_decide::sample;

/// Plays a ply for the side to move: a random one with probability `wild`, otherwise one of
/// the baseline player.
pub(super) fn reply(game_state: &mut GameState, rng: &mut SmallRng, wild: f64) {
    let Some(pending) = game_state.pending_decision() else { return };
    if pending.swap && rng.random_bool(0.3) && game_state.apply(&Action::Swap).is_ok() {
        return;
    }
    if rng.random_bool(wild)
        && let Some(action) = sample(game_state, rng)
        && game_state.apply(&action).is_ok()
    {
        return;
    }
    play_baseline(game_state, rng);
}

/// Plays `count` plies for both sides, none of which ends the game.
pub(super) fn play_plies(game_state: &mut GameState, count: usize, rng: &mut SmallRng, wild: f64) {
    while game_state.actions().len() < count {
        let count_before = game_state.actions().len();
        reply(game_state, rng, wild);
        if game_state.result().is_some() {
            game_state.take_back(1);
            return;
        }
        if game_state.actions().len() == count_before {
            return;
        }
    }
}

/// Returns the command that sends a whole game to an engine and asks for a ply.
pub(super) fn position_command(terms: Terms, game_state: &GameState) -> Command {
    match (terms, game_state.actions()) {
        (_, []) => Command::Begin,
        (Terms::Gomocup(_), _) => Command::Board(board_of(&stones(game_state))),
        (Terms::Family(_), actions) => {
            Command::Plies(plies::texts(game_state.contest(), actions).join(" "))
        }
    }
}

/// Returns the stones in the order they were placed.
pub(super) fn stones(game_state: &GameState) -> Vec<Cell> {
    let stone = |event: &Event| match event {
        Event::Stone(cell, _) => Some(*cell),
        Event::Pass => None,
    };
    game_state.events().iter().filter_map(stone).collect()
}
