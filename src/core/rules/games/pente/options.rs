//! The options of Pente.

/// The options of Pente.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Pente {
    /// Threes are captured as well as pairs; fifteen stones win.
    pub keryo: bool,
    /// A pair moved between opponent's stones is captured (Keryo: a three too).
    pub poof: bool,
    /// A five wins only if it still stands after the answer.
    pub boat: bool,
}

impl Pente {
    /// Captured stones that win, if there are more than the opponent's.
    pub const fn goal(self) -> usize {
        if self.keryo { 15 } else { 10 }
    }

    /// Longest run that is captured.
    pub const fn most(self) -> usize {
        if self.keryo { 3 } else { 2 }
    }
}
