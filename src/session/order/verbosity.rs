//! Verbosity of progress reports, and the marks on the board of a GUI.

use goren_core::types::Cell;

/// A mark on the board of a GUI.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A new iteration: all marks are removed.
    Refresh,
    /// A root move is being searched.
    Begun(Cell),
    /// A marked root move has been searched.
    Done(Cell),
    /// The best root move.
    Best(Cell),
    /// A root move that loses; sent once.
    Lost(Cell),
}

/// How much a running search reports.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Verbosity {
    /// Nothing.
    Silent,
    /// PVs.
    Lines,
    /// PVs and root events.
    Marks,
}
