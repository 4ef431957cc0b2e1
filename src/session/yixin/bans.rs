//! The commands that change the bans, and the bans that a search gets.

use super::super::state::{Session, State};
use super::super::trouble::Trouble;
use super::banned::Change;
use goren_core::rules::Setup;
use goren_core::types::CellSet;
use goren_engine::Bans;

/// Changes what is banned, as a command says.
///
/// # Errors
/// A point outside the board; nothing changes.
pub(crate) fn ban(
    session: &mut Session,
    command: &'static str,
    change: Change,
) -> Result<(), Trouble> {
    let (axes, setup) = (session.axes(), session.board_of_ours(command)?);
    let read = |at| axes.cell(at, &setup);
    session.banned.change(change, &read).map_err(Trouble::Outside)?;
    session.forget();
    Ok(())
}

/// What a search of the game at hand may not play. Bans on cells that the
/// board has not, because another one was larger, mean nothing.
pub(crate) fn bans(session: &Session) -> Bans {
    let State::Idle(game) = &session.state else { return Bans::default() };
    let mut bans = session.banned.of(&game.stones());
    let Setup { width, height, .. } = game.setup();
    let board = CellSet::board(width, height);
    bans.here.retain(|&cell| board.contains(cell));
    bans.lines.retain(|line| line.iter().all(|&cell| board.contains(cell)));
    bans.cells = bans.cells.map(|cells| cells.intersection(&board));
    bans
}
