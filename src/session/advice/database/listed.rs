//! Positions given as lists in database commands.

use goren_protocol::Point;

use super::context::Context;
use super::refusal::Refusal;
use super::state::DatabaseState;
use goren_core::rules::Setup;
use goren_core::types::Cell;
use goren_database::Place;

/// The position of a list, and its moves.
pub(super) struct Listed {
    pub(super) place: Place,
    pub(super) moves: Vec<Option<Cell>>,
}

/// Reads a list, and remembers it as the last position named.
///
/// # Errors
/// The list is no legal position.
pub(super) fn listed(
    database: &mut DatabaseState,
    context: &Context,
    list: &[Point],
    setup: Setup,
) -> Result<Listed, Refusal> {
    let cell = |&at: &Point| {
        if at.is_pass() {
            Ok(None)
        } else {
            context.axes.cell(at, &setup).map(Some).ok_or(Refusal::Outside(at))
        }
    };
    let moves = list.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
    let place = Place::after(setup, &moves)?;
    database.show(context.games, moves.clone());
    Ok(Listed { place, moves })
}
