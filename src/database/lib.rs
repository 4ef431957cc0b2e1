//! A database of positions, in a file format that other programs read and write
//! too.
//!
//! Start with [`Database::open`], which manages a file and its journal, or with a
//! [`Store`] in memory. A [`Place`] is a position. Its record is stored under the
//! [`Key`] of the position, which is the same for all symmetric images:
//!
//! ```
//! use std::io::Cursor;
//!
//! use goren_core::rules::{RuleId, Setup};
//! use goren_core::types::Cell;
//! use goren_database::{Label, Place, Record, Store, read, write};
//!
//! let setup = Setup::new(RuleId::Freestyle, 15, 15)?;
//! let after = |moves: [(usize, usize); 2]| {
//!     let moves = moves.map(|(x, y)| Some(Cell::new(x, y)));
//!     Place::after(setup, &moves).map(|place| place.key())
//! };
//! let key = after([(7, 7), (8, 6)])?.expect("a position that has a key");
//! let mut store = Store::default();
//! store.set(&key, &Record::labelled(Label::WIN));
//!
//! // Write a file in the format of Yixin and Rapfi, and read it back.
//! let mut bytes = Vec::new();
//! write::write(&store, &mut bytes, true, true)?;
//! let loaded = read::read(Cursor::new(bytes));
//! let mirrored = after([(7, 7), (6, 6)])?.expect("a position that has a key");
//! assert_eq!(loaded.store.get(&mirrored).map(|record| record.label), Some(Label::WIN));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file
//! The format of Yixin and Rapfi, plain or packed as an LZ4 frame. Numbers are
//! little endian.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | number of records |
//! | 2, then that many | a [`Key`] |
//! | 2, then that many | its record: none, or label (1), value (2), depth and bound (2), text |
//!
//! A key is the rule (0 freestyle, 1 standard, 2 renju, others Goren's own:
//! `Card::database`), columns and rows, a byte each; then Black's stones and White's, each
//! column and row from 0, in ascending order. -1,-1 after the stones of a side is
//! a pass.
//!
//! A record whose key is three zero bytes is about the file: its text
//! `charset="UTF-8"` names the encoding. Files without it come from old programs;
//! their texts are converted, or kept byte for byte if they are too few to guess
//! the code page. The file gets the mark only if all texts are UTF-8.
//!
//! Rapfi reads boards up to 22x22 under the first three rules; other records
//! confuse it, so keep those in separate files.
//!
//! # Safety
//! Every change is written to a [`journal`] before it is confirmed, and a save
//! replaces the file atomically ([`goren_files::replace()`]), so that a kill at any moment leaves
//! a complete file and loses at most the last change, which was not confirmed yet. A file that
//! another program has saved since it was read is not replaced ([`SaveError`]), and changes of a
//! journal are merged with its records. A damaged file is read as far as possible ([`read`]),
//! and kept under another name at the first save.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod absorb;
pub mod below;
pub mod branch;
pub mod check;
mod code_page;
pub mod csv;
pub mod journal;
mod key;
mod key_bytes;
pub mod read;
mod record;
pub mod renlib;
mod report;
mod source;
mod stamp;
mod store;
pub mod text;
pub mod write;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use journal::{Journal, JournalError};
use read::Damage;

use goren_files::{keep, replace, with_stem_suffix, write_new};

pub use absorb::Absorbed;
pub use code_page::Converted;
pub use key::{BadMove, Key, Place};
pub use record::{Bound, Label, MATE, MATES, POINTS, Record};
pub use report::Report;
pub use stamp::Stamp;
pub use store::Store;

/// Number of old files that a save keeps.
pub const BACKUPS: u32 = 2;

/// Reason why a file cannot be opened as a database.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A pipe, a device or a folder.
    #[error("not a plain file")]
    NotPlain,
    /// The folder for the file does not exist.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file of another kind.
    #[error("not a database: {0}")]
    Foreign(Damage),
}

/// Reason why a change is refused.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The database is for reading only.
    #[error("the database is for reading only")]
    ReadOnly,
    /// The journal cannot be opened or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A text longer than the file can hold.
    #[error("a text of {0} bytes is too long: at most {most} bytes", most = record::MAX_TEXT)]
    TooLong(usize),
}

/// Reason why a database is not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The database is for reading only.
    #[error("the database is for reading only")]
    ReadOnly,
    /// Another program has the journal. If some changes are in neither file nor journal, all
    /// records are in a file beside the database.
    #[error("another program is changing this database{}", aside(.0))]
    InUse(Option<PathBuf>),
    /// Another program has written the file since it was read. Changes by
    /// [`Database::change_many`] are in a file beside it, with all other records.
    #[error(
        "another program has changed the file since it was opened, so it is not overwritten{}; \
         changes in the journal come back when it is opened again",
        aside(.0)
    )]
    Overtaken(Option<PathBuf>),
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn aside(path: &Option<PathBuf>) -> String {
    let notice = |path: &PathBuf| format!("; all records are in {}, to be merged", path.display());
    path.as_ref().map_or(String::new(), notice)
}

/// A database and its file.
pub struct Database {
    path: PathBuf,
    stamp: Stamp,
    store: Store,
    packed: bool,
    /// Whether the file may say that all its texts are UTF-8.
    utf8: bool,
    dirty: bool,
    /// Whether there are changes that neither the file nor the journal has.
    unjournalled: bool,
    read_only: bool,
    damaged: bool,
    journal: Option<Journal>,
    /// Report on unsaved changes of a killed program that were found after the file was opened.
    found: Report,
    /// A folder to create before anything is written.
    missing_folder: Option<PathBuf>,
}

impl Database {
    /// Reads a file, or begins a database without a file, which the first save
    /// creates. An empty file is a database without records.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged and contains no valid record.
    pub fn open(path: &Path) -> Result<(Database, Report), OpenError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder.filter(|folder| !folder.is_dir()) {
            Some(folder) => Err(OpenError::NoFolder(folder.to_path_buf())),
            None => Database::read(path),
        }
    }

    /// As [`Database::open`], with a file in our own folder below another one. That
    /// folder may be missing too, and is created with the first change.
    ///
    /// # Errors
    /// As in [`Database::open`].
    pub fn open_below(
        above: &Path,
        folder: &Path,
        name: &Path,
    ) -> Result<(Database, Report), OpenError> {
        if !above.is_dir() {
            return Err(OpenError::NoFolder(above.to_path_buf()));
        }
        let folder = above.join(folder);
        let (mut database, report) = Database::read(&folder.join(name))?;
        database.missing_folder = Some(folder).filter(|folder| !folder.is_dir());
        Ok((database, report))
    }

    fn read(path: &Path) -> Result<(Database, Report), OpenError> {
        let mut report = Report::default();
        let mut loaded =
            read::LoadedFile { packed: true, utf8: true, ..read::LoadedFile::default() };
        if path.file_name().is_none() {
            return Err(OpenError::NotPlain);
        }
        let stamp = Stamp::of(path);
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
            Ok(about) if !about.is_file() => return Err(OpenError::NotPlain),
            Ok(about) if about.len() == 0 => report.existed = true,
            Ok(_) => {
                report.existed = true;
                loaded = read::read(File::open(path)?);
            }
        }
        if loaded.store.is_empty() && !loaded.damage.is_empty() {
            return Err(OpenError::Foreign(loaded.damage.swap_remove(0)));
        }
        (report.faults, report.lost, report.merged) = (loaded.faults, loaded.lost, loaded.merged);
        report.damage = loaded.damage;
        if !loaded.utf8 {
            report.converted = code_page::to_utf8(&mut loaded.store);
        }
        let mut database = Database {
            path: path.to_path_buf(),
            stamp,
            store: loaded.store,
            packed: loaded.packed,
            utf8: loaded.utf8,
            dirty: false,
            unjournalled: false,
            read_only: false,
            damaged: report.faults > 0,
            journal: None,
            found: Report::default(),
            missing_folder: None,
        };
        match Journal::recover(path, stamp, &mut database.store) {
            Ok(None) => {}
            Ok(Some((journal, recovered))) => {
                database.dirty = recovered.is_unsaved();
                database.journal = Some(journal);
                report.recover(recovered);
            }
            Err(error) => {
                database.read_only |= matches!(error, JournalError::InUse);
                report.busy = Some(error);
            }
        }
        Ok((database, report))
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The records.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Whether there are changes that the file does not have.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Whether the file is packed.
    pub fn is_packed(&self) -> bool {
        self.packed
    }

    /// Sets whether the file is packed from the next save on.
    pub fn set_packed(&mut self, packed: bool) {
        self.dirty |= self.packed != packed;
        self.packed = packed;
    }

    /// Returns, and clears, messages about unsaved changes of a killed program. They are found
    /// at the first change or save after opening.
    pub fn take_recovery_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.found).lines(self.store.len(), true)
    }

    /// Refuses further changes; earlier changes are not saved either.
    pub fn set_read_only(&mut self) {
        self.read_only = true;
    }

    /// Sets a record.
    ///
    /// # Errors
    /// Changes are not allowed, the text is too long, or the journal cannot be written; nothing
    /// changes.
    pub fn set(&mut self, key: &Key, record: &Record) -> Result<(), EditError> {
        if record.text.len() > record::MAX_TEXT {
            return Err(EditError::TooLong(record.text.len()));
        }
        let bytes = record.write();
        self.note(key, Some(&bytes))?;
        self.store.set_bytes(key, &bytes);
        Ok(())
    }

    /// Deletes a record. Returns whether there was one.
    ///
    /// # Errors
    /// As in [`Database::set`].
    pub fn remove(&mut self, key: &Key) -> Result<bool, EditError> {
        if self.read_only {
            return Err(EditError::ReadOnly);
        }
        if !self.store.contains(key) {
            return Ok(false);
        }
        self.note(key, None)?;
        Ok(self.store.remove(key))
    }

    fn note(&mut self, key: &Key, record: Option<&[u8]>) -> Result<(), EditError> {
        if self.read_only {
            return Err(EditError::ReadOnly);
        }
        self.make_folder().map_err(JournalError::from)?;
        let journal = match &mut self.journal {
            Some(journal) => journal,
            slot => {
                let (journal, recovered) = Journal::begin(&self.path, self.stamp, &mut self.store)?;
                // Changes of a killed program are to be saved too.
                self.dirty |= recovered.is_unsaved();
                self.found.recover(recovered);
                slot.insert(journal)
            }
        };
        journal.note(key, record)?;
        self.dirty = true;
        Ok(())
    }

    /// Creates the missing folder, if any.
    fn make_folder(&mut self) -> io::Result<()> {
        if let Some(folder) = &self.missing_folder {
            match fs::create_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => self.missing_folder = None,
            }
        }
        Ok(())
    }

    /// Flushes all changes so far to the disk, though not yet to the file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn sync(&self) -> Result<(), EditError> {
        match &self.journal {
            Some(journal) => Ok(journal.sync().map_err(JournalError::from)?),
            None => Ok(()),
        }
    }

    /// Returns the store for many changes at once, without a journal; [`Database::save`]
    /// must come next.
    ///
    /// # Errors
    /// Changes are not allowed.
    pub fn change_many(&mut self) -> Result<&mut Store, EditError> {
        if self.read_only {
            return Err(EditError::ReadOnly);
        }
        (self.dirty, self.unjournalled) = (true, true);
        Ok(&mut self.store)
    }

    /// Rewrites the file. The old file stays as a backup; a damaged one is kept
    /// beside the new file for good.
    ///
    /// # Errors
    /// An I/O error, or another program changes the database or has saved it since it was
    /// read; the file and its journal stay unchanged.
    pub fn save(&mut self) -> Result<(), SaveError> {
        if self.read_only {
            return Err(SaveError::ReadOnly);
        }
        self.make_folder()?;
        let mut has_changes = self.journal.is_some();
        if !has_changes {
            // The lock of the journal prevents other programs from saving at the same time.
            match Journal::begin(&self.path, self.stamp, &mut self.store) {
                Ok((journal, recovered)) => {
                    has_changes = !journal.is_empty();
                    self.dirty |= recovered.is_unsaved();
                    self.found.recover(recovered);
                    self.journal = Some(journal);
                }
                Err(JournalError::InUse) => return Err(SaveError::InUse(self.set_aside()?)),
                // A save needs no journal.
                Err(JournalError::Io(_)) => {}
            }
        }
        let saved = self.replace_file();
        if (saved.is_ok() || !has_changes)
            && let Some(journal) = self.journal.take()
        {
            journal.end();
        }
        saved
    }

    fn replace_file(&mut self) -> Result<(), SaveError> {
        let present = Stamp::of(&self.path);
        if present.is_of_file() && present != self.stamp {
            return Err(SaveError::Overtaken(self.set_aside()?));
        }
        if self.damaged && self.path.exists() {
            keep(&self.path, "_damaged")?;
            self.damaged = false;
        }
        self.utf8 = self.utf8 || self.store.is_utf8();
        let (store, packed, utf8) = (&self.store, self.packed, self.utf8);
        replace(&self.path, BACKUPS, |file| write::write(store, file, packed, utf8))?;
        self.stamp = Stamp::of(&self.path);
        (self.dirty, self.unjournalled) = (false, false);
        Ok(())
    }

    /// Writes all records to a new file beside the database, if some are in neither file nor
    /// journal. Returns the name.
    fn set_aside(&mut self) -> io::Result<Option<PathBuf>> {
        if !self.unjournalled {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        write::write(&self.store, &mut bytes, self.packed, self.utf8 || self.store.is_utf8())?;
        let names = (1..).map(|n| with_stem_suffix(&self.path, &format!("_unsaved{n}")));
        let name = write_new(names, &bytes)?;
        self.unjournalled = false;
        Ok(Some(name))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if self.dirty && !self.read_only {
            // Changes that cannot be saved are still in the journal, or beside the file.
            drop(self.save());
        }
        if !self.dirty
            && let Some(journal) = self.journal.take()
        {
            journal.end();
        }
    }
}

#[cfg(test)]
mod encoding_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod two_programs_tests;
