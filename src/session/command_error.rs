//! Command errors: why a command cannot be obeyed.

use goren_protocol::Point;

use crate::dialect::position::BadList;
use crate::state::requested_game::BadRequest;
use crate::state::settings::UnsupportedRule;
use goren_core::opening::{IllegalAction, TextError};
use goren_core::rules::referee::{IllegalMove, Impossible};
use goren_core::rules::{BadGame, BadSize};
use goren_engine::TableError;

/// What is answered after the word ERROR.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// A command that needs a board came before START.
    #[error("no game has been started")]
    NotStarted,
    /// BEGIN with stones on the board.
    #[error("the board is not empty")]
    NotEmpty,
    /// Nothing is left to decide.
    #[error("the game is already over")]
    Over,
    /// The game ended with what the client has just played or shown; how is told
    /// before.
    #[error("the game is over: there is no move to make")]
    Ended,
    /// A coordinate beyond the edge.
    #[error("{0} is outside the board")]
    Outside(Point),
    /// TAKEBACK of another stone than the newest.
    #[error("{0} is not the newest stone")]
    NotNewest(Point),
    /// TAKEBACK of a stone of a line that ended nothing in a continuous game,
    /// and became part of the edge.
    #[error("{0} belongs to a finished line; BOARD tells the position anew")]
    Buried(Point),
    /// A question about a position that was shown but could not be.
    #[error("the position shown last was refused")]
    Refused,
    /// A stone that cannot be placed.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// Stones that no game leads to.
    #[error("no moves lead to this position: {0}")]
    Position(Impossible),
    /// A ply that the rules or the opening do not allow.
    #[error(transparent)]
    Action(#[from] IllegalAction),
    /// A ply of a game that cannot be played.
    #[error("{text}: {error}")]
    Ply {
        /// The ply.
        text: String,
        /// Why not.
        error: TextError,
    },
    /// A game that cannot be played so.
    #[error(transparent)]
    Game(#[from] BadGame),
    /// `INFO` asked for a game that is not known; an INFO itself is never
    /// answered by an ERROR.
    #[error(transparent)]
    Request(#[from] BadRequest),
    /// Plies that only games named by `INFO variant` have.
    #[error("only a game named by INFO variant has such plies")]
    NotNamed,
    /// A command that only the games of the Gomocup protocol have.
    #[error("{0} is not for this game; PLIES tells it from its beginning")]
    NotHere(&'static str),
    /// A list that is no position.
    #[error(transparent)]
    List(#[from] BadList),
    /// `INFO rule` said what cannot be played; an INFO itself is never
    /// answered.
    #[error(transparent)]
    Rule(#[from] UnsupportedRule),
    /// A board size that cannot be played.
    #[error(transparent)]
    Size(#[from] BadSize),
    /// Not even the smallest table can be had.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// A game needs more memory than there is.
    #[error("no memory for a game")]
    NoRoom,
    /// The search thread is gone.
    #[error("the search has ended")]
    NoThread,
}

impl From<Impossible> for CommandError {
    fn from(error: Impossible) -> CommandError {
        match error {
            // It is not the position as a whole that is wrong.
            Impossible::Stone(error) => CommandError::Illegal(error),
            error => CommandError::Position(error),
        }
    }
}
