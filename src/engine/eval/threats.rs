//! Index of the threat table: the threats of both sides as a number.

use crate::board::Board;
use crate::pattern::Class;
use goren_core::rules::Rule;
use goren_core::types::Color;

/// Number of masks that [`threat_mask`] gives.
pub const THREATS: usize = 1 << 11;

/// Which strong classes both sides have on the board, for the side `me` to
/// move: from bit 0 on the mover's four and three, four and more, plain four,
/// double three and three, then the opponent's open four and the same five.
/// Suspected fouls are in none of them.
#[inline]
pub fn threat_mask<R: Rule>(board: &Board<R>, me: Color) -> usize {
    let has = |color, class| (board.count(color, class) > 0) as usize;
    let five = |color| {
        has(color, Class::FourThree)
            | has(color, Class::FourPlus) << 1
            | has(color, Class::Four) << 2
            | has(color, Class::DoubleThree) << 3
            | (has(color, Class::Three) | has(color, Class::ThreePlus)) << 4
    };
    five(me) | has(!me, Class::OpenFour) << 5 | five(!me) << 6
}
