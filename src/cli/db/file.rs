//! Opening and saving of database files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::forms::{Kind, of_kind};
use goren_database::{Database, Report};

/// Opens a database and prints messages about the file.
pub(super) fn open(path: &Path, must_exist: bool) -> Result<(Database, Report)> {
    let name = path.display();
    ensure!(!must_exist || path.exists(), "there is no file {name}");
    let is_empty = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0);
    ensure!(!must_exist || !is_empty, "{name} is empty");
    let opened = Database::open(path).with_context(|| format!("cannot use {name}"));
    let (mut database, report) = of_kind(path, Kind::Database, opened)?;
    for line in report.lines(database.store().len(), !must_exist) {
        eprintln!("{name}: {line}");
    }
    if must_exist {
        database.set_read_only();
    }
    Ok((database, report))
}

/// Saves a database; an error names the file.
pub(super) fn save(database: &mut Database) -> Result<()> {
    let name = database.path().display().to_string();
    let saved = database.save();
    for line in database.take_recovery_messages() {
        eprintln!("{name}: {line}");
    }
    saved.with_context(|| format!("cannot write {name}; the old file is unchanged"))
}
