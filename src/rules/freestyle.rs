//! Freestyle: five or more in a row wins (Gomocup rule 0).

use super::{Rule, RuleId};

/// The sheet of freestyle.
#[derive(Copy, Clone, Debug)]
pub struct Freestyle;

impl Rule for Freestyle {
    const ID: RuleId = RuleId::Freestyle;
}
