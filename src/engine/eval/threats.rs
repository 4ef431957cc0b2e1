//! Threat mask: the threats of both sides on the board, as an index of the threat table
//! and as inputs of the evaluation network.

use crate::board::Board;
use crate::pattern::Class;
use goren_core::rules::Rule;
use goren_core::types::Color;

/// Number of threat masks.
pub const THREATS: usize = 1 << 11;

/// Returns the mask of the strong classes on the board, with `me` to move, from bit 0:
/// `me` has [`Class::FourThree`], [`Class::FourPlus`], [`Class::Four`],
/// [`Class::DoubleThree`], and [`Class::Three`] or [`Class::ThreePlus`]; then the
/// opponent has [`Class::OpenFour`], and the same five. Suspected fouls
/// ([`Class::FoulSuspect`]) set no bit.
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
