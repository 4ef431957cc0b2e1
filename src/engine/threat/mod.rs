//! What can be proven at a glance, by fours alone or by their like in Connect6,
//! or, in Four In A Row, to the end. Every claim made here is exact: a win or a loss named is one, and a set of defences leaves
//! nothing out.

mod defence;
mod double;
mod glance;
mod gravity;
mod meter;
mod shortest;
pub mod turns;
mod vcf;

pub use defence::defences;
pub use double::DoubleThreats;
pub use glance::{Verdict, verdict};
pub use gravity::{Gravity, GravityError, Value};
pub use meter::{Meter, Watch};
pub use shortest::shortest;
pub use vcf::{Found, Vcf, forced_cells};

use crate::board::Board;
use crate::pattern::Class;
use goren_core::rules::Rule;
use goren_core::types::Color;

/// The classes of stones that make a four and are no foul, strongest first,
/// open fours apart.
pub const FOURS: [Class; 3] = [Class::FourThree, Class::FourPlus, Class::Four];

/// Whether a colour could make a four (or five) somewhere with its next stone.
/// May say yes where the stone would be a foul.
#[inline]
pub fn has_four<R: Rule>(board: &Board<R>, color: Color) -> bool {
    let count = |class| board.count(color, class);
    FOURS.iter().any(|&class| count(class) > 0)
        || count(Class::OpenFour) > 0
        || count(Class::Five) > 0
        || count(Class::Foul) > 0
}
