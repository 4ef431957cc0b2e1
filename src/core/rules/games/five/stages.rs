//! Renju as it was played from 1899 on, before early renju, on the Go board
//! (everything2.com on Gomoku: "In 1899, to offset the first person advantage ..."):
//!
//! | from | fouls |
//! |---|---|
//! | 1899 | double threes of both colours |
//! | 1903 | double threes of Black |
//! | 1912 | the same, "even if the play was in defense (response to another move)" |
//! | 1916 | overlines of Black as well |
//! | 1918 | "4-3-3", a double three with a four, as well: early renju (`renju.rs`) |
//! | 1931 | on 15x15; the year of double fours is not given: renju |
//!
//! The source says what was new in a year, not all rules that were in force. It is interpreted as
//! follows:
//!
//! - Until 1918 a double three is not a foul if the stone also makes a four.
//! - Until 1912 it is not a foul either if the stone answers a four, that is, stands where
//!   the opponent would make a five.
//! - Otherwise a double three loses, as all fouls do here. The source says so only of 1912;
//!   before that, such a move may have been taken back.
//! - Six or more in a row win until they become a foul; for White they always win.

use super::id::RuleId;
use super::renju::{OF_1899, OF_1903, OF_1912, OF_1916, ON_GO_BOARD, Renju};
use super::rule::{Card, Overline, Rule};
use crate::rules::verdict::{Excuse, Fouls};

/// The kinds of foul before overlines became fouls.
const DOUBLE_THREE: Fouls = Fouls { double_three: true, ..Fouls::NONE };

/// The sheet of renju as from 1899.
#[derive(Copy, Clone, Debug)]
pub struct Renju1899;

impl Rule for Renju1899 {
    const ID: RuleId = RuleId::Renju1899;
    const CARD: Card = Card {
        name: "renju+1899",
        // Gomocup has no numbers for these rules: renju's with bit 128, which is our own,
        // and further bits that distinguish the years.
        gomocup: 4 | 128,
        database: (132, 'm'),
        game: ON_GO_BOARD,
        options_of: Some((RuleId::Renju, &[OF_1899])),
        wins: |_, row, _| row >= 5,
        fouls: [DOUBLE_THREE; 2],
        excuse: Excuse::FourOrDefence,
        ..Renju::CARD
    };
    const EXCUSE: Excuse = Renju1899::CARD.excuse;
    const HALF: usize = Renju::HALF;
}

/// The sheet of renju as from 1903.
#[derive(Copy, Clone, Debug)]
pub struct Renju1903;

impl Rule for Renju1903 {
    const ID: RuleId = RuleId::Renju1903;
    const CARD: Card = Card {
        name: "renju+1903",
        gomocup: 4 | 128 | 16,
        database: (148, 'n'),
        options_of: Some((RuleId::Renju, &[OF_1903])),
        fouls: [DOUBLE_THREE, Fouls::NONE],
        ..Renju1899::CARD
    };
    const EXCUSE: Excuse = Renju1903::CARD.excuse;
    const HALF: usize = Renju::HALF;
}

/// The sheet of renju as from 1912.
#[derive(Copy, Clone, Debug)]
pub struct Renju1912;

impl Rule for Renju1912 {
    const ID: RuleId = RuleId::Renju1912;
    const CARD: Card = Card {
        name: "renju+1912",
        gomocup: 4 | 128 | 32,
        database: (164, 'g'),
        options_of: Some((RuleId::Renju, &[OF_1912])),
        excuse: Excuse::Four,
        ..Renju1903::CARD
    };
    const EXCUSE: Excuse = Renju1912::CARD.excuse;
    const HALF: usize = Renju::HALF;
}

/// The sheet of renju as from 1916.
#[derive(Copy, Clone, Debug)]
pub struct Renju1916;

impl Rule for Renju1916 {
    const ID: RuleId = RuleId::Renju1916;
    const CARD: Card = Card {
        name: "renju+1916",
        gomocup: 4 | 128 | 16 | 32,
        database: (180, 'h'),
        options_of: Some((RuleId::Renju, &[OF_1916])),
        wins: Renju::CARD.wins,
        fouls: [Fouls { overline: true, ..DOUBLE_THREE }, Fouls::NONE],
        ..Renju1912::CARD
    };
    const OVERLINE: [Overline; 2] = Renju::OVERLINE;
    const EXCUSE: Excuse = Renju1916::CARD.excuse;
}
