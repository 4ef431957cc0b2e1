//! Commands that change the exclusions, and the exclusions of a search.

use super::super::command_error::CommandError;
use super::super::state::{Session, State};
use super::user_exclusions::Change;
use goren_core::rules::Setup;
use goren_core::types::CellSet;
use goren_engine::Exclusions;

/// Changes the exclusions, as a command says.
///
/// # Errors
/// A point outside the board; nothing changes.
pub(crate) fn exclude(
    session: &mut Session,
    command: &'static str,
    change: Change,
) -> Result<(), CommandError> {
    let (axes, setup) = (session.axes(), session.board_of_ours(command)?);
    let read = |at| axes.cell(at, &setup);
    session.user_exclusions.change(change, &read).map_err(CommandError::Outside)?;
    session.forget();
    Ok(())
}

/// The exclusions for a search of the current game. Cells outside the board, left
/// from a larger one, are dropped.
pub(crate) fn exclusions(session: &Session) -> Exclusions {
    let State::Idle(game) = &session.state else { return Exclusions::default() };
    let mut exclusions = session.user_exclusions.of(&game.stones());
    let Setup { width, height, .. } = game.setup();
    let board = CellSet::board(width, height);
    exclusions.here.retain(|&cell| board.contains(cell));
    exclusions.lines.retain(|line| line.iter().all(|&cell| board.contains(cell)));
    exclusions.cells = exclusions.cells.map(|cells| cells.intersection(&board));
    exclusions
}
