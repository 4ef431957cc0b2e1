//! Positions named by the lists of database commands.

use goren_protocol::Point;

use super::super::state::{Session, State};
use super::refusal::Refusal;
use goren_core::rules::Setup;
use goren_core::types::Cell;
use goren_database::Place;

/// A position of a list, and its moves.
pub(super) struct Listed {
    pub(super) place: Place,
    pub(super) moves: Vec<Option<Cell>>,
}

/// The variant and board that lists are about.
pub(super) fn listed_setup(session: &Session) -> Option<Setup> {
    match &session.state {
        State::Idle(game) => {
            let rule = session.settings.variant().ok()?.rule;
            Some(Setup { rule, ..game.setup() })
        }
        State::Searching(_) => session.database_state.setup,
        _ => None,
    }
}

/// Reads a list, which is the position named last from then on.
///
/// # Errors
/// It is no position.
pub(super) fn listed(
    session: &mut Session,
    list: &[Point],
    setup: Setup,
) -> Result<Listed, Refusal> {
    let cell = |&at: &Point| {
        if at.is_pass() {
            Ok(None)
        } else {
            session.axes().cell(at, &setup).map(Some).ok_or(Refusal::Outside(at))
        }
    };
    let moves = list.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
    let place = Place::after(setup, &moves)?;
    session.database_state.shown = Some(moves.clone());
    Ok(Listed { place, moves })
}
