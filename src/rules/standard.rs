//! Standard: exactly five in a row wins (Gomocup rule 1).

use super::{Overline, Rule, RuleId};

/// The sheet of standard.
#[derive(Copy, Clone, Debug)]
pub struct Standard;

impl Rule for Standard {
    const ID: RuleId = RuleId::Standard;
    const OVERLINE: [Overline; 2] = [Overline::Nothing; 2];
}
