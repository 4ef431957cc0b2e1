//! Why a game is not known, or cannot be played so.

use super::opening_id::OpeningId;
use super::variant::Variant;

/// A name that is no game.
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
        /// The option that it does not have.
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
    /// A name that says an opening which is not played here.
    #[error("{name:?} names an opening that is not played here; the game alone is {game}")]
    UnknownOpening {
        /// The name.
        name: String,
        /// The game without the opening.
        game: Variant,
    },
    /// The game is not played by this opening.
    #[error("{game} is not opened by {opening}")]
    Opening {
        /// The game.
        game: &'static str,
        /// The opening.
        opening: OpeningId,
    },
    /// A board on which the opening leaves no room.
    #[error("{width}x{height} is too small for the opening {opening}")]
    Room {
        /// The opening.
        opening: OpeningId,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A board that the engine or the game does not know.
    #[error("{game} cannot be played on {width}x{height}: {boards}")]
    Size {
        /// The game.
        game: Variant,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The boards there are.
        boards: String,
    },
}
