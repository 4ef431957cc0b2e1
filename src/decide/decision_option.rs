//! An option of a decision in an opening, with its value.

use std::fmt;

use goren_core::opening::{Action, GameState, write};
use goren_core::types::Score;

/// An option and its value for the deciding seat.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct DecisionOption {
    pub(super) action: Action,
    pub(super) value: Score,
}

/// An option with its value, for reports.
///
/// In serde formats it has its fields by name.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OptionValue {
    /// The ply.
    pub action: Action,
    /// The ply in the notation of files.
    pub text: String,
    /// Value for the deciding seat, in points.
    pub value: Score,
}

impl OptionValue {
    pub(super) fn of(game_state: &GameState, option: &DecisionOption) -> OptionValue {
        let text = match &option.action {
            Action::Swap => "swap".to_owned(),
            action => write(game_state, action),
        };
        OptionValue { action: option.action.clone(), text, value: option.value }
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:+}", self.text, self.value)
    }
}

/// Returns the option of higher value; the first if they are equal.
pub(super) fn better(
    best: Option<DecisionOption>,
    other: Option<DecisionOption>,
) -> Option<DecisionOption> {
    match (best, other) {
        (Some(a), Some(b)) => Some(if b.value > a.value { b } else { a }),
        (a, b) => a.or(b),
    }
}
