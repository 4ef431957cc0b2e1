//! Standard: exactly five in a row wins (Gomocup rule 1).

use super::games::OpeningId::{Centre, Free, LongPro, Pro, Swap1st, Swap2, Swap5};
use super::games::{GameSheet, five};
use super::id::RuleId;
use super::rule::{Card, Overline, Rule};

/// The sheet of standard.
#[derive(Copy, Clone, Debug)]
pub struct Standard;

impl Rule for Standard {
    const ID: RuleId = RuleId::Standard;
    const CARD: Card = Card {
        name: "standard",
        gomocup: 1,
        game: GameSheet {
            sizes: &[(15, 15), (19, 19)],
            openings: &[Pro, Free, Centre, LongPro, Swap1st, Swap2, Swap5],
            passes: true,
            ..five(RuleId::Standard, "gomoku", "Exactly five in a row wins")
        },
        wins: |_, row, _| row == 5,
        fouls: false,
        weights: RuleId::Standard,
    };
    const OVERLINE: [Overline; 2] = [Overline::Nothing; 2];
}
