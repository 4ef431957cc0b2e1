//! Why a command cannot be obeyed. Never says anything itself.

use goren_protocol::Point;

use super::position::BadList;
use super::settings::UnsupportedRule;
use crate::rules::BadSize;
use crate::search::IllegalMove;
use crate::tt::TableError;

/// What is answered after the word ERROR.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Trouble {
    /// A command that needs a board came before START.
    #[error("no game has been started")]
    NotStarted,
    /// BEGIN with stones on the board.
    #[error("the board is not empty")]
    NotEmpty,
    /// Nothing is left to decide.
    #[error("the game is already over")]
    Over,
    /// A coordinate beyond the edge.
    #[error("{0} is outside the board")]
    Outside(Point),
    /// TAKEBACK of another stone than the newest.
    #[error("{0} is not the newest stone")]
    NotNewest(Point),
    /// A stone that cannot be placed.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
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
    /// The thinking thread is gone.
    #[error("the search has ended")]
    NoThread,
}
