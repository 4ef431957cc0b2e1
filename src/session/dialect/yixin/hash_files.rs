//! Commands that write and read files of the transposition table.

use std::path::Path;

use goren_protocol::Reply;

use super::hash;
use crate::advice::exclusions::UserExclusions;
use crate::order::limits::Limits;
use crate::out::Out;
use crate::state::command_error::CommandError;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::Settings;
use goren_core::rules::Setup;

/// Board of the game, with the current rule.
fn setup_of_table(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    command: &'static str,
) -> Result<Setup, CommandError> {
    at_hand.five_board(command)?;
    at_hand.current(settings)?;
    at_hand.five_board(command)
}

/// Obeys `YXHASHDUMP`.
pub(super) fn dump_hash(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    exclusions: &UserExclusions,
    path: &str,
    out: Out,
) -> Result<(), CommandError> {
    let setup = setup_of_table(at_hand, settings, "YXHASHDUMP")?;
    if exclusions.any() {
        out(Reply::Message("hash not written: its entries depend on the blocked moves".to_owned()));
        return Ok(());
    }
    let table = at_hand.hash.made();
    out(Reply::Message(match hash::dump(table.as_deref(), setup, Path::new(path)) {
        Ok(count) => format!("hash written to {path}: {count} entries"),
        Err(error) => format!("hash not written to {path}: {error}"),
    }));
    Ok(())
}

/// Obeys `YXHASHLOAD`.
pub(super) fn load_hash(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    exclusions: &UserExclusions,
    limits: &Limits,
    path: &str,
    out: Out,
) -> Result<(), CommandError> {
    let setup = setup_of_table(at_hand, settings, "YXHASHLOAD")?;
    if exclusions.any() {
        out(Reply::Message("hash not read: lift all blocked moves first".to_owned()));
        return Ok(());
    }
    let max_bytes = limits.table_bytes;
    let table = &at_hand.hash;
    let loaded = hash::load(Path::new(path), setup, || {
        table.clear();
        table.set_limit(max_bytes);
        // With the maximum size, or the next search would allocate another table.
        Ok(table.table(max_bytes)?)
    });
    out(Reply::Message(match loaded {
        Ok(count) => format!("hash read from {path}: {count} entries"),
        Err(error) => format!("hash not read from {path}: {error}"),
    }));
    Ok(())
}
