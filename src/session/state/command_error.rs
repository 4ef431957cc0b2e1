//! Command errors: why a command cannot be obeyed.

use goren_protocol::Point;

use super::requested_game::BadRequest;
use super::settings::UnsupportedRule;
use crate::wire::position::BadList;
use goren_core::opening::{IllegalAction, TextError};
use goren_core::rules::referee::{IllegalMove, Impossible};
use goren_core::rules::{BadGame, BadSize};
use goren_engine::TableError;

/// Why a command cannot be obeyed; answered after the word ERROR.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// A command that needs a board came before START.
    #[error("no game has been started")]
    NotStarted,
    /// BEGIN with stones on the board.
    #[error("the board is not empty")]
    NotEmpty,
    /// The game is over, so nothing is left to decide.
    #[error("the game is already over")]
    Over,
    /// A balance for which there are too few points.
    #[error("no empty point is left for balancing stones")]
    NoBalance,
    /// The game ended with the ply that the client has just sent. The result is reported
    /// before.
    #[error("the game is over: there is no move to make")]
    Ended,
    /// A coordinate off the board.
    #[error("{0} is outside the board")]
    Outside(Point),
    /// TAKEBACK of a stone that is not the newest.
    #[error("{0} is not the newest stone")]
    NotNewest(Point),
    /// TAKEBACK of a stone that has become a wall in a continuous game.
    #[error("{0} is part of a finished line; send the whole position with BOARD")]
    Buried(Point),
    /// `yxforbid` for a side that does not exist.
    #[error("there is no side {0}: 0 is Black, 1 is White")]
    NoSide(i32),
    /// A command that continues a position which was refused.
    #[error("the last position was refused; send another one")]
    Refused,
    /// A stone that the rules do not allow.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// A position that no game can reach.
    #[error("no moves lead to this position: {0}")]
    Position(Impossible),
    /// A ply that the rules or the opening do not allow.
    #[error(transparent)]
    Action(#[from] IllegalAction),
    /// A ply of `PLIES` that cannot be read or played.
    #[error("{text}: {error}")]
    Ply {
        /// The ply.
        text: String,
        /// Why it cannot be read or played.
        error: TextError,
    },
    /// A game that does not exist, or not with this board or opening.
    #[error(transparent)]
    Game(#[from] BadGame),
    /// `INFO` named an unknown game; START reports it, as an INFO is never answered by
    /// ERROR.
    #[error(transparent)]
    Request(#[from] BadRequest),
    /// A ply that only games named by `INFO variant` have.
    #[error("this ply needs a game named by INFO variant")]
    NotNamed,
    /// A command that games named by `INFO variant` do not have.
    #[error("{0} is not available in this game; send the whole game with PLIES")]
    NotHere(&'static str),
    /// A list of stones that is no position.
    #[error(transparent)]
    List(#[from] BadList),
    /// `INFO rule` named a rule that cannot be played; reported again by the next command, as
    /// an INFO is never answered by ERROR.
    #[error(transparent)]
    Rule(#[from] UnsupportedRule),
    /// A board size that the rule does not allow.
    #[error(transparent)]
    Size(#[from] BadSize),
    /// Not even the smallest transposition table can be allocated.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The memory for a game cannot be allocated.
    #[error("no memory for a game")]
    NoRoom,
    /// The queue of commands that wait for the answer is full.
    #[error("too many commands are waiting for the answer")]
    TooMany,
    /// The search thread is gone.
    #[error("the search has ended")]
    NoThread,
}

impl From<Impossible> for CommandError {
    fn from(error: Impossible) -> CommandError {
        match error {
            // One stone is wrong, not the position as a whole.
            Impossible::Stone(error) => CommandError::Illegal(error),
            error => CommandError::Position(error),
        }
    }
}
