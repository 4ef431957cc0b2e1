//! Conversion between the protocol and the game: points and cells, plies and actions, lists
//! and positions.

mod axes;
pub(crate) mod position;

use goren_protocol::{Ply, Point};

use goren_core::opening::{self, Action, GameState};
use goren_core::rules::{Contest, RuleId, Setup};
use goren_core::types::Cell;

pub use axes::Axes;
pub(crate) use axes::turned;

/// The name of a cell in lines for people, such as `H8`, with the capital letters that are
/// customary in this protocol.
pub(crate) fn name(cell: Cell, height: usize) -> String {
    cell.label(height).to_uppercase()
}

/// The cell of a point.
///
/// # Errors
/// The point, if it is not on the board.
pub(crate) fn cell_of(contest: &Contest, at: Point, axes: Axes) -> Result<Cell, Point> {
    let &Contest { width, height, .. } = contest;
    // The rule does not matter for coordinates.
    let setup = Setup { rule: RuleId::Freestyle, width, height };
    axes.cell(at, &setup).ok_or(at)
}

/// The action that a ply expresses as the next ply of a game. [`GameState::apply`] decides
/// whether it is legal.
///
/// # Errors
/// The first point that is not on the board.
pub fn action_of(game_state: &GameState, ply: &Ply, axes: Axes) -> Result<Action, Point> {
    Ok(match ply {
        Ply::Swap => Action::Swap,
        Ply::Pass => Action::Pass,
        Ply::Points { points, count } => {
            let cells = points.iter().map(|&at| cell_of(game_state.contest(), at, axes));
            let cells = cells.collect::<Result<Vec<Cell>, Point>>()?;
            opening::action_of(game_state, cells, count.map(|n| n as usize))
        }
    })
}

/// The ply that expresses an action in the protocol.
pub fn ply_of(action: &Action, axes: Axes) -> Ply {
    let points = |cells: &[Cell], count: Option<usize>| Ply::Points {
        points: cells.iter().map(|&cell| axes.point(cell)).collect(),
        count: count.and_then(|n| u32::try_from(n).ok()),
    };
    match action {
        Action::Swap => Ply::Swap,
        Action::Pass => Ply::Pass,
        Action::Stones { cells, count } => points(cells, *count),
        Action::Offer(cells) => points(cells, None),
        Action::Choose { fifth, sixth } => points(&[*fifth, *sixth], None),
    }
}
