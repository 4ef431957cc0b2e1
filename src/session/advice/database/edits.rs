//! Commands that change the record of a position.

use std::time::Instant;

use goren_protocol::{DatabaseCommand, DatabaseQuery, Reply};

use super::context::Context;
use super::listed::Listed;
use super::queries::{one, query, visit};
use super::refusal::Refusal;
use super::state::DatabaseState;
use crate::out::Out;
use goren_core::rules::Setup;
use goren_database::branch::{self, Filter};
use goren_database::{Bound, Database, EditError, Label, Place, Record, text};

/// Obeys a command that changes records.
pub(super) fn change(
    state: &mut DatabaseState,
    context: &Context,
    command: &DatabaseCommand,
    mut listed: Listed,
    setup: Setup,
    out: Out,
) -> Result<(), Refusal> {
    use DatabaseCommand as Db;
    let Some(database) = &mut state.open else { return Ok(()) };
    if state.read_only {
        return Err(EditError::ReadOnly.into());
    }
    state.changed |= !matches!(command, Db::EditText { .. } | Db::EditLabel { .. });
    let place = &mut listed.place;
    match command {
        Db::EditTvd { mask, tag, value, depth, .. } => {
            edit(database, place, |record| apply(record, *mask, *tag, *value, *depth))?;
            out(Reply::Message(one(database, place)));
        }
        Db::EditText { text: words, .. } => edit(database, place, |record| {
            record.text = text::with_comment(&record.text, words);
            Ok(())
        })?,
        Db::EditLabel { at, label, .. } => {
            let (mut place, cell) = match at {
                Some(at) => {
                    let cell = context.axes.cell(*at, &setup).ok_or(Refusal::Outside(*at))?;
                    (listed.place, cell)
                }
                // Yixin-Board 2.1 labels the last stone of the list.
                None => match listed.moves.split_last() {
                    Some((Some(cell), before)) => (Place::after(setup, before)?, *cell),
                    _ => return Ok(()),
                },
            };
            if place.is_empty_at(cell) {
                branch::set_text(database, &mut place, cell, label)?;
            }
        }
        Db::SetBestMove(_) => {
            if let Some((Some(_), before)) = listed.moves.split_last() {
                clear_best(database, &Place::after(setup, before)?)?;
                edit(database, &listed.place, |record| {
                    record.label = Label::BEST;
                    Ok(())
                })?;
            }
        }
        Db::ClearBestMove(_) => {
            let own = listed.place.key().and_then(|key| database.store().get(&key));
            if own.is_some_and(|record| record.label == Label::BEST) {
                edit(database, &listed.place, |record| {
                    record.label = Label::NONE;
                    Ok(())
                })?;
            } else {
                clear_best(database, &listed.place)?;
            }
        }
        Db::DeleteOne(_) => drop(branch::delete(database, place)?),
        Db::DeleteAll { filter, .. } => {
            let filter: Filter = filter.parse()?;
            out(Reply::Message("Deleting child records, this might take a while...".into()));
            let begun = Instant::now();
            let deleted = branch::delete_below(database, place, &filter)?;
            out(Reply::Message(format!(
                "Done deleting {deleted} records using {} ms.",
                begun.elapsed().as_millis()
            )));
            database.sync()?;
            query(database, context, DatabaseQuery::All, &listed, out);
            visit(state, DatabaseQuery::All, &listed);
            return Ok(());
        }
        _ => {}
    }
    database.sync()?;
    Ok(())
}

/// Changes the record of a position, or creates one.
fn edit(
    database: &mut Database,
    place: &Place,
    change: impl FnOnce(&mut Record) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let key = place.key().ok_or(Refusal::Passes)?;
    let mut record = database.store().get(&key).unwrap_or_default();
    if record.label == Label::NULL {
        record.label = Label::NONE;
    }
    change(&mut record)?;
    Ok(database.set(&key, &record)?)
}

/// Applies `yxedittvddatabase`: the bits of `mask` select label, value and depth.
fn apply(record: &mut Record, mask: i64, tag: i64, value: i64, depth: i64) -> Result<(), Refusal> {
    if mask & 1 != 0 {
        record.label = match u8::try_from(tag) {
            // Labels of results are case-insensitive; they are stored in lower case.
            Ok(letter @ (b'W' | b'L' | b'D' | b'X')) => Label(letter.to_ascii_lowercase() as i8),
            Ok(letter @ 0..=127) => Label(letter as i8),
            _ if tag == -1 => Label::NONE,
            _ => return Err(Refusal::Tag(tag)),
        };
    }
    if mask & 2 != 0 {
        record.value = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    }
    if mask & 4 != 0 {
        record.set_depth(depth, Bound::Exact);
    }
    Ok(())
}

/// Removes the best-move label from all children.
fn clear_best(database: &mut Database, place: &Place) -> Result<(), Refusal> {
    let marked = branch::children(database.store(), place);
    for (cell, _) in marked.into_iter().filter(|(_, record)| record.label == Label::BEST) {
        let mut child = place.clone();
        child.play(cell);
        edit(database, &child, |record| {
            record.label = Label::NONE;
            Ok(())
        })?;
    }
    Ok(())
}
