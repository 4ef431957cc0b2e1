//! Verbosity of the progress reports, and the marks on the board of a GUI.

use goren_core::types::Cell;

/// What happens on the board of a GUI.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A new iteration: no cell has been searched.
    Refresh,
    /// A cell is being searched.
    Begun(Cell),
    /// A cell that was told of has been searched.
    Done(Cell),
    /// The best cell.
    Best(Cell),
    /// A cell that loses; told of once.
    Lost(Cell),
}

/// How much is told.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Verbosity {
    /// Nothing.
    Silent,
    /// The lines.
    Lines,
    /// The lines, and what happens at the root.
    Marks,
}
