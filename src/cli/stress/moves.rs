//! Plies of the engine's opponent, and positions as commands.

use goren_protocol::{Command, Point};
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::baseline::play_baseline;
use crate::engine::{Terms, board_of};
use crate::plies;
use goren_core::opening::{Action, Course, Event};
use goren_core::types::Cell;
use goren_session::decide::sample;

/// Plays a ply of the side to move: a random one with probability `wild`, else
/// that of the baseline player.
pub(super) fn reply(course: &mut Course, rng: &mut SmallRng, wild: f64) {
    let Some(pending) = course.pending_decision() else { return };
    if pending.swap && rng.random_bool(0.3) && course.apply(&Action::Swap).is_ok() {
        return;
    }
    if rng.random_bool(wild)
        && let Some(action) = sample(course, rng)
        && course.apply(&action).is_ok()
    {
        return;
    }
    play_baseline(course, rng);
}

/// Plays `count` plies for both sides, none of which ends the game.
pub(super) fn lay(course: &mut Course, count: usize, rng: &mut SmallRng, wild: f64) {
    while course.actions().len() < count {
        let before = course.actions().len();
        reply(course, rng, wild);
        if course.result().is_some() {
            course.take_back(1);
            return;
        }
        if course.actions().len() == before {
            return;
        }
    }
}

/// The command that sends a whole game to an engine and asks for a ply.
pub(super) fn whole(terms: Terms, course: &Course) -> Command {
    match (terms, course.actions()) {
        (_, []) => Command::Begin,
        (Terms::Gomocup(_), _) => Command::Board(board_of(&stones(course))),
        (Terms::Family(_), actions) => {
            Command::Plies(plies::texts(course.contest(), actions).join(" "))
        }
    }
}

/// The stones in the order they were placed.
pub(super) fn stones(course: &Course) -> Vec<Cell> {
    let stone = |event: &Event| match event {
        Event::Stone(cell, _) => Some(*cell),
        Event::Pass => None,
    };
    course.events().iter().filter_map(stone).collect()
}

/// A cell as it goes over the wire.
pub(super) fn point(cell: Cell) -> Point {
    Point::new(cell.x() as i32, cell.y() as i32)
}
