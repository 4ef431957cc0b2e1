//! What the registry knows of a game.

use super::opening_id::OpeningId;
use super::variant::Variant;

/// An option of a game.
#[derive(Copy, Clone, Debug)]
pub struct GameOption {
    /// Its name.
    pub name: &'static str,
    /// The name that Abstract Play uses, or the same.
    pub alias: &'static str,
    /// What it changes, in a line.
    pub text: &'static str,
}

/// A game as the registry knows it.
#[derive(Copy, Clone, Debug)]
pub struct GameSheet {
    /// The name on the command line and in the protocol.
    pub name: &'static str,
    /// What it is, in a line.
    pub text: &'static str,
    /// The game without options.
    pub plain: Variant,
    /// The game with one more option, by its name; `None` if two exclude each
    /// other.
    pub with: fn(Variant, &str) -> Option<Variant>,
    /// All options.
    pub options: &'static [GameOption],
    /// Usual boards, columns and rows, the default first.
    pub sizes: &'static [(usize, usize)],
    /// Openings, the default first.
    pub openings: &'static [OpeningId],
    /// Whether players may pass.
    pub passes: bool,
}
