//! Flaws that the checker finds in a tree.

use goren_core::types::Cell;

/// A flaw in a tree, with the path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The moves from the checked position to the flaw; `None` is a pass of the defender.
    /// Empty if the caller did not ask for the path.
    pub path: Vec<Option<Cell>>,
    /// What is wrong.
    pub kind: FlawKind,
}

/// The kind of a flaw.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FlawKind {
    /// The attacker has no move.
    #[error("no move of the attacker is known")]
    NoMove,
    /// The known move cannot be played.
    #[error("the move is on an occupied point or outside")]
    Occupied(Cell),
    /// The known move is a foul.
    #[error("the move is forbidden")]
    Foul(Cell),
    /// The defender wins at once.
    #[error("the defender makes five")]
    DefenderWins(Cell),
    /// The board is full, or the defender has only fouls left.
    #[error("nobody wins")]
    Draw,
    /// The script of a packed tree cannot be read, or does not match the questions.
    #[error("the part of the packed tree is damaged, or has fewer or more answers than asked")]
    Damaged,
    /// The checker reached its limit of positions.
    #[error("the check gave up: too many positions")]
    Unfinished,
    /// The checker ran out of time.
    #[error("the check ran out of time")]
    OutOfTime,
}
