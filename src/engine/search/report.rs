//! Progress reports of a running search, and its answer.

use std::time::Duration;

use goren_core::types::{Cell, Move, PROVEN, Score};

/// A progress report.
///
/// In serde formats it is `{"line": ...}` with an [`Info`] or `{"root": ...}` with a [`RootEvent`].
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Report {
    /// A PV, after an iteration or when a win was found. With multi-PV, those of an
    /// iteration follow each other, the best first.
    #[cfg_attr(feature = "serde", serde(rename = "line"))]
    Pv(Info),
    /// An event of a root move.
    Root(RootEvent),
}

impl Report {
    /// The PV of the report, if it is that of the best move.
    pub fn best_pv(&self) -> Option<&Info> {
        match self {
            Report::Pv(info) if info.pv_index == 0 => Some(info),
            _ => None,
        }
    }
}

/// An event of a root move.
///
/// In serde formats it is its name and the cell, such as `{"begun": [7, 7]}`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum RootEvent {
    /// Its search begins.
    Begun(Cell),
    /// Its search has ended, and it is not proven to lose. In Caro the root move check may still
    /// prove a loss: then [`RootEvent::Lost`] follows.
    Done(Cell),
    /// It is the best of this iteration so far.
    Best(Cell),
    /// It is proven to lose.
    Lost(Cell),
}

/// Basis of a score. A proven score holds regardless of it.
///
/// In serde formats it is `"static"`, `"brief"`, `"search"` or `"pass"`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Basis {
    /// The static evaluation: nothing was searched.
    Static,
    /// A search of a few milliseconds, as there was only one move
    /// ([`Request::move_only`](super::Request::move_only)).
    Brief,
    /// A full search within its limits.
    Search,
    /// A full search that proved that every stone loses, but not a pass: the score is that of the
    /// pass. [`Answer::best`] is the stone that loses last, for a caller that cannot pass.
    Pass,
}

/// Result of an iteration.
///
/// In serde formats it has its fields by name, `elapsed` in whole milliseconds.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Info {
    /// Depth of the iteration, in plies. Without an iteration it is 1 for a static
    /// verdict, a win by a solver, or if only fouls are left, else 0.
    pub depth: u32,
    /// Selective depth: deepest ply reached.
    pub seldepth: u32,
    /// Score for the side to move, distances of proven results counted from the root.
    pub score: Score,
    /// Basis of the score.
    pub basis: Basis,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since [`Request::started`](super::Request::started).
    #[cfg_attr(feature = "serde", serde(with = "super::millis"))]
    pub elapsed: Duration,
    /// The PV. For a proven result it is completed, as far as that is cheap.
    pub pv: Vec<Move>,
    /// Index of the PV in multi-PV, 0 for the best.
    pub pv_index: usize,
    /// Number of PVs in this iteration.
    pub pv_count: usize,
}

impl Info {
    /// The state before a search.
    pub const NOTHING: Info = Info {
        depth: 0,
        seldepth: 0,
        score: 0,
        basis: Basis::Static,
        nodes: 0,
        elapsed: Duration::ZERO,
        pv: Vec::new(),
        pv_index: 0,
        pv_count: 1,
    };

    /// Whether the score is proven.
    pub fn is_proven(&self) -> bool {
        self.score.abs() >= PROVEN
    }

    /// Returns the score, if it comes from a full search or is proven, else `None`.
    pub fn searched(&self) -> Option<Score> {
        let searched = matches!(self.basis, Basis::Search | Basis::Pass);
        (searched || self.is_proven()).then_some(self.score)
    }
}

/// The answer of a search.
///
/// In serde formats it has its fields by name, `best` as `[x, y]` or null.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    /// The move to play; [`Move::NONE`] only if the board is full or the game is over.
    pub best: Move,
    /// The state of the search when it ended.
    pub info: Info,
}
