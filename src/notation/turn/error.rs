//! Reasons why a typed text is not a ply.

use goren_core::opening::IllegalAction;

/// Reason why a text is not a ply of a game in progress.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TurnError {
    /// The text is empty.
    #[error("the text is empty")]
    Empty,
    /// Not a list of points.
    #[error("cannot read {0:?}")]
    Unreadable(String),
    /// A point that is not on the board.
    #[error("the point is outside the board")]
    Outside,
    /// A column that is not on the board.
    #[error("the column is outside the board")]
    OutsideColumn,
    /// A column I on a board without that letter.
    #[error("there is no column I on this board")]
    NoI,
    /// A numeric column and row that are not on the board.
    #[error(
        "the point is outside the board: the numbers are the column from the left and the row \
         from the top, both from 1"
    )]
    OutsideNumbers,
    /// A number before a point.
    #[error("there is a number between the points")]
    Number,
    /// A number with a sign, as in lists of moves that count from the centre.
    #[error("a number has a sign: columns and rows are counted from 1")]
    Sign,
    /// A pass or a swap after the first stones of a turn.
    #[error("a turn that has begun cannot end with a pass or a swap")]
    Begun,
    /// A pass where a swap is on offer.
    #[error("passing is not possible now; to keep the colours as they are, play on")]
    PassForSwap,
    /// The column has no room for a piece.
    #[error("the column is full")]
    FullColumn,
    /// A piece could go to several points of the column.
    #[error("a column alone does not say where a piece goes here")]
    ManyInColumn,
    /// The ply is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
}
