//! The search that runs for a model.

use crate::schema::{Lines, Query};
use goren_engine::RootPosition;

/// What a search is for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// A ply that the engine will play.
    Decide,
    /// A ply that it advises.
    Hint,
    /// The analysis of the position shown.
    Analyse,
    /// Something else that was asked for.
    Query(Query),
    /// An answer in an exercise.
    Check,
    /// A position of the review.
    Review,
    /// A position of a puzzle that is made.
    Puzzles,
    /// What follows on a position that the review knows no line of.
    Why,
    /// A winning tree is opened.
    OpenTree,
    /// The move of a winning tree.
    TreeMove,
    /// What the defender can do by a winning tree.
    RemainingReplies,
    /// A winning tree is closed.
    CloseTree,
}

impl Purpose {
    /// Whether it is searched whenever nothing else is.
    pub(super) fn is_background(self) -> bool {
        matches!(self, Purpose::Check | Purpose::Review | Purpose::Puzzles)
    }

    /// Whether it was asked for and has an end of its own: the analysis and what is searched
    /// in the background wait for it.
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

/// The search that runs.
#[derive(Clone, Debug)]
pub(super) struct Running {
    /// Its number.
    pub(super) number: u64,
    /// What it is for.
    pub(super) purpose: Purpose,
    /// The node whose position is searched.
    pub(super) node: usize,
    /// The position.
    pub(super) root: RootPosition,
    /// Whether a person has ended it: then the engine does not go on with the next ply.
    pub(super) halted: bool,
    /// The newest lines.
    pub(super) newest: Option<Lines>,
}
