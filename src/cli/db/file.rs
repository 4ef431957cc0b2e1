//! Opening and saving of database files.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use goren_database::{Database, Report};

/// Opens a database and prints what there is to say about the file.
pub(super) fn open(path: &Path, must_exist: bool) -> Result<(Database, Report)> {
    let name = path.display();
    ensure!(!must_exist || path.exists(), "there is no file {name}");
    let (mut database, report) =
        Database::open(path).with_context(|| format!("cannot use {name}"))?;
    for line in report.lines(database.store().len()) {
        eprintln!("{name}: {line}");
    }
    if must_exist {
        database.set_read_only();
    }
    Ok((database, report))
}

/// Saves a database, and names its file in an error.
pub(super) fn save(database: &mut Database) -> Result<()> {
    let name = database.path().display().to_string();
    database.save().with_context(|| format!("cannot write {name}; the old file is as it was"))
}
