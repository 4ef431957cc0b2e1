//! Outcomes of games, and fouls.

use crate::types::Color;

/// The outcome of a game.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A side won.
    Win(Color),
    /// The board is full.
    Draw,
}

/// Exception to the double-three foul.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Excuse {
    /// No foul is excused.
    #[default]
    None,
    /// Excused if the stone also makes a four.
    Four,
    /// Excused if the stone also makes a four or stands where the opponent would make a five.
    FourOrDefence,
}

/// Kinds of foul: those that a stone would commit on a point, or those that a rule has.
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
    /// No foul.
    pub const NONE: Fouls = Fouls { overline: false, double_four: false, double_three: false };
    /// All three kinds.
    pub const ALL: Fouls = Fouls { overline: true, double_four: true, double_three: true };

    /// Whether the point is forbidden at all.
    pub const fn any(self) -> bool {
        self.overline || self.double_four || self.double_three
    }
}
