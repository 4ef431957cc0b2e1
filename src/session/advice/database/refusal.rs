//! Why a database command is refused.

use goren_protocol::Point;

use goren_database::{EditError, branch};

/// Why a command about the database is not obeyed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// A list that is no position.
    #[error("{0} is outside the board")]
    Outside(Point),
    /// Likewise.
    #[error("the list is no position: {0}")]
    Moves(#[from] goren_database::BadMove),
    /// Records have no place for such a position.
    #[error("the database cannot hold a position after so many passes")]
    Passes,
    /// A number that does not fit.
    #[error("{0} is no tag")]
    Tag(i64),
    /// What is no filter.
    #[error(transparent)]
    Filter(#[from] branch::BadFilter),
    /// A change that is not made.
    #[error("nothing was changed: {0}")]
    Edit(#[from] EditError),
}
