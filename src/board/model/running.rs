//! The running search of a model.

use crate::schema::{Lines, Query};
use goren_engine::RootPosition;

/// The purpose of a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// A ply that the engine will play.
    Decide,
    /// A ply that the engine advises.
    Hint,
    /// The analysis of the position shown.
    Analyse,
    /// Another search on demand.
    Query(Query),
    /// Judging an answer in an exercise, or solving it.
    Check,
    /// A position of the review.
    Review,
    /// A position of a puzzle that is being made.
    Puzzles,
    /// The line after a position for which the review has none.
    Why,
    /// Opening a winning tree.
    OpenTree,
    /// The move of a winning tree.
    TreeMove,
    /// The defender's replies in a winning tree.
    RemainingReplies,
    /// Closing a winning tree.
    CloseTree,
}

impl Purpose {
    /// Whether it runs only when no other search does.
    pub(super) fn is_background(self) -> bool {
        matches!(self, Purpose::Check | Purpose::Review | Purpose::Puzzles)
    }

    /// Whether it was requested and ends by itself: analysis and background work wait for it.
    pub(super) fn is_on_demand(self) -> bool {
        match self {
            Purpose::Decide
            | Purpose::Hint
            | Purpose::Query(_)
            | Purpose::Why
            | Purpose::OpenTree
            | Purpose::TreeMove => true,
            Purpose::Analyse
            | Purpose::Check
            | Purpose::Review
            | Purpose::Puzzles
            | Purpose::RemainingReplies
            | Purpose::CloseTree => false,
        }
    }
}

/// The running search.
#[derive(Clone, Debug)]
pub(super) struct Running {
    /// Its number.
    pub(super) number: u64,
    /// Its purpose.
    pub(super) purpose: Purpose,
    /// The node of the searched position.
    pub(super) node: usize,
    /// The position.
    pub(super) root: RootPosition,
    /// Whether the user has ended it: then the engine does not play the next ply.
    pub(super) halted: bool,
    /// The last lines reported.
    pub(super) last_lines: Option<Lines>,
}
