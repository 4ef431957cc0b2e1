//! A way to go on in an opening, with its value.

use std::fmt;

use goren_core::opening::{Action, GameState, write};
use goren_core::types::Score;

/// A way to go on, and what it is worth to the seat.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Way {
    pub(super) action: Action,
    pub(super) value: Score,
}

/// What a way to go on is worth to the seat, as it is told.
#[derive(Clone, PartialEq, Debug)]
pub struct Worth {
    /// The ply.
    pub action: Action,
    /// The same in the notation of files.
    pub text: String,
    /// Points.
    pub value: Score,
}

impl Worth {
    pub(super) fn of(game_state: &GameState, way: &Way) -> Worth {
        let text = match &way.action {
            Action::Swap => "swap".to_owned(),
            action => write(game_state, action),
        };
        Worth { action: way.action.clone(), text, value: way.value }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:+}", self.text, self.value)
    }
}

/// The one of two that is worth more; the first if they are worth the same.
pub(super) fn better(best: Option<Way>, other: Option<Way>) -> Option<Way> {
    match (best, other) {
        (Some(a), Some(b)) => Some(if b.value > a.value { b } else { a }),
        (a, b) => a.or(b),
    }
}
