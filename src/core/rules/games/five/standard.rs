//! Standard: exactly five in a row wins (Gomocup rule 1).

use super::bench;
use super::id::RuleId;
use super::rule::{Card, Overline, Rule};
use super::sheet::five;
use crate::rules::opening_id::OpeningId::{
    Centre, Free, LongPro, Pro, Swap, Swap1st, Swap2, Swap5,
};
use crate::rules::sheet::{Alias, BalancedOpenings, GameOption, GameSheet};
use crate::rules::verdict::Fouls;
use crate::types::Color;

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
    Alias::with(&["familygomoku", "gomokufamily"], &[DOUBLE_THREE]),
];

/// The options, of which there can be one.
const FREE_PASS: &str = "free-pass";
const WHITE_FULL: &str = "white-full";
const DOUBLE_THREE: &str = "double-three-both";

/// The game, with its options.
const GAME: GameSheet = GameSheet {
    options: &[
        GameOption {
            name: FREE_PASS,
            alias: "pass-any-time",
            text: "players may pass at any point of the game after the opening",
        },
        GameOption {
            name: WHITE_FULL,
            alias: "full-board-white",
            text: "White wins when the board is full",
        },
        GameOption {
            name: DOUBLE_THREE,
            alias: "double-three-for-both",
            text: "double threes are fouls of both colours, as in family games in Japan",
        },
    ],
    sizes: &[(15, 15), (19, 19)],
    openings: &[Pro, Free, Centre, LongPro, Swap1st, Swap, Swap2, Swap5],
    passes: true,
    balanced: &[
        BalancedOpenings::swap_2(15, include_str!("balanced-standard-15.txt")),
        BalancedOpenings::swap_2(19, include_str!("balanced-standard-19.txt")),
    ],
    ..five(
        "gomoku",
        "Exactly five in a row wins",
        &[
            "Black and White place a stone in turn, on any empty point. Black begins.",
            "Who first has exactly five stones next to each other in a row, a column or a diagonal \
             wins. Six or more, an overline, win nothing, and the game goes on.",
            "Stones stay where they are. A full board without a five is a draw.",
        ],
        ALIASES,
        bench::STANDARD,
    )
};

/// The sheet of standard.
#[derive(Copy, Clone, Debug)]
pub struct Standard;

impl Rule for Standard {
    const ID: RuleId = RuleId::Standard;
    const CARD: Card = Card {
        name: "standard",
        gomocup: 1,
        database: (1, 's'),
        game: GAME,
        option_of: None,
        wins: |_, row, _| row == 5,
        fouls: [Fouls::NONE; 2],
        full_board: None,
        weights: RuleId::Standard,
    };
    const OVERLINE: [Overline; 2] = [Overline::Nothing; 2];
}

/// The sheet of gomoku with passes at any point after the opening, as its official
/// rule has them.
#[derive(Copy, Clone, Debug)]
pub struct StandardPass;

impl Rule for StandardPass {
    const ID: RuleId = RuleId::StandardPass;
    const CARD: Card = Card {
        name: "gomoku+free-pass",
        gomocup: 1 | 16,
        database: (17, 'p'),
        game: GameSheet { plies_before_passes: 0, ..GAME },
        option_of: Some((RuleId::Standard, FREE_PASS)),
        ..Standard::CARD
    };
    const OVERLINE: [Overline; 2] = Standard::OVERLINE;
}

/// The sheet of gomoku in which a full board is White's win, as Black had the
/// advantage of the first stone.
#[derive(Copy, Clone, Debug)]
pub struct StandardFull;

impl Rule for StandardFull {
    const ID: RuleId = RuleId::StandardFull;
    const CARD: Card = Card {
        name: "gomoku+white-full",
        gomocup: 1 | 32,
        database: (33, 'w'),
        option_of: Some((RuleId::Standard, WHITE_FULL)),
        full_board: Some(Color::White),
        ..Standard::CARD
    };
    const OVERLINE: [Overline; 2] = Standard::OVERLINE;
    const FULL_BOARD: Option<Color> = StandardFull::CARD.full_board;
}

/// The sheet of gomoku in which nobody may make a double three.
#[derive(Copy, Clone, Debug)]
pub struct StandardDoubleThree;

impl Rule for StandardDoubleThree {
    const ID: RuleId = RuleId::StandardDoubleThree;
    const CARD: Card = Card {
        name: "gomoku+double-three-both",
        gomocup: 1 | 64,
        database: (65, 'd'),
        option_of: Some((RuleId::Standard, DOUBLE_THREE)),
        fouls: [Fouls { double_three: true, ..Fouls::NONE }; 2],
        // Those of gomoku do not know that a double three loses.
        weights: RuleId::Renju,
        ..Standard::CARD
    };
    const OVERLINE: [Overline; 2] = Standard::OVERLINE;
    const FOULS: [Fouls; 2] = StandardDoubleThree::CARD.fouls;
}
