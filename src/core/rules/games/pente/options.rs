//! The options of Pente.

use crate::rules::Fouls;
use crate::types::Color;

/// The options of Pente.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Pente {
    /// Threes are captured as well as pairs; fifteen stones win.
    pub keryo: bool,
    /// A pair moved between opponent's stones is captured (Keryo: a three too).
    pub poof: bool,
    /// A five wins only if it still stands after the answer.
    pub boat: bool,
    /// A stone that would be poofed must not be placed.
    pub safe: bool,
    /// Effect of six or more in a row.
    pub overlines: Overlines,
    /// Fouls of Black.
    pub restrictions: Restrictions,
}

/// Effect of six or more in a row.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Overlines {
    /// They win.
    #[default]
    Win,
    /// They have no effect.
    Ignored,
    /// Neither colour may make them.
    Forbidden,
    /// Black must not make them.
    ForbiddenToBlack,
}

/// Fouls of Black in Pente, by which it loses. They are judged after the captures of the stone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Restrictions {
    /// No fouls.
    #[default]
    None,
    /// Double threes, as in Ninuki-Renju.
    DoubleThree,
    /// Double threes, double fours and overlines, as in renju. White wins by an
    /// overline.
    Renju,
}

impl Pente {
    /// Pente without options.
    pub const NO_OPTIONS: Pente = Pente {
        keryo: false,
        poof: false,
        boat: false,
        safe: false,
        overlines: Overlines::Win,
        restrictions: Restrictions::None,
    };

    /// Whether a row of `row` stones of a colour wins.
    pub const fn is_winning(self, color: Color, row: usize) -> bool {
        let exact = matches!(self.overlines, Overlines::Ignored)
            || matches!((self.restrictions, color), (Restrictions::Renju, Color::Black));
        row == 5 || row > 5 && !exact
    }

    /// Whether a colour must not place a stone that makes an overline.
    pub const fn forbids_overlines(self, color: Color) -> bool {
        match self.overlines {
            Overlines::Win | Overlines::Ignored => false,
            Overlines::Forbidden => true,
            Overlines::ForbiddenToBlack => matches!(color, Color::Black),
        }
    }

    /// Whether every row of five or more wins, and may be made.
    pub const fn has_plain_rows(self) -> bool {
        let plain = matches!(self.overlines, Overlines::Win)
            && !matches!(self.restrictions, Restrictions::Renju);
        plain && !self.has_barriers()
    }

    /// Whether there are empty points where a stone must not be placed.
    pub const fn has_barriers(self) -> bool {
        self.safe || self.forbids_overlines(Color::Black)
    }

    /// The kinds of foul of a colour.
    pub const fn fouls(self, color: Color) -> Fouls {
        match (self.restrictions, color) {
            (Restrictions::None, _) | (_, Color::White) => Fouls::NONE,
            (Restrictions::DoubleThree, Color::Black) => {
                Fouls { double_three: true, ..Fouls::NONE }
            }
            (Restrictions::Renju, Color::Black) => Fouls::ALL,
        }
    }

    /// Number of captured stones that wins, if it exceeds the opponent's.
    pub const fn goal(self) -> usize {
        if self.keryo { 15 } else { 10 }
    }

    /// Length of the longest run that can be captured.
    pub const fn most(self) -> usize {
        if self.keryo { 3 } else { 2 }
    }
}
