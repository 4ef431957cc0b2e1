//! A checked win: its relevance cells and, if it is measured, its length.

use goren_core::types::CellSet;

/// A measure of wins. `()` measures nothing, and costs nothing.
pub trait Measure: Copy + Ord + Default {
    /// With `plies` plies before it.
    #[must_use]
    fn after(self, plies: u16) -> Self;
}

impl Measure for () {
    fn after(self, _plies: u16) {}
}

/// Plies up to the attacker's five, where the defender chooses what takes longest and the
/// attacker plays by the tree.
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
    /// The empty cells that it depends on.
    pub(crate) relevant: CellSet,
    /// How long it takes.
    pub(crate) length: M,
}

impl<M: Measure> Win<M> {
    /// A five, at once.
    pub(crate) fn five(relevant: CellSet) -> Win<M> {
        Win { relevant, length: M::default().after(1) }
    }

    /// With `plies` plies before it.
    pub(crate) fn after(self, plies: u16) -> Win<M> {
        Win { length: self.length.after(plies), ..self }
    }

    /// It depends on these cells too.
    pub(crate) fn with(self, cells: &CellSet) -> Win<M> {
        Win { relevant: self.relevant.union(cells), ..self }
    }

    /// It may take so long.
    pub(super) fn or_longer(self, length: M) -> Win<M> {
        Win { length: self.length.max(length), ..self }
    }
}

/// The result of a stone of the defender.
pub(super) enum Reply<M> {
    /// It loses as a foul, which hangs on these empty cells.
    Foul(CellSet),
    /// The attacker wins.
    Answered(Win<M>),
}
