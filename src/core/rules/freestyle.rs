//! Freestyle: five or more in a row wins (Gomocup rule 0).

use super::games::five;
use super::id::RuleId;
use super::rule::{Card, Rule};

/// The sheet of freestyle.
#[derive(Copy, Clone, Debug)]
pub struct Freestyle;

impl Rule for Freestyle {
    const ID: RuleId = RuleId::Freestyle;
    const CARD: Card = Card {
        name: "freestyle",
        gomocup: 0,
        game: five(RuleId::Freestyle, "freestyle", "Five or more in a row wins"),
        wins: |_, row, _| row >= 5,
        fouls: false,
        weights: RuleId::Freestyle,
    };
}
