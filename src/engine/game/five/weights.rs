//! The embedded weights of five in a row.

use crate::eval::TupleFamily;
use goren_core::rules::RuleId;

/// Weights files by rule. A rule without its own names another one on its card.
pub(crate) const FILES: [(RuleId, &[u8]); 4] = [
    (RuleId::Freestyle, include_bytes!("freestyle.bin")),
    (RuleId::Standard, include_bytes!("standard.bin")),
    (RuleId::Renju, include_bytes!("renju.bin")),
    (RuleId::Caro, include_bytes!("caro.bin")),
];

/// None: five in a row is not evaluated by tuples.
pub(in crate::game) static FAMILIES: [&TupleFamily; 0] = [];

/// See [`FAMILIES`].
pub(in crate::game) fn family(_rule: RuleId) -> Option<&'static TupleFamily> {
    None
}
