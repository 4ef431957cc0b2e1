//! The boards of all games, empty or with stones.

use super::connect6::Connect6Referee;
use super::five::FiveByPlies;
use super::four_in_a_row::FourInARowReferee;
use super::game::{End, Referee};
use super::grid::Grid;
use super::irensei::IrenseiReferee;
use super::pente::PenteReferee;
use super::unordered::{Impossible, Next};
use crate::rules::{Contest, Variant};
use crate::types::{Cell, Color};

/// The empty board of a game.
pub fn referee(contest: &Contest) -> Box<dyn Referee> {
    let grid = Grid::new(contest.width, contest.height);
    match contest.variant {
        Variant::Five(rule) => Box::new(FiveByPlies::new(rule, contest.width, contest.height)),
        Variant::Pente(game) => Box::new(PenteReferee::new(game, grid)),
        Variant::Connect6(game) if game.torus => {
            Box::new(Connect6Referee::new(game, Grid::torus(contest.width, contest.height)))
        }
        Variant::Connect6(game) => Box::new(Connect6Referee::new(game, grid)),
        Variant::FourInARow(game) => Box::new(FourInARowReferee::new(game, grid)),
        Variant::Irensei => Box::new(IrenseiReferee::new(grid)),
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
) -> Result<(Box<dyn Referee>, Option<End>), Impossible> {
    let mut board = referee(contest);
    for &(cell, color) in stones {
        board.lay(color, cell)?;
    }
    let end = board.settle(next)?;
    Ok((board, end))
}
