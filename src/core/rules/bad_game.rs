//! Why a game is unknown or cannot be played as requested.

use super::opening_id::OpeningId;
use super::variant::Variant;

/// The reason why a game is unknown or cannot be played as requested.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadGame {
    /// There is no game of this name.
    #[error("there is no game {0:?}; see `goren games`")]
    Game(String),
    /// The game has no such option.
    #[error("{game} has no option {option:?}")]
    Option {
        /// The game.
        game: &'static str,
        /// The unknown option.
        option: String,
    },
    /// Two options that exclude each other.
    #[error("{game}: {option:?} excludes an option named before it")]
    Clash {
        /// The game.
        game: &'static str,
        /// The second of the two.
        option: String,
    },
    /// The name includes an opening that Goren does not support.
    #[error("{name:?} names an opening that is not played here; the game alone is {game}")]
    UnknownOpening {
        /// The name.
        name: String,
        /// The game without the opening.
        game: Variant,
    },
    /// The game does not have this opening.
    #[error("{game} has no opening {opening}")]
    Opening {
        /// The game.
        game: &'static str,
        /// The opening.
        opening: OpeningId,
    },
    /// The board is too small for the opening.
    #[error("{width}x{height} is too small for the opening {opening}")]
    Room {
        /// The opening.
        opening: OpeningId,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The engine or the game does not support the board.
    #[error("{game} cannot be played on {width}x{height}: {boards}")]
    Size {
        /// The game.
        game: Variant,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The boards that the game supports.
        boards: String,
    },
}
