//! Renju (Gomocup rule 4): Black wins with exactly five and has fouls, White
//! wins with five or more. Renju International Federation rules, section 9.

use super::OpeningId::{Centre, Free, Rif, Soosorv8, Swap2, Swap5, Taraguchi10, Yamaguchi};
use super::games::five;
use super::{Card, GameSheet, Overline, Rule, RuleId};
use crate::types::Color;

/// The sheet of renju.
#[derive(Copy, Clone, Debug)]
pub struct Renju;

impl Rule for Renju {
    const ID: RuleId = RuleId::Renju;
    const CARD: Card = Card {
        name: "renju",
        gomocup: 4,
        game: GameSheet {
            sizes: &[(15, 15)],
            openings: &[Centre, Free, Rif, Yamaguchi, Soosorv8, Taraguchi10, Swap2, Swap5],
            passes: true,
            ..five(
                RuleId::Renju,
                "renju",
                "Black wins with exactly five and must not make a double three, a double four or \
                 six; White wins with five or more",
            )
        },
        wins: |color, row, _| row == 5 || row > 5 && color == Color::White,
        fouls: true,
        weights: RuleId::Renju,
    };
    const OVERLINE: [Overline; 2] = [Overline::Foul, Overline::Wins];
    const BLACK_FOULS: bool = true;
}
