//! The boards of all games, empty or with stones.

use super::connect6::Connect6Truth;
use super::five::FiveTruth;
use super::four_in_a_row::FallingTruth;
use super::grid::Grid;
use super::irensei::IrenseiTruth;
use super::pente::PenteTruth;
use super::truth::{End, Truth};
use super::unordered::{Impossible, Next};
use crate::rules::{Contest, Variant};
use crate::types::{Cell, Color};

/// The empty board of a game.
pub fn truth(contest: &Contest) -> Box<dyn Truth> {
    let grid = Grid::new(contest.width, contest.height);
    match contest.variant {
        Variant::Five(rule) => Box::new(FiveTruth::new(rule, contest.width, contest.height)),
        Variant::Pente(game) => Box::new(PenteTruth::new(game, grid)),
        Variant::Connect6(game) if game.torus => {
            Box::new(Connect6Truth::new(game, Grid::torus(contest.width, contest.height)))
        }
        Variant::Connect6(game) => Box::new(Connect6Truth::new(game, grid)),
        Variant::FourInARow(game) => Box::new(FallingTruth::new(game, grid)),
        Variant::Irensei => Box::new(IrenseiTruth::new(grid)),
    }
}

/// The board of a game with stones in no known order, and how the game ended
/// with them if it did.
///
/// # Errors
/// Why no game leads to them.
pub fn laid(
    contest: &Contest,
    stones: &[(Cell, Color)],
    next: Next,
) -> Result<(Box<dyn Truth>, Option<End>), Impossible> {
    let mut board = truth(contest);
    for &(cell, color) in stones {
        board.lay(color, cell)?;
    }
    let end = board.settle(next)?;
    Ok((board, end))
}
