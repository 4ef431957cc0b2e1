//! Caro: a five with enemy stones at both ends wins nothing (Gomocup rules 8
//! and 9).

use super::{Ends, Overline, Rule, RuleId};

/// The sheet of Caro (rule 8): longer rows always win.
#[derive(Copy, Clone, Debug)]
pub struct Caro;

impl Rule for Caro {
    const ID: RuleId = RuleId::Caro;
    const ENDS: Ends = Ends::NotBothEnemy;
}

/// The sheet of Caro with exact five (rule 9): longer rows are worth nothing.
#[derive(Copy, Clone, Debug)]
pub struct CaroExact;

impl Rule for CaroExact {
    const ID: RuleId = RuleId::CaroExact;
    const OVERLINE: [Overline; 2] = [Overline::Nothing; 2];
    const ENDS: Ends = Ends::NotBothEnemy;
}
