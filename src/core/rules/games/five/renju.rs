//! Renju (Gomocup rule 4): Black wins with exactly five and has fouls, White
//! wins with five or more. Renju International Federation rules, section 9. Options that can
//! be combined: overlines are allowed for Black too, and win; double fours are not fouls, as
//! in early renju; White has Black's rules. The rules before early renju, from 1899 on, are
//! in `stages.rs`.

use super::bench;
use super::id::RuleId;
use super::rule::{Card, Overline, Rule};
use super::sheet::five;
use crate::rules::opening_id::OpeningId::{
    self, Centre, Free, Rif, Soosorv8, SuperRif, SuperSoosorv8, SuperTaraguchi10, SuperTarannikov,
    SuperYamaguchi, Swap, Swap2, Swap5, Swap1989, Taraguchi10, Tarannikov, Yamaguchi,
};
use crate::rules::sheet::{Alias, BalancedOpenings, GameOption, GameSheet};
use crate::rules::verdict::{Excuse, Fouls};
use crate::types::Color;

/// Options that can be combined.
const OVERLINE: &str = "overline";
const EARLY: &str = "early";
const BOTH: &str = "fouls-both";
/// Options that exclude all other options.
const FREE_PASS: &str = "free-pass";
pub(super) const OF_1899: &str = "1899";
pub(super) const OF_1903: &str = "1903";
pub(super) const OF_1912: &str = "1912";
pub(super) const OF_1916: &str = "1916";

const ALIASES: &[Alias] = &[
    Alias::plain(&[
        "renju",
        "freerenju",
        "renjufree",
        "internationalrenju",
        "standardrenju",
        "renjustandard",
        "renjunoopening",
        "连珠",
        "連珠",
        "有禁",
        "有禁手",
        "렌주",
        "렌주룰",
        "рэндзю",
        "рендзю",
    ]),
    Alias::with(&["earlyrenju", "renjuearly", "renju1918"], &[EARLY]),
    Alias::with(&["renjuforboth", "symmetricrenju", "renjufoulsforboth"], &[BOTH]),
    Alias::with(&["renju1899"], &[OF_1899]),
    Alias::with(&["renju1903"], &[OF_1903]),
    Alias::with(&["renju1912"], &[OF_1912]),
    Alias::with(&["renju1916"], &[OF_1916]),
];

/// The game, with its options.
const GAME: GameSheet = GameSheet {
    options: &[
        GameOption {
            name: OVERLINE,
            alias: "overline-allowed",
            text: "overlines are allowed for Black as well, and win",
        },
        GameOption {
            name: EARLY,
            alias: "early-renju",
            text: "as from 1918, until double fours became fouls; 19x19 by default",
        },
        GameOption {
            name: BOTH,
            alias: "fouls-for-both",
            text: "White has Black's fouls as well, and wins with exactly five (+overline: or more)",
        },
        GameOption {
            name: FREE_PASS,
            alias: "pass-any-time",
            text: "players may pass at any point of the game after the opening",
        },
        GameOption {
            name: OF_1899,
            alias: "rules-of-1899",
            text: "only double threes are fouls, for both colours, unless the stone also makes or answers a four; 19x19",
        },
        GameOption {
            name: OF_1903,
            alias: "rules-of-1903",
            text: "only double threes are fouls, for Black, unless the stone also makes or answers a four; 19x19",
        },
        GameOption {
            name: OF_1912,
            alias: "rules-of-1912",
            text: "only double threes are fouls, for Black, unless the stone also makes a four; 19x19",
        },
        GameOption {
            name: OF_1916,
            alias: "rules-of-1916",
            text: "overlines are fouls for Black, and so are double threes, unless the stone also makes a four; 19x19",
        },
    ],
    sizes: &[(15, 15)],
    openings: &[
        Centre,
        Free,
        Swap1989,
        Rif,
        Yamaguchi,
        Soosorv8,
        Tarannikov,
        Taraguchi10,
        SuperRif,
        SuperYamaguchi,
        SuperSoosorv8,
        SuperTarannikov,
        SuperTaraguchi10,
        Swap,
        Swap2,
        Swap5,
    ],
    passes: true,
    // Further openings that RenjuNet has.
    unknown_openings: &[
        "rif",
        "sakata",
        "taraguchi",
        "taraguchin",
        "soosorv",
        "soosyrv",
        "soosorvn",
        "soosyrvn",
        "yamasyrv",
        "yamaguchi",
    ],
    balanced: &[
        BalancedOpenings::swap_2(15, include_str!("balanced-renju-15.txt")),
        BalancedOpenings::of(OpeningId::Rif, 15, include_str!("balanced-renju-rif.txt")),
        BalancedOpenings::of(
            OpeningId::Yamaguchi,
            15,
            include_str!("balanced-renju-yamaguchi.txt"),
        ),
    ],
    ..five(
        "renju",
        "Black wins with exactly five and must not make a double three, a double four or six; \
         White wins with five or more",
        &[
            "Black and White place a stone in turn, on any empty point. Black begins, which is an \
             advantage: so Black has forbidden points, and most games begin with an opening that \
             balances them.",
            "White wins with five or more in a row, a column or a diagonal; Black with exactly five.",
            "Black loses by a foul: an overline, which is six or more in a row; a double four, which \
             is two fours by one stone; a double three, two threes by one stone. A five made at \
             the same time still wins. White has no fouls.",
            "A four is a row that one more stone makes a five. It is a straight four where there are \
             two such points.",
            "A three is a row that one more stone makes a straight four. It counts only if that \
             stone would be no foul itself and make no five.",
            "A four and a three by one stone are allowed: that is how Black wins. White wins by \
             forcing Black to answer on a forbidden point.",
        ],
        ALIASES,
        bench::RENJU,
    )
};

/// The game as it was played on the Go board.
pub(super) const ON_GO_BOARD: GameSheet = GameSheet { sizes: &[(19, 19), (15, 15)], ..GAME };

/// The sheet of renju.
#[derive(Copy, Clone, Debug)]
pub struct Renju;

impl Rule for Renju {
    const ID: RuleId = RuleId::Renju;
    const CARD: Card = Card {
        name: "renju",
        gomocup: 4,
        database: (2, 'r'),
        game: GAME,
        options_of: None,
        wins: |color, row, _| row == 5 || row > 5 && color == Color::White,
        fouls: [Fouls::ALL, Fouls::NONE],
        excuse: Excuse::None,
        full_board: None,
        weights: RuleId::Renju,
    };
    const OVERLINE: [Overline; 2] = [Overline::Foul, Overline::Wins];
}

/// Renju with passes at any point after the opening, as the international rules of 1996
/// have them.
#[derive(Copy, Clone, Debug)]
pub struct RenjuPass;

impl RenjuPass {
    /// The card; the sheet of [`Renju`] implements the rule.
    pub const CARD: Card = Card {
        name: "renju+free-pass",
        gomocup: 4 | 64 | 128,
        database: (196, 't'),
        game: GameSheet { plies_before_passes: 0, ..GAME },
        options_of: Some((RuleId::Renju, &[FREE_PASS])),
        ..Renju::CARD
    };
}

/// The sheet of renju with overlines allowed for Black: six or more win like a five, and fours
/// and threes that are completed to six or more count as well. A four is not a three, even if
/// one more stone would make it a straight four, as in `XX.XXX`.
#[derive(Copy, Clone, Debug)]
pub struct RenjuOverline;

impl Rule for RenjuOverline {
    const ID: RuleId = RuleId::RenjuOverline;
    const CARD: Card = Card {
        name: "renju+overline",
        // Gomocup has no number for it: renju's with a bit of our own.
        gomocup: 4 | 16,
        database: (20, 'o'),
        options_of: Some((RuleId::Renju, &[OVERLINE])),
        wins: |_, row, _| row >= 5,
        fouls: [Fouls { overline: false, ..Fouls::ALL }, Fouls::NONE],
        ..Renju::CARD
    };
    const HALF: usize = Renju::HALF;
}

/// The sheet of early renju: only double threes and overlines are fouls, on the Go board
/// (Abstract Play's page on n-in-a-row games). A double three is a foul even if the stone also
/// makes a four, as from 1918 (everything2.com on Gomoku).
#[derive(Copy, Clone, Debug)]
pub struct EarlyRenju;

impl Rule for EarlyRenju {
    const ID: RuleId = RuleId::EarlyRenju;
    const CARD: Card = Card {
        name: "renju+early",
        gomocup: 4 | 32,
        database: (36, 'y'),
        options_of: Some((RuleId::Renju, &[EARLY])),
        game: ON_GO_BOARD,
        fouls: [Fouls { double_four: false, ..Fouls::ALL }, Fouls::NONE],
        ..Renju::CARD
    };
    const OVERLINE: [Overline; 2] = Renju::OVERLINE;
}

/// The sheet of renju in which both colours have Black's rules.
#[derive(Copy, Clone, Debug)]
pub struct RenjuBoth;

impl Rule for RenjuBoth {
    const ID: RuleId = RuleId::RenjuBoth;
    const CARD: Card = Card {
        name: "renju+fouls-both",
        gomocup: 4 | 64,
        database: (68, 'b'),
        options_of: Some((RuleId::Renju, &[BOTH])),
        wins: |_, row, _| row == 5,
        fouls: [Fouls::ALL; 2],
        ..Renju::CARD
    };
    const OVERLINE: [Overline; 2] = [Overline::Foul; 2];
}

/// The sheet of early renju with overlines allowed for Black.
#[derive(Copy, Clone, Debug)]
pub struct EarlyOverline;

impl Rule for EarlyOverline {
    const ID: RuleId = RuleId::EarlyOverline;
    const CARD: Card = Card {
        name: "renju+overline+early",
        gomocup: 4 | 16 | 32,
        database: (52, 'i'),
        options_of: Some((RuleId::Renju, &[OVERLINE, EARLY])),
        wins: RenjuOverline::CARD.wins,
        fouls: [Fouls { double_three: true, ..Fouls::NONE }, Fouls::NONE],
        ..EarlyRenju::CARD
    };
    const HALF: usize = Renju::HALF;
}

/// The sheet of renju in which both colours have Black's rules, with overlines allowed.
#[derive(Copy, Clone, Debug)]
pub struct RenjuOverlineBoth;

impl Rule for RenjuOverlineBoth {
    const ID: RuleId = RuleId::RenjuOverlineBoth;
    const CARD: Card = Card {
        name: "renju+overline+fouls-both",
        gomocup: 4 | 16 | 64,
        database: (84, 'j'),
        options_of: Some((RuleId::Renju, &[OVERLINE, BOTH])),
        fouls: [RenjuOverline::CARD.fouls[0]; 2],
        ..RenjuOverline::CARD
    };
    const HALF: usize = Renju::HALF;
}

/// The sheet of early renju in which both colours have Black's rules.
#[derive(Copy, Clone, Debug)]
pub struct EarlyBoth;

impl Rule for EarlyBoth {
    const ID: RuleId = RuleId::EarlyBoth;
    const CARD: Card = Card {
        name: "renju+early+fouls-both",
        gomocup: 4 | 32 | 64,
        database: (100, 'k'),
        options_of: Some((RuleId::Renju, &[EARLY, BOTH])),
        wins: RenjuBoth::CARD.wins,
        fouls: [EarlyRenju::CARD.fouls[0]; 2],
        ..EarlyRenju::CARD
    };
    const OVERLINE: [Overline; 2] = RenjuBoth::OVERLINE;
}

/// The sheet of renju with all three options: double threes are fouls of both colours.
#[derive(Copy, Clone, Debug)]
pub struct EarlyOverlineBoth;

impl Rule for EarlyOverlineBoth {
    const ID: RuleId = RuleId::EarlyOverlineBoth;
    const CARD: Card = Card {
        name: "renju+overline+early+fouls-both",
        gomocup: 4 | 16 | 32 | 64,
        database: (116, 'l'),
        options_of: Some((RuleId::Renju, &[OVERLINE, EARLY, BOTH])),
        fouls: [EarlyOverline::CARD.fouls[0]; 2],
        ..EarlyOverline::CARD
    };
    const HALF: usize = Renju::HALF;
}
