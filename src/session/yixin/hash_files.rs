//! Commands that write and read files of the transposition table.

use std::path::Path;

use goren_protocol::Reply;

use super::super::command_error::CommandError;
use super::super::out::Out;
use super::super::state::Session;
use super::hash;
use goren_core::rules::Setup;

/// The game whose table is written or read.
fn setup_of_table(session: &mut Session, command: &'static str) -> Result<Setup, CommandError> {
    session.board_of_ours(command)?;
    Ok(session.game()?.0.setup())
}

/// Obeys `YXHASHDUMP`.
pub(super) fn dump_hash(session: &mut Session, path: &str, out: Out) -> Result<(), CommandError> {
    let setup = setup_of_table(session, "YXHASHDUMP")?;
    if session.user_exclusions.any() {
        out(Reply::Message("hash not written: it knows what is blocked".to_owned()));
        return Ok(());
    }
    let table = session.hash.made();
    out(Reply::Message(match hash::dump(table.as_deref(), setup, Path::new(path)) {
        Ok(count) => format!("hash written to {path}: {count} entries"),
        Err(error) => format!("hash not written to {path}: {error}"),
    }));
    Ok(())
}

/// Obeys `YXHASHLOAD`.
pub(super) fn load_hash(session: &mut Session, path: &str, out: Out) -> Result<(), CommandError> {
    let setup = setup_of_table(session, "YXHASHLOAD")?;
    if session.user_exclusions.any() {
        out(Reply::Message("hash not read: it knows nothing of what is blocked".to_owned()));
        return Ok(());
    }
    let most = session.table_bytes();
    let table = &session.hash;
    let loaded = hash::load(Path::new(path), setup, || {
        table.clear();
        table.set_limit(most);
        // As large as allowed, or the next search would make another.
        Ok(table.table(most)?)
    });
    out(Reply::Message(match loaded {
        Ok(count) => format!("hash read from {path}: {count} entries"),
        Err(error) => format!("hash not read from {path}: {error}"),
    }));
    Ok(())
}
