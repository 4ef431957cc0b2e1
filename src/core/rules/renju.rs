//! Renju (Gomocup rule 4): Black wins with exactly five and has fouls, White
//! wins with five or more. Renju International Federation rules, section 9. As
//! an option overlines are allowed for Black too, and win.

use super::games::OpeningId::{Centre, Free, Rif, Soosorv8, Swap2, Swap5, Taraguchi10, Yamaguchi};
use super::games::{GameOption, GameSheet, Variant, five};
use super::id::RuleId;
use super::rule::{Card, Overline, Rule};
use crate::types::Color;

/// The only option.
const OVERLINE: &str = "overline";

fn with(variant: Variant, option: &str) -> Option<Variant> {
    match variant {
        Variant::Five(RuleId::Renju | RuleId::RenjuOverline) if option == OVERLINE => {
            Some(Variant::Five(RuleId::RenjuOverline))
        }
        _ => None,
    }
}

/// The game, with its option.
const GAME: GameSheet = GameSheet {
    with,
    options: &[GameOption {
        name: OVERLINE,
        alias: "overline-allowed",
        text: "overlines are allowed for Black as well, and win",
    }],
    sizes: &[(15, 15)],
    openings: &[Centre, Free, Rif, Yamaguchi, Soosorv8, Taraguchi10, Swap2, Swap5],
    passes: true,
    ..five(
        RuleId::Renju,
        "renju",
        "Black wins with exactly five and must not make a double three, a double four or six; \
         White wins with five or more",
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
        game: GAME,
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
        wins: |_, row, _| row >= 5,
        ..Renju::CARD
    };
    const BLACK_FOULS: bool = true;
}
