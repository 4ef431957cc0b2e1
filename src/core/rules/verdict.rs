//! What the rules say of a game that is over, and of a stone that is a foul.

use crate::types::Color;

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A side won.
    Win(Color),
    /// The board is full.
    Draw,
}

/// What excuses a double three under a rule by which it is a foul.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Excuse {
    /// Nothing.
    #[default]
    None,
    /// A four that the stone makes as well.
    Four,
    /// Such a four, or that the stone stands where the opponent would make a five.
    FourOrDefence,
}

/// Kinds of foul: those that a stone would commit on a point, or those that a
/// rule knows.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Fouls {
    /// Six or more in a row.
    pub overline: bool,
    /// Two fours or more, also in one line.
    pub double_four: bool,
    /// Two threes or more.
    pub double_three: bool,
}

impl Fouls {
    /// None.
    pub const NONE: Fouls = Fouls { overline: false, double_four: false, double_three: false };
    /// All three.
    pub const ALL: Fouls = Fouls { overline: true, double_four: true, double_three: true };

    /// Whether the point is forbidden at all.
    pub const fn any(self) -> bool {
        self.overline || self.double_four || self.double_three
    }
}
