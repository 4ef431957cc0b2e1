//! The database of positions, and the commands of the GUIs about it.
//!
//! `INFO usedatabase 1` or `yxsetdatabase` opens one; without one all commands
//! are consumed silently, as Yixin-Board sends them to any engine. The lists of
//! these commands are positions of their own: they change nothing in the game
//! and may come during a search.
//!
//! The search knows nothing of databases. Labels of the root moves become
//! exclusions and a choice of move; deeper proven results (`goren_database`,
//! `below.rs`, limited in positions, plies and time) are passed as
//! `Request::known_results`. A result that a search proves for its position is
//! written back, unless the position has a label.

mod edits;
mod files;
mod known_results;
mod listed;
mod probe;
mod proves;
mod queries;
mod refusal;
mod state;

use std::path::Path;

use goren_protocol::{DatabaseCommand, Reply};

use self::listed::{listed, listed_setup};
use self::refusal::Refusal;
use self::state::Whereabouts;
use super::out::Out;
use super::state::Session;

pub(super) use known_results::{known_results, proven};
pub(super) use probe::advice;
pub(super) use proves::Proves;
pub(super) use state::DatabaseState;

/// Whether a command is done in a moment: it may be during a search.
pub(super) fn is_quick(command: &DatabaseCommand) -> bool {
    use DatabaseCommand as Db;
    matches!(
        command,
        Db::Query { .. }
            | Db::EditTvd { .. }
            | Db::EditText { .. }
            | Db::EditLabel { .. }
            | Db::SetBestMove(_)
            | Db::ClearBestMove(_)
            | Db::DeleteOne(_)
    )
}

/// `INFO usedatabase`.
pub(super) fn use_database(session: &mut Session, on: bool, out: Out) {
    if !on {
        // Unsaved changes are saved on the way.
        session.database_state.changed |= session.database_state.open.take().is_some();
    } else if session.database_state.open.is_none()
        && let Some(place) = session.database_state.usual_place()
    {
        files::open_database(session, &place, out);
    }
}

/// Obeys a command about the database.
pub(super) fn obey(session: &mut Session, command: &DatabaseCommand, out: Out) {
    if let DatabaseCommand::Set(path) = command {
        // Wherever `INFO folder` points later.
        let whole = std::path::absolute(path);
        session.database_state.set_usual(whole.unwrap_or_else(|_| path.into()));
        files::open_database(session, &Whereabouts::at(Path::new(path)), out);
        return;
    }
    if session.database_state.open.is_none() {
        return;
    }
    if let Err(refusal) = serve(session, command, out) {
        out(Reply::Message(refusal.to_string()));
    }
}

fn serve(session: &mut Session, command: &DatabaseCommand, out: Out) -> Result<(), Refusal> {
    use DatabaseCommand as Db;
    let position = match command {
        Db::Query { position, .. }
        | Db::EditTvd { position, .. }
        | Db::EditText { position, .. }
        | Db::EditLabel { position, .. }
        | Db::DeleteAll { position, .. }
        | Db::SetBestMove(position)
        | Db::ClearBestMove(position)
        | Db::DeleteOne(position) => position,
        _ => {
            files::serve_files(session, command, out);
            return Ok(());
        }
    };
    let Some(setup) = listed_setup(session) else { return Ok(()) };
    let listed = listed(session, position, setup)?;
    if let Db::Query { kind, .. } = command {
        queries::query(session, *kind, &listed, out);
        queries::visit(session, *kind, &listed);
        return Ok(());
    }
    edits::change(session, command, listed, setup, out)
}
