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

/// Position from which the attacker is claimed to win, with either side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// Stones, in an order in which they can be placed.
    pub stones: Vec<(Cell, Color)>,
    /// Side to move.
    pub to_move: Color,
}

/// The claim of a tree: who wins which position, in the game without passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Rule and board size.
    pub setup: Setup,
    /// Side that is claimed to win.
    pub attacker: Color,
    /// Position from which it wins.
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
