//! Five in a row without captures: what the sheets of these games share. Each
//! stands on the card of its rule.

use super::opening_id::OpeningId::{Centre, Free, LongPro, Pro, Swap1st, Swap2, Swap5};
use super::sheet::GameSheet;
use super::variant::Variant;
use crate::rules::id::RuleId;

/// These games have no options.
fn none(_: Variant, _: &str) -> Option<Variant> {
    None
}

/// The sheet of a game as Gomocup plays it.
pub const fn five(rule: RuleId, name: &'static str, text: &'static str) -> GameSheet {
    GameSheet {
        name,
        text,
        plain: Variant::Five(rule),
        with: none,
        options: &[],
        sizes: &[(15, 15), (20, 20)],
        openings: &[Free, Centre, Pro, LongPro, Swap1st, Swap2, Swap5],
        passes: false,
    }
}
