//! Claim of a winning tree: game, root and attacker.

use goren_core::rules::Setup;
use goren_core::types::{Cell, Color};

/// A position with the attacker or the defender to move, from which the
/// attacker is said to win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// The stones, in an order in which they can be placed.
    pub stones: Vec<(Cell, Color)>,
    /// Who is to move.
    pub to_move: Color,
}

/// What a tree is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The variant and the size.
    pub setup: Setup,
    /// Who is said to win.
    pub attacker: Color,
    /// From where.
    pub root: Root,
}
