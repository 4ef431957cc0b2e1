//! The database of positions, and the commands of GUIs about it.
//!
//! `INFO usedatabase 1` or `yxsetdatabase` opens a database. Without one all these commands
//! are ignored silently, as Yixin-Board sends them to any engine. Their lists are positions
//! of their own: they do not change the game and may come during a search.
//!
//! The search does not know the database. Labels of the root moves become exclusions or
//! the move to play; deeper proven results (`goren_database`, `below.rs`; limited in
//! positions, plies and time) become `Request::known_results`. The findings of a search are
//! written back (`findings.rs`), unless the position has a label.

mod context;
mod edits;
mod files;
mod findings;
mod known_results;
mod listed;
mod probe;
mod proves;
mod queries;
mod refusal;
mod state;

use std::path::Path;

use goren_protocol::{DatabaseCommand, Reply};

use self::listed::listed;
use self::refusal::Refusal;
use self::state::DatabasePath;
use crate::out::Out;

pub use context::Context;
pub use findings::records;
pub use known_results::known_results;
pub use probe::moves;
pub use proves::Proves;
pub use state::DatabaseState;

/// Obeys `INFO usedatabase`.
pub fn use_database(state: &mut DatabaseState, context: &Context, on: bool, out: Out) {
    state.want(on);
    if !on {
        state.changed |= files::close(state, out).is_some();
    } else if state.open.is_none()
        && let Some(place) = state.usual_place()
    {
        files::open_database(state, context, &place, out);
    }
}

/// Obeys `INFO folder`. The settings file may have opened the usual database before the
/// manager named the folder for it.
pub fn set_folder(state: &mut DatabaseState, context: &Context, folder: &Path, out: Out) {
    if state.set_folder(folder)
        && let Some(place) = state.usual_place()
    {
        files::open_database(state, context, &place, out);
    }
}

/// Obeys a command about the database.
pub fn obey(state: &mut DatabaseState, context: &Context, command: &DatabaseCommand, out: Out) {
    if let DatabaseCommand::Set(path) = command {
        // Absolute, so that a later `INFO folder` does not move it.
        let absolute = std::path::absolute(path);
        if files::open_database(state, context, &DatabasePath::at(Path::new(path)), out) {
            state.set_usual(absolute.unwrap_or_else(|_| path.into()));
        }
        return;
    }
    if let Err(refusal) = serve(state, context, command, out) {
        out(Reply::Message(refusal.to_string()));
    }
}

fn serve(
    state: &mut DatabaseState,
    context: &Context,
    command: &DatabaseCommand,
    out: Out,
) -> Result<(), Refusal> {
    use DatabaseCommand as Db;
    if state.open.is_none() {
        return Ok(());
    }
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
            files::serve_files(state, context, command, out);
            return Ok(());
        }
    };
    let Some(setup) = context.setup else { return Ok(()) };
    let listed = listed(state, context, position, setup)?;
    if let Db::Query { kind, .. } = command {
        if let Some(database) = &state.open {
            queries::query(database, context, *kind, &listed, out);
        }
        queries::visit(state, *kind, &listed);
        return Ok(());
    }
    let changed = edits::change(state, context, command, listed, setup, out);
    if let Some(database) = &mut state.open {
        files::report_found(database, out);
    }
    changed
}
