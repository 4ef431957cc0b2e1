//! Plies between the wire and a game: coordinates there, acts here.

use goren_protocol::{Ply, Point};

use goren_core::opening::{self, Act, Course};
use goren_core::rules::{Contest, RuleId, Setup};
use goren_core::types::Cell;

pub use super::position::Axes;

/// The name of a cell in lines for people, such as `H8`: GUIs show them as they
/// come, and players of this protocol know capital letters.
pub(super) fn name(cell: Cell, height: usize) -> String {
    cell.label(height).to_uppercase()
}

/// The cell of a point.
///
/// # Errors
/// The point, if it is not on the board.
pub(super) fn cell_of(contest: &Contest, at: Point, axes: Axes) -> Result<Cell, Point> {
    let &Contest { width, height, .. } = contest;
    // Only the sides matter for coordinates.
    let setup = Setup { rule: RuleId::Freestyle, width, height };
    axes.cell(at, &setup).ok_or(at)
}

/// What a ply means as the next of a game. Whether it is legal is for
/// [`Course::act`] to say.
///
/// # Errors
/// The first point that is not on the board.
pub fn act_of(course: &Course, ply: &Ply, axes: Axes) -> Result<Act, Point> {
    Ok(match ply {
        Ply::Swap => Act::Swap,
        Ply::Pass => Act::Pass,
        Ply::Points { points, count } => {
            let cells = points.iter().map(|&at| cell_of(course.contest(), at, axes));
            let cells = cells.collect::<Result<Vec<Cell>, Point>>()?;
            opening::act_of(course, cells, count.map(|n| n as usize))
        }
    })
}

/// An act as it goes over the wire.
pub fn ply_of(act: &Act, axes: Axes) -> Ply {
    let points = |cells: &[Cell], count: Option<usize>| Ply::Points {
        points: cells.iter().map(|&cell| axes.point(cell)).collect(),
        count: count.and_then(|n| u32::try_from(n).ok()),
    };
    match act {
        Act::Swap => Ply::Swap,
        Act::Pass => Ply::Pass,
        Act::Stones { cells, count } => points(cells, *count),
        Act::Offer(cells) => points(cells, None),
        Act::Choose { fifth, sixth } => points(&[*fifth, *sixth], None),
    }
}
