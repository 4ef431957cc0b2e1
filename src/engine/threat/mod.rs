//! Threats: static verdicts, defence sets, and solvers for VCF, for double threats in
//! Connect6 and for Four In A Row with gravity. All results are exact: a reported win
//! or loss is proven, and a defence set contains every move that could help, except own
//! fours.

mod defence;
mod double;
mod gravity;
mod meter;
mod shortest;
pub mod turn_threats;
mod vcf;
mod verdict;

pub use defence::defences;
pub use double::DoubleThreats;
pub use gravity::{Gravity, GravityError, Value};
pub use meter::{Meter, Watch};
pub use shortest::shortest;
pub use vcf::{Found, Vcf, forced_cells};
pub use verdict::{Verdict, verdict};

use crate::board::Board;
use crate::pattern::Class;
use goren_core::rules::Rule;
use goren_core::types::Color;

/// Classes of stones that make a four, except open fours and suspected fouls, strongest
/// first.
pub const FOURS: [Class; 3] = [Class::FourThree, Class::FourPlus, Class::Four];

/// Whether a colour could make a four or five with its next stone. Suspected fouls
/// count.
#[inline]
pub fn can_make_four<R: Rule>(board: &Board<R>, color: Color) -> bool {
    let count = |class| board.count(color, class);
    FOURS.iter().any(|&class| count(class) > 0)
        || count(Class::OpenFour) > 0
        || count(Class::Five) > 0
        || count(Class::FoulSuspect) > 0
}
