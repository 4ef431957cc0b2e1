//! Standard: exactly five in a row wins (Gomocup rule 1).

use super::bench;
use super::id::RuleId;
use super::rule::{Card, Overline, Rule};
use super::sheet::five;
use crate::rules::opening_id::OpeningId::{
    Centre, Free, LongPro, Pro, Swap, Swap1st, Swap2, Swap5,
};
use crate::rules::sheet::{Alias, BalancedOpenings, GameOption, GameSheet};
use crate::rules::verdict::{Excuse, Fouls};
use crate::types::Color;

/// The hint for names by which others mean five or more.
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

/// The options.
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
            "The first to have exactly five stones next to each other in a row, a column or a \
             diagonal wins. Six or more, an overline, do not win, and the game goes on.",
            "Stones stay where they are. A full board without a five is a draw.",
        ],
        ALIASES,
        bench::STANDARD,
    )
};

/// The game where players may pass at any point after the opening.
const PASSING: GameSheet = GameSheet { plies_before_passes: 0, ..GAME };

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
        options_of: None,
        wins: |_, row, _| row == 5,
        fouls: [Fouls::NONE; 2],
        excuse: Excuse::None,
        full_board: None,
        weights: RuleId::Standard,
    };
    const OVERLINE: [Overline; 2] = [Overline::Nothing; 2];
}

/// Gomoku with passes at any point after the opening, as its official rule has them
/// (Abstract Play's page on n-in-a-row games).
#[derive(Copy, Clone, Debug)]
pub struct StandardPass;

impl StandardPass {
    /// The card; the sheet of [`Standard`] implements the rule.
    pub const CARD: Card = Card {
        name: "gomoku+free-pass",
        gomocup: 1 | 16,
        database: (17, 'p'),
        game: PASSING,
        options_of: Some((RuleId::Standard, &[FREE_PASS])),
        ..Standard::CARD
    };
}

/// Gomoku in which a full board is White's win, because Black had the advantage of the
/// first stone (everything2.com on Gomoku).
#[derive(Copy, Clone, Debug)]
pub struct StandardFull;

impl StandardFull {
    /// The card; the sheet of [`Standard`] implements the rule.
    pub const CARD: Card = Card {
        name: "gomoku+white-full",
        gomocup: 1 | 32,
        database: (33, 'w'),
        options_of: Some((RuleId::Standard, &[WHITE_FULL])),
        full_board: Some(Color::White),
        ..Standard::CARD
    };
}

/// Both options at once.
#[derive(Copy, Clone, Debug)]
pub struct StandardPassFull;

impl StandardPassFull {
    /// The card; the sheet of [`Standard`] implements the rule.
    pub const CARD: Card = Card {
        name: "gomoku+free-pass+white-full",
        gomocup: 1 | 16 | 32,
        database: (49, 'q'),
        game: PASSING,
        options_of: Some((RuleId::Standard, &[FREE_PASS, WHITE_FULL])),
        ..StandardFull::CARD
    };
}

/// The sheet of gomoku in which nobody may make a double three, as in family games in
/// Japan (everything2.com on Gomoku).
#[derive(Copy, Clone, Debug)]
pub struct StandardDoubleThree;

impl Rule for StandardDoubleThree {
    const ID: RuleId = RuleId::StandardDoubleThree;
    const CARD: Card = Card {
        name: "gomoku+double-three-both",
        gomocup: 1 | 64,
        database: (65, 'd'),
        options_of: Some((RuleId::Standard, &[DOUBLE_THREE])),
        fouls: [Fouls { double_three: true, ..Fouls::NONE }; 2],
        // The weights of gomoku do not know that a double three loses.
        weights: RuleId::Renju,
        ..Standard::CARD
    };
    const OVERLINE: [Overline; 2] = Standard::OVERLINE;
}

/// The same with passes at any point after the opening.
#[derive(Copy, Clone, Debug)]
pub struct StandardPassDoubleThree;

impl StandardPassDoubleThree {
    /// The card; the sheet of [`StandardDoubleThree`] implements the rule.
    pub const CARD: Card = Card {
        name: "gomoku+free-pass+double-three-both",
        gomocup: 1 | 16 | 64,
        database: (81, 'u'),
        game: PASSING,
        options_of: Some((RuleId::Standard, &[FREE_PASS, DOUBLE_THREE])),
        ..StandardDoubleThree::CARD
    };
}

/// The same in which a full board is White's win.
#[derive(Copy, Clone, Debug)]
pub struct StandardFullDoubleThree;

impl StandardFullDoubleThree {
    /// The card; the sheet of [`StandardDoubleThree`] implements the rule.
    pub const CARD: Card = Card {
        name: "gomoku+white-full+double-three-both",
        gomocup: 1 | 32 | 64,
        database: (97, 'v'),
        options_of: Some((RuleId::Standard, &[WHITE_FULL, DOUBLE_THREE])),
        full_board: StandardFull::CARD.full_board,
        ..StandardDoubleThree::CARD
    };
}

/// All three options at once.
#[derive(Copy, Clone, Debug)]
pub struct StandardPassFullDoubleThree;

impl StandardPassFullDoubleThree {
    /// The card; the sheet of [`StandardDoubleThree`] implements the rule.
    pub const CARD: Card = Card {
        name: "gomoku+free-pass+white-full+double-three-both",
        gomocup: 1 | 16 | 32 | 64,
        database: (113, 'x'),
        game: PASSING,
        options_of: Some((RuleId::Standard, &[FREE_PASS, WHITE_FULL, DOUBLE_THREE])),
        ..StandardFullDoubleThree::CARD
    };
}
