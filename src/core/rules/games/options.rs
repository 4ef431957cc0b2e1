//! The options of the games that have several.

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

/// What the two stones of a turn must be to each other.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Pairs {
    /// Anything.
    #[default]
    Any,
    /// On one line, and one of them on a line with a stone of the turn before.
    Collinear,
    /// Not on one line; five in a row wins.
    Apart,
}

/// The options of Connect6.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Connect6 {
    /// Whether opposite edges are joined.
    pub torus: bool,
    /// What pairs must be.
    pub pairs: Pairs,
}

impl Connect6 {
    /// Stones in a row that win.
    pub const fn goal(self) -> usize {
        match self.pairs {
            Pairs::Apart => 5,
            Pairs::Any | Pairs::Collinear => 6,
        }
    }
}

/// Where a piece comes to rest.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Placement {
    /// On the lowest empty point of a column.
    #[default]
    Gravity,
    /// On the first empty point from any edge, along a row or a column.
    Edges,
    /// Where it stops on its way from an empty point to the nearest edge, or
    /// to the corner from a diagonal.
    Inward,
}

/// The options of Four In A Row.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct FourInARow {
    /// Where pieces come to rest.
    pub placement: Placement,
    /// Whether full lines at the edges pieces fall to are taken off.
    pub clear: bool,
}
