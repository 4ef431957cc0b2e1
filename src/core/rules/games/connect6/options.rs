//! The options of Connect6.

/// Restriction on the two stones of a turn.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Pairs {
    /// No restriction.
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
    /// Restriction on pairs.
    pub pairs: Pairs,
}

impl Connect6 {
    /// Number of stones in a row that wins.
    pub const fn goal(self) -> usize {
        match self.pairs {
            Pairs::Apart => 5,
            Pairs::Any | Pairs::Collinear => 6,
        }
    }
}
