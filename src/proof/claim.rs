//! Claim of a winning tree: game, root and attacker.

use std::fmt;

use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color};

/// Whether players may pass at any point of a game by this rule. Such rules have no winning
/// trees: a tree knows no passes, but its win may depend on the defender having to move.
pub fn has_free_passes(rule: RuleId) -> bool {
    let game = &rule.card().game;
    game.passes && game.plies_before_passes == 0
}

/// A position with the attacker or the defender to move, from which the
/// attacker is said to win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// The stones, in an order in which they can be placed.
    pub stones: Vec<(Cell, Color)>,
    /// Who is to move.
    pub to_move: Color,
}

/// The claim of a tree: who wins which position, in the game without passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The variant and the size.
    pub setup: Setup,
    /// Who is said to win.
    pub attacker: Color,
    /// From where.
    pub root: Root,
}

/// The claim in words: `renju 15x15: Black wins after h8`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claim { setup, attacker, root } = self;
        write!(f, "{} {}x{}: {attacker:?} wins", setup.rule, setup.width, setup.height)?;
        for (number, (cell, _)) in root.stones.iter().enumerate() {
            let before = if number == 0 { " after" } else { "" };
            write!(f, "{before} {}", cell.label(setup.height))?;
        }
        Ok(())
    }
}
