//! The weights of five in a row that the build embeds.

use crate::eval::TupleFamily;
use goren_core::rules::RuleId;

/// Files of weights by rule. Rules without one use another's, named on their card.
pub(crate) const FILES: [(RuleId, &[u8]); 4] = [
    (RuleId::Freestyle, include_bytes!("freestyle.bin")),
    (RuleId::Standard, include_bytes!("standard.bin")),
    (RuleId::Renju, include_bytes!("renju.bin")),
    (RuleId::Caro, include_bytes!("caro.bin")),
];

/// These games are not evaluated by tuples.
pub(in crate::game) static FAMILIES: [&TupleFamily; 0] = [];

/// The family of a rule: none.
pub(in crate::game) fn family(_rule: RuleId) -> Option<&'static TupleFamily> {
    None
}
