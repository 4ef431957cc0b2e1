//! Renju (Gomocup rule 4): Black wins with exactly five and has fouls, White
//! wins with five or more. Renju International Federation rules, section 9. As
//! an option overlines are allowed for Black too, and win.

use super::bench;
use super::id::RuleId;
use super::rule::{Card, Overline, Rule};
use super::sheet::five;
use crate::rules::opening_id::OpeningId::{
    Centre, Free, Rif, Soosorv8, SuperRif, SuperSoosorv8, SuperTaraguchi10, SuperTarannikov,
    SuperYamaguchi, Swap, Swap2, Swap5, Swap1989, Taraguchi10, Tarannikov, Yamaguchi,
};
use crate::rules::sheet::{Alias, GameOption, GameSheet};
use crate::types::Color;

/// The only option.
const OVERLINE: &str = "overline";

const ALIASES: &[Alias] = &[Alias::plain(&[
    "renju",
    "freerenju",
    "renjufree",
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
])];

/// The game, with its option.
const GAME: GameSheet = GameSheet {
    options: &[GameOption {
        name: OVERLINE,
        alias: "overline-allowed",
        text: "overlines are allowed for Black as well, and win",
    }],
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
    // Those that RenjuNet knows besides.
    unknown_openings: &[
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
    ..five(
        "renju",
        "Black wins with exactly five and must not make a double three, a double four or six; \
         White wins with five or more",
        ALIASES,
        bench::RENJU,
    )
};

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
        option_of: None,
        wins: |color, row, _| row == 5 || row > 5 && color == Color::White,
        fouls: true,
        weights: RuleId::Renju,
    };
    const OVERLINE: [Overline; 2] = [Overline::Foul, Overline::Wins];
    const BLACK_FOULS: bool = true;
}

/// The sheet of renju with overlines allowed for Black: six or more win like a
/// five, and what completes six makes a four, or a three, as what completes
/// five does. A four is no three, even if one more stone would make a straight
/// four of it, as in `XX.XXX`.
#[derive(Copy, Clone, Debug)]
pub struct RenjuOverline;

impl Rule for RenjuOverline {
    const ID: RuleId = RuleId::RenjuOverline;
    const CARD: Card = Card {
        name: "renju+overline",
        // Gomocup has no number for it: renju's with a bit of our own.
        gomocup: 4 | 16,
        database: (20, 'o'),
        option_of: Some((RuleId::Renju, OVERLINE)),
        wins: |_, row, _| row >= 5,
        ..Renju::CARD
    };
    const BLACK_FOULS: bool = true;
}
