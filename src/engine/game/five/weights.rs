//! The embedded weights of five in a row.

use goren_core::rules::RuleId;

/// Weights files by rule. The card of a rule without a file names the rule whose file it
/// uses.
pub(crate) const FILES: [(RuleId, &[u8]); 4] = [
    (RuleId::Freestyle, include_bytes!("freestyle.bin")),
    (RuleId::Standard, include_bytes!("standard.bin")),
    (RuleId::Renju, include_bytes!("renju.bin")),
    (RuleId::Caro, include_bytes!("caro.bin")),
];
