//! Why a database command is refused.

use goren_protocol::Point;

use goren_database::{EditError, branch};

#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// A point off the board.
    #[error("{0} is outside the board")]
    Outside(Point),
    /// A move that cannot be played.
    #[error("the list is not a legal position: {0}")]
    Moves(#[from] goren_database::BadMove),
    /// More passes than the key of a record can express.
    #[error("the database cannot store a position after this many passes")]
    Passes,
    /// A label that is not an ASCII character.
    #[error("tag {0} is not an ASCII character")]
    Tag(i64),
    /// An unknown filter.
    #[error(transparent)]
    Filter(#[from] branch::BadFilter),
    /// The database rejects the change.
    #[error("nothing was changed: {0}")]
    Edit(#[from] EditError),
}
