//! Caro: a five with opponent's stones at both ends wins nothing (Gomocup rules 8
//! and 9).

use super::bench;
use super::id::RuleId;
use super::rule::{Card, Ends, Overline, Rule};
use super::sheet::five;
use crate::rules::sheet::{Alias, BalancedOpenings, GameSheet};
use crate::rules::verdict::{Excuse, Fouls};

const ALIASES: &[Alias] =
    &[Alias::plain(&["caro", "gomokucaro", "carogomoku", "cocaro", "vietnamesecaro", "caroviet"])];
const EXACT_ALIASES: &[Alias] =
    &[Alias::plain(&["caroexact", "carostandard", "caroexactfive", "exactcaro", "caroexact5"])];

// The sentences of the rules for beginners that both rules have.
const TURNS: &str = "Black and White place a stone in turn, on any empty point. Black begins.";
const FIVES: &str = "Five in a row, a column or a diagonal win, unless enemy stones stand next to \
                     both ends of the five. The edge of the board blocks no end.";
const DRAW: &str = "Stones stay where they are. A full board without a win is a draw.";

/// Balanced openings for both rules: their difference decides few games.
const BALANCED: &[BalancedOpenings] = &[
    BalancedOpenings::swap_2(15, include_str!("balanced-caro-15.txt")),
    BalancedOpenings::swap_2(20, include_str!("balanced-caro-20.txt")),
];

/// The sheet of Caro (rule 8): longer rows always win.
#[derive(Copy, Clone, Debug)]
pub struct Caro;

impl Rule for Caro {
    const ID: RuleId = RuleId::Caro;
    const CARD: Card = Card {
        name: "caro",
        gomocup: 8,
        database: (8, 'c'),
        game: GameSheet {
            balanced: BALANCED,
            ..five(
                "caro",
                "Exactly five wins unless enemy stones stand at both ends; six or more wins",
                &[TURNS, FIVES, "Six or more in a row always win.", DRAW],
                ALIASES,
                bench::CARO,
            )
        },
        options_of: None,
        wins: |_, row, blocked| row >= 6 || row == 5 && !blocked,
        fouls: [Fouls::NONE; 2],
        excuse: Excuse::None,
        full_board: None,
        weights: RuleId::Caro,
    };
    const ENDS: Ends = Ends::NotBothEnemy;
}

/// The sheet of Caro with exact five (rule 9): longer rows are worth nothing.
#[derive(Copy, Clone, Debug)]
pub struct CaroExact;

impl Rule for CaroExact {
    const ID: RuleId = RuleId::CaroExact;
    // It has Caro's weights: it differs too little to fit weights of its own.
    const CARD: Card = Card {
        name: "caro-exact",
        gomocup: 9,
        database: (9, 'e'),
        game: GameSheet {
            name: "caro-exact",
            text: "Exactly five wins unless enemy stones stand at both ends",
            rules: &[TURNS, FIVES, "Six or more in a row do not win.", DRAW],
            aliases: EXACT_ALIASES,
            bench: bench::CARO_EXACT,
            ..Caro::CARD.game
        },
        wins: |_, row, blocked| row == 5 && !blocked,
        ..Caro::CARD
    };
    const OVERLINE: [Overline; 2] = [Overline::Nothing; 2];
    const ENDS: Ends = Ends::NotBothEnemy;
}
