//! Renju (Gomocup rule 4): Black wins with exactly five and has fouls, White
//! wins with five or more. Renju International Federation rules, section 9.

use super::{Overline, Rule, RuleId};

/// The sheet of renju.
#[derive(Copy, Clone, Debug)]
pub struct Renju;

impl Rule for Renju {
    const ID: RuleId = RuleId::Renju;
    const OVERLINE: [Overline; 2] = [Overline::Foul, Overline::Wins];
    const BLACK_FOULS: bool = true;
}
