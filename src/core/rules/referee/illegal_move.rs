//! Why a stone cannot be placed, in any game.

/// The reason why a stone cannot be placed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// The point is not on the board.
    #[error("the point is outside the board")]
    Outside,
    /// The point is not empty.
    #[error("the point is occupied")]
    Occupied,
    /// The game has ended.
    #[error("the game is already over")]
    GameOver,
    /// A piece would not come to rest there.
    #[error("a piece does not come to rest there")]
    Floating,
    /// The stone would have no liberty and not win.
    #[error("suicide")]
    Suicide,
    /// The stone would be captured by being placed (Pente).
    #[error("the stone would be captured as it is placed")]
    SelfCapture,
    /// The stone would make six or more in a row, which is not allowed (Pente).
    #[error("six or more in a row must not be made")]
    Overline,
    /// The stone would immediately retake a single stone that has just captured.
    #[error("ko")]
    Ko,
    /// Neither stone of the pair is on a line with the turn before.
    #[error("no stone of the pair is on a line with a stone of the turn before")]
    ApartFromLastTurn,
    /// The stones of the pair must share a line.
    #[error("the stones of a turn must be on one line")]
    NotCollinear,
    /// The stones of the pair must not share a line.
    #[error("the stones of a turn must not be on one line")]
    Collinear,
}
