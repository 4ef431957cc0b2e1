//! Standard: exactly five in a row wins (Gomocup rule 1).

use super::bench;
use super::id::RuleId;
use super::rule::{Card, Overline, Rule};
use super::sheet::five;
use crate::rules::opening_id::OpeningId::{
    Centre, Free, LongPro, Pro, Swap, Swap1st, Swap2, Swap5,
};
use crate::rules::sheet::{Alias, BalancedOpenings, GameSheet};

/// Some mean five or more by it.
pub(in crate::rules) const GOMOKU: &str =
    "gomoku is taken as exactly five in a row; --game freestyle if longer rows win";

const ALIASES: &[Alias] = &[
    Alias::plain(&[
        "standard",
        "standardgomoku",
        "gomokustandard",
        "exactfive",
        "exactlyfive",
        "exact5",
        "exactly5",
        "gomokuexactfive",
    ]),
    Alias::plain(&["gomoku", "gomokunarabe", "гомоку"]).hinted(GOMOKU),
];

/// The sheet of standard.
#[derive(Copy, Clone, Debug)]
pub struct Standard;

impl Rule for Standard {
    const ID: RuleId = RuleId::Standard;
    const CARD: Card = Card {
        name: "standard",
        gomocup: 1,
        database: (1, 's'),
        game: GameSheet {
            sizes: &[(15, 15), (19, 19)],
            openings: &[Pro, Free, Centre, LongPro, Swap1st, Swap, Swap2, Swap5],
            passes: true,
            balanced: &[BalancedOpenings::new(15, include_str!("balanced-standard-15.txt"))],
            ..five("gomoku", "Exactly five in a row wins", ALIASES, bench::STANDARD)
        },
        option_of: None,
        wins: |_, row, _| row == 5,
        fouls: false,
        weights: RuleId::Standard,
    };
    const OVERLINE: [Overline; 2] = [Overline::Nothing; 2];
}
