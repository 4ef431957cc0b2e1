//! Freestyle: five or more in a row wins (Gomocup rule 0).

use super::bench;
use super::id::RuleId;
use super::rule::{Card, Rule};
use super::sheet::five;
use crate::rules::opening_id::OpeningId;
use crate::rules::sheet::{Alias, BalancedOpenings, GameSheet};
use crate::rules::verdict::{Excuse, Fouls};

/// The hint for names by which others mean exactly five.
const GENERAL: &str =
    "this name is taken as freestyle, five or more in a row; --game gomoku for exactly five";

const ALIASES: &[Alias] = &[
    Alias::plain(&[
        "freestyle",
        "free",
        "freegomoku",
        "freestylegomoku",
        "gomokufreestyle",
        "gomokufree",
        "fiveormore",
        "norestrictions",
        "fastgame",
        "无禁",
        "无禁手",
        "自由规则",
        "無禁",
        "無禁手",
        "자유룰",
    ]),
    Alias::plain(&[
        "fiveinarow",
        "5inarow",
        "fiveinaline",
        "5inaline",
        "gobang",
        "piskvorky",
        "luffarschack",
        "五子棋",
        "五目並べ",
        "五目ならべ",
    ])
    .hinted(GENERAL),
];

/// The sheet of freestyle.
#[derive(Copy, Clone, Debug)]
pub struct Freestyle;

impl Rule for Freestyle {
    const ID: RuleId = RuleId::Freestyle;
    const CARD: Card = Card {
        name: "freestyle",
        gomocup: 0,
        database: (0, 'f'),
        game: GameSheet {
            balanced: &[
                BalancedOpenings::swap_2(15, include_str!("balanced-freestyle-15.txt")),
                BalancedOpenings::swap_2(20, include_str!("balanced-freestyle-20.txt")),
                BalancedOpenings::of(
                    OpeningId::Swap5,
                    15,
                    include_str!("balanced-freestyle-swap-5.txt"),
                ),
            ],
            ..five(
                "freestyle",
                "Five or more in a row wins",
                &[
                    "Black and White place a stone in turn, on any empty point. Black begins.",
                    "The first to have five or more stones next to each other in a row, a column \
                     or a diagonal wins.",
                    "Stones stay where they are. A full board without such a row is a draw.",
                ],
                ALIASES,
                bench::FREESTYLE,
            )
        },
        options_of: None,
        wins: |_, row, _| row >= 5,
        fouls: [Fouls::NONE; 2],
        excuse: Excuse::None,
        full_board: None,
        weights: RuleId::Freestyle,
    };
}
