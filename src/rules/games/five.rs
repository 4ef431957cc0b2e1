//! Five in a row without captures: Gomoku, Renju, and the rules of Gomocup.

use super::OpeningId::{Centre, Free, LongPro, Pro, Rif, Soosorv8, Swap1st, Swap2, Swap5};
use super::OpeningId::{Taraguchi10, Yamaguchi};
use super::{GameSheet, Variant};
use crate::rules::RuleId;

/// These games have no options.
fn none(_: Variant, _: &str) -> Option<Variant> {
    None
}

const fn sheet(rule: RuleId, name: &'static str, text: &'static str) -> GameSheet {
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

/// Exactly five wins: Gomocup's "standard".
pub(super) const GOMOKU: GameSheet = GameSheet {
    sizes: &[(15, 15), (19, 19)],
    openings: &[Pro, Free, Centre, LongPro, Swap1st, Swap2, Swap5],
    passes: true,
    ..sheet(RuleId::Standard, "gomoku", "Exactly five in a row wins")
};

/// Black: exactly five, and fouls. White: five or more.
pub(super) const RENJU: GameSheet = GameSheet {
    sizes: &[(15, 15)],
    openings: &[Centre, Free, Rif, Yamaguchi, Soosorv8, Taraguchi10, Swap2, Swap5],
    passes: true,
    ..sheet(
        RuleId::Renju,
        "renju",
        "Black wins with exactly five and must not make a double three, a double four or six; \
         White wins with five or more",
    )
};

/// Five or more wins.
pub(super) const FREESTYLE: GameSheet =
    sheet(RuleId::Freestyle, "freestyle", "Five or more in a row wins");

/// Blocked fives do not win.
pub(super) const CARO: GameSheet = sheet(
    RuleId::Caro,
    "caro",
    "Exactly five wins unless enemy stones stand at both ends; six or more wins",
);

/// Blocked fives and overlines do not win.
pub(super) const CARO_EXACT: GameSheet = sheet(
    RuleId::CaroExact,
    "caro-exact",
    "Exactly five wins unless enemy stones stand at both ends",
);
