//! Commands about whole files: open, save, import, export, merge, check.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use goren_protocol::{DatabaseCommand, Reply};

use super::context::Context;
use super::state::{DatabasePath, DatabaseState};
use crate::out::Out;
use crate::state::command_error::CommandError;
use goren_core::record::lib::Tree;
use goren_core::record::text::CodePage;
use goren_core::rules::Setup;
use goren_core::types::Cell;
use goren_database::{Absorbed, Database, Place, Store, branch, check, csv, renlib};
use goren_files::output_path::same;
use goren_files::{open_plain, replace};

/// Maximum size of a text file to import, in bytes.
const MAX_TEXT_FILE: u64 = 1 << 30;
/// Maximum number of findings listed.
const MAX_FINDINGS: usize = 20;

/// Message that says why a file was not read or written.
type Failure = String;

fn failure(error: impl ToString) -> Failure {
    error.to_string()
}

/// Saves and closes the open database, which releases its lock, and returns its place. A
/// message reports a failed save.
pub(super) fn close(state: &mut DatabaseState, out: Out) -> Option<DatabasePath> {
    let mut open = state.open.take()?;
    let path = open.path().to_path_buf();
    if open.is_dirty()
        && let Err(error) = open.save()
    {
        out(Reply::Message(format!("the file {} was not saved: {error}", path.display())));
    }
    report_found(&mut open, out);
    let place = state.place.take();
    Some(place.unwrap_or_else(|| DatabasePath::at(&path)))
}

/// Opens a database in place of the open one, which is reopened if that fails. Returns
/// whether the new one was opened.
pub(super) fn open_database(
    state: &mut DatabaseState,
    context: &Context,
    place: &DatabasePath,
    out: Out,
) -> bool {
    let path = &*place.path;
    state.changed = true;
    let announced = path.exists() && context.shows_progress;
    if announced {
        out(Reply::Message(format!("DATABASE LOAD START {}", path.display())));
    }
    // Close first: both may be the same file.
    let before = close(state, out);
    let opened = place.open();
    let is_open = opened.is_ok();
    match opened {
        Ok((database, report)) => {
            for line in report.lines(database.store().len(), true) {
                out(Reply::Message(line));
            }
            if report.existed {
                let records = database.store().len();
                out(Reply::Message(format!("the database has {records} records")));
            } else {
                let name = path.display();
                let line = format!("the file {name} does not exist yet; saving creates it");
                out(Reply::Message(line));
            }
            state.open = Some(database);
            state.place = Some(place.clone());
        }
        Err(error) => {
            out(Reply::Message(format!("the database {} is not used: {error}", path.display())));
            let reopened = before.map(|place| (place.open(), place));
            match reopened {
                Some((Ok((database, _)), place)) => {
                    (state.open, state.place) = (Some(database), Some(place));
                }
                Some((Err(error), place)) => {
                    let path = place.path.display();
                    out(Reply::Message(format!("the database {path} is no longer used: {error}")));
                }
                None => {}
            }
        }
    }
    if announced {
        out(Reply::Message("DATABASE LOAD DONE".into()));
    }
    is_open
}

/// Obeys a command about a whole file.
pub(super) fn serve_files(
    state: &mut DatabaseState,
    context: &Context,
    command: &DatabaseCommand,
    out: Out,
) {
    use DatabaseCommand as Db;
    let setup = context.setup;
    let position = setup.map(|setup| position_at_hand(state, context, setup));
    let Some(database) = &mut state.open else { return };
    if matches!(command, Db::Merge(_) | Db::FromText(_) | Db::FromLib(_) | Db::Fix) {
        if state.read_only {
            out(Reply::Message("nothing was changed: the database is for reading only".into()));
            return;
        }
        state.changed = true;
    }
    if let Db::ToTextAll(path)
    | Db::ToText(path)
    | Db::ToPos(path)
    | Db::ToLib(path)
    | Db::Merge(path)
    | Db::Split(path) = command
        && is_file_of(database, Path::new(path))
    {
        let what = if matches!(command, Db::Merge(_)) { "merged" } else { "written" };
        out(Reply::Message(format!("the file {path} was not {what}: it is the open database")));
        return;
    }
    let begun = Instant::now();
    let outcome = match command {
        Db::Save => Ok(save(database, context, out)),
        Db::ToTextAll(path) => to_text(database.store(), None, path, out),
        Db::ToText(path) => match setup {
            Some(_) => to_text(database.store(), setup, path, out),
            None => Ok(None),
        },
        Db::ToPos(path) => match setup {
            Some(setup) => {
                export(path, "positions", |out| csv::write_positions(database.store(), setup, out))
            }
            None => Ok(None),
        },
        Db::FromText(path) => from_text(database, path, out),
        Db::FromLib(path) => match setup {
            Some(setup) => from_lib(database, setup, path, out),
            None => Ok(None),
        },
        Db::ToLib(path) => match setup {
            Some(setup) => {
                let moves = position.and_then(Result::ok).map_or(Vec::new(), |(moves, _)| moves);
                to_lib(database.store(), setup, &moves, path, out)
            }
            None => Ok(None),
        },
        Db::Merge(path) => merge(database, path, out),
        Db::Split(path) => match position {
            Some(Ok((moves, place))) => split(database.store(), &moves, &place, path, out),
            Some(Err(error)) => Err(error),
            None => Ok(None),
        },
        Db::Check => {
            examine(database, out);
            Ok(None)
        }
        Db::Fix => fix(database),
        _ => Ok(None),
    };
    report_found(database, out);
    match outcome {
        Ok(Some(summary)) => {
            let ms = begun.elapsed().as_millis();
            out(Reply::Message(format!("{summary} in {ms} ms")));
        }
        Ok(None) => {}
        Err(error) => out(Reply::Message(error)),
    }
}

/// Reports unsaved changes of a killed program that were found since the last call.
pub(super) fn report_found(database: &mut Database, out: Out) {
    for line in database.take_recovery_messages() {
        out(Reply::Message(line));
    }
}

/// Saves the database. Returns a summary, or reports the failure and returns `None`.
fn save(database: &mut Database, context: &Context, out: Out) -> Option<String> {
    if context.shows_progress {
        let path = database.path().display();
        out(Reply::Message(format!("DATABASE SAVE START {path}")));
    }
    let saved = database.save();
    if let Err(error) = &saved {
        out(Reply::Message(format!("the database was not saved: {error}")));
    }
    if context.shows_progress {
        out(Reply::Message("DATABASE SAVE DONE".into()));
    }
    saved.is_ok().then(|| "saved the database file".into())
}

/// Whether a path leads to the file of a database, which may not exist yet.
fn is_file_of(database: &Database, path: &Path) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).ok();
    same(path, database.path()) || absolute(path) == absolute(database.path())
}

/// The position that the user looks at, with its moves: the last position named in a database
/// command since the game began, else the position of the game.
fn position_at_hand(
    state: &DatabaseState,
    context: &Context,
    setup: Setup,
) -> Result<(Vec<Option<Cell>>, Place), Failure> {
    let shown = state.shown_in(context.games);
    if shown.is_none() && context.refused {
        return Err(failure(CommandError::Refused));
    }
    let moves = shown.map_or_else(|| context.moves(), <[_]>::to_vec);
    let place = Place::after(setup, &moves)
        .map_err(|error| format!("the position does not fit this board: {error}"))?;
    Ok((moves, place))
}

/// Replaces a file. Returns a summary of what was written.
fn export(
    path: &str,
    what: &str,
    content: impl FnOnce(&mut dyn Write) -> io::Result<usize>,
) -> Result<Option<String>, Failure> {
    let mut count = 0;
    let written = replace(Path::new(path), 0, |file| {
        let mut out = BufWriter::new(file);
        count = content(&mut out)?;
        out.flush()
    });
    written.map_err(|error| format!("the file {path} was not written: {error}"))?;
    Ok(Some(format!("wrote {count} {what} to {path}")))
}

fn to_text(
    store: &Store,
    only: Option<Setup>,
    path: &str,
    out: Out,
) -> Result<Option<String>, Failure> {
    let what = if only.is_some() { "records (this board and rule)" } else { "records (all)" };
    let mut converted = None;
    let summary = export(path, what, |file| {
        let (count, texts) = csv::write(store, only, file)?;
        converted = texts;
        Ok(count)
    })?;
    if let Some(converted) = converted {
        out(Reply::Message(converted.to_string()));
    }
    Ok(summary)
}

fn from_text(database: &mut Database, path: &str, out: Out) -> Result<Option<String>, Failure> {
    let fail =
        |error: &dyn ToString| format!("the file {path} was not imported: {}", error.to_string());
    let about = fs::metadata(path).map_err(|error| fail(&error))?;
    if !about.is_file() || about.len() > MAX_TEXT_FILE {
        return Err(fail(&"not a text file of at most 1 GiB"));
    }
    let text = fs::read(path).map_err(|error| fail(&error))?;
    let (imported, notes) = csv::read(&text).map_err(|error| fail(&error))?;
    send_messages(path, notes, out);
    absorb(database, &imported, "imported", out)
}

/// Sends messages about a file.
fn send_messages(path: &str, lines: Vec<String>, out: Out) {
    for line in lines {
        out(Reply::Message(format!("the file {path}: {line}")));
    }
}

/// Imports a library, a damaged one up to the damage.
fn from_lib(
    database: &mut Database,
    setup: Setup,
    path: &str,
    out: Out,
) -> Result<Option<String>, Failure> {
    let fail =
        |error: &dyn ToString| format!("the file {path} was not imported: {}", error.to_string());
    let file = open_plain(Path::new(path)).map_err(|error| fail(&error))?;
    let tree = match Tree::read(file) {
        Ok(tree) => tree,
        Err(error) if error.tree.is_empty() => return Err(fail(&error)),
        Err(error) => {
            out(Reply::Message(format!("the file {path} is damaged: {error}")));
            *error.tree
        }
    };
    if tree.unmet() > 0 {
        out(Reply::Message(format!("the file {path} is part of a library, or was cut short")));
    }
    let (store, converted) = database.change_texts().map_err(failure)?;
    let imported = renlib::import(&tree, setup, tree.code_page(), store).map_err(|e| fail(&e))?;
    if let Some(converted) = converted {
        out(Reply::Message(converted.to_string()));
    }
    database.save().map_err(|error| format!("imported, but not saved: {error}"))?;
    if imported.skipped > 0 {
        let line = format!("{} nodes left out: they cannot be played", imported.skipped);
        out(Reply::Message(line));
    }
    if imported.left_out > 0 {
        out(Reply::Message(format!(
            "{} texts left out: another text was there, or there was no room",
            imported.left_out
        )));
    }
    if imported.marks > 0 {
        let line = format!("{} marks left out: a database cannot store them", imported.marks);
        out(Reply::Message(line));
    }
    Ok(Some(format!("imported {} nodes, {} records are new", tree.len(), imported.new)))
}

fn to_lib(
    store: &Store,
    setup: Setup,
    moves: &[Option<Cell>],
    path: &str,
    out: Out,
) -> Result<Option<String>, Failure> {
    let exported = renlib::export(store, setup, moves, CodePage::UTF_8)
        .map_err(|error| format!("the file {path} was not written: {error}"))?;
    if exported.apart > 0 {
        let line = format!("{} records left out: no other records lead to them", exported.apart);
        out(Reply::Message(line));
    }
    export(path, "records", |out| exported.tree.write(out).map(|()| exported.records))
}

fn merge(database: &mut Database, path: &str, out: Out) -> Result<Option<String>, Failure> {
    let (mut other, report) = Database::open(Path::new(path))
        .map_err(|error| format!("the file {path} was not merged: {error}"))?;
    if !report.existed {
        return Err(format!("the file {path} was not merged: there is no such file"));
    }
    // The other file is only read.
    other.set_read_only();
    send_messages(path, report.lines(other.store().len(), false), out);
    absorb(database, other.store(), "merged", out)
}

fn absorb(
    database: &mut Database,
    other: &Store,
    how: &str,
    out: Out,
) -> Result<Option<String>, Failure> {
    let Absorbed { changed, converted } = database.absorb(other, branch::merge).map_err(failure)?;
    for converted in converted {
        out(Reply::Message(converted.to_string()));
    }
    database.save().map_err(|error| format!("{how}, but not saved: {error}"))?;
    Ok(Some(format!("{how} {changed} out of {} records into the database", other.len())))
}

fn split(
    store: &Store,
    moves: &[Option<Cell>],
    place: &Place,
    path: &str,
    out: Out,
) -> Result<Option<String>, Failure> {
    let fail =
        |error: &dyn ToString| format!("the file {path} was not written: {}", error.to_string());
    let (mut target, report) = Database::open(Path::new(path)).map_err(|error| fail(&error))?;
    send_messages(path, report.lines(target.store().len(), true), out);
    let copy = |from: &Store, to: &mut Store| branch::copy_branch(from, moves, place, to);
    let Absorbed { changed, converted } =
        target.absorb(store, copy).map_err(|error| fail(&error))?;
    send_messages(path, converted.iter().map(ToString::to_string).collect(), out);
    if let Err(error) = target.save() {
        // Do not try to save again when it is dropped.
        target.set_read_only();
        return Err(fail(&error));
    }
    Ok(Some(format!("wrote {changed} records into the split database")))
}

fn examine(database: &Database, out: Out) {
    let findings = check::findings(database.store());
    for finding in findings.iter().take(MAX_FINDINGS) {
        out(Reply::Message(finding.to_string()));
    }
    let records = database.store().len();
    out(Reply::Message(format!("checked {records} records: {} findings", findings.len())));
}

fn fix(database: &mut Database) -> Result<Option<String>, Failure> {
    let store = database.change_many().map_err(failure)?;
    let fixed = check::fix(store);
    database.save().map_err(|error| format!("fixed, but not saved: {error}"))?;
    Ok(Some(format!("fixed {fixed} records")))
}
