//! A checked win: its relevance cells and, if it is measured, its length.

use goren_core::types::CellSet;

/// Measure of the length of wins. `()` measures nothing and costs nothing.
pub trait Measure: Copy + Ord + Default {
    /// Adds `plies` plies before the win.
    #[must_use]
    fn after(self, plies: u16) -> Self;
}

impl Measure for () {
    fn after(self, _plies: u16) {}
}

/// Number of plies up to the attacker's five, if the defender chooses what takes longest and
/// the attacker plays by the tree.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Plies(pub u16);

impl Measure for Plies {
    fn after(self, plies: u16) -> Plies {
        Plies(self.0 + plies)
    }
}

/// A win of the attacker.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Win<M> {
    /// Empty cells that the win depends on.
    pub(crate) relevant: CellSet,
    /// Length of the win.
    pub(crate) length: M,
}

impl<M: Measure> Win<M> {
    /// Returns the win by a five at once.
    pub(crate) fn five(relevant: CellSet) -> Win<M> {
        Win { relevant, length: M::default().after(1) }
    }

    /// Adds `plies` plies before the win.
    pub(crate) fn after(self, plies: u16) -> Win<M> {
        Win { length: self.length.after(plies), ..self }
    }

    /// Adds relevance cells.
    pub(crate) fn with(self, cells: &CellSet) -> Win<M> {
        Win { relevant: self.relevant.union(cells), ..self }
    }

    /// Raises the length to `length` if that is longer.
    pub(super) fn or_longer(self, length: M) -> Win<M> {
        Win { length: self.length.max(length), ..self }
    }
}

/// Result of a reply of the defender.
pub(super) enum Reply<M> {
    /// The reply is a foul. The verdict depends on these empty cells.
    Foul(CellSet),
    /// The attacker wins.
    Answered(Win<M>),
}
