//! A database of positions: what is known of each, in a file that other
//! programs read and write too.
//!
//! Begin with [`Database::open`], which keeps a file and its journal, or with a
//! [`Store`] in memory. A [`Place`] is a position, its [`Key`] what a record is
//! filed under, the same for all symmetric images:
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
//! // The file of Yixin and Rapfi, and read back.
//! let mut bytes = Vec::new();
//! write::write(&store, &mut bytes, true, true)?;
//! let loaded = read::read(Cursor::new(bytes));
//! let mirrored = after([(7, 7), (6, 6)])?.expect("a position that has a key");
//! assert_eq!(loaded.store.get(&mirrored).map(|record| record.label), Some(Label::WIN));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file
//! That of Yixin and Rapfi, plain or packed as an LZ4 frame. Numbers are
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
//! column and row from 0, in rising order. -1,-1 behind the stones of a side is
//! a pass.
//!
//! A record whose key is three zero bytes is about the file: its text
//! `charset="UTF-8"` says how texts are written. Files without it come from
//! old programs; their texts are converted, or kept byte for byte where they are
//! too few to guess their code page by. The file gets the mark only if all of them
//! are UTF-8.
//!
//! Rapfi reads boards up to 22x22 of the first three rules; records of others
//! confuse it, so keep those in files of their own.
//!
//! # Safety
//! Every change is written to a [`journal`] before it is confirmed, and a save
//! replaces the file at once ([`goren_files::replace()`]), so that a kill at any moment leaves
//! a whole file and at most the last change untold. A file that another program has saved
//! since it was read is not replaced ([`SaveError`]), and changes of a journal are merged with
//! what it has. A damaged file
//! is read as far as it makes sense ([`read`]), and kept under another name at
//! the first save.

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

use goren_files::{beside, keep, replace, write_new};

pub use absorb::Absorbed;
pub use code_page::Converted;
pub use key::{BadMove, Key, Place};
pub use record::{Bound, Label, MATE, MATES, POINTS, Record};
pub use report::Report;
pub use stamp::Stamp;
pub use store::Store;

/// Old files that a save keeps.
pub const BACKUPS: u32 = 2;

/// The reason why a file cannot be opened as a database.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A pipe, a device or a folder.
    #[error("not a plain file")]
    NotPlain,
    /// There is no such folder to make it in.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A file of another kind.
    #[error("not a database: {0}")]
    Foreign(Damage),
}

/// The reason why a change is refused.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The database is for reading only.
    #[error("the database is for reading only")]
    ReadOnly,
    /// There is no journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A text longer than the file can hold.
    #[error("a text of {0} bytes is too long: at most {most} bytes", most = record::MAX_TEXT)]
    TooLong(usize),
}

/// The reason why a database is not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The database is for reading only.
    #[error("the database is for reading only")]
    ReadOnly,
    /// Another program has the journal. All records are in a file beside it, if that lacks
    /// some of them.
    #[error("another program is changing this database{}", aside(.0))]
    InUse(Option<PathBuf>),
    /// Another program has written the file since it was read. Changes by
    /// [`Database::change_many`] are in a file beside it, with all other records.
    #[error(
        "another program has changed the file since it was opened, and it stays as it is{}; \
         changes in the journal come back when it is opened again",
        aside(.0)
    )]
    Overtaken(Option<PathBuf>),
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn aside(path: &Option<PathBuf>) -> String {
    let reported =
        |path: &PathBuf| format!("; all records are in {}, to be merged", path.display());
    path.as_ref().map_or(String::new(), reported)
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
    /// A folder that has to be made before anything is written.
    missing: Option<PathBuf>,
}

impl Database {
    /// Reads a file, or begins a database that has none yet; the file is made
    /// at the first save. An empty file is a database without records.
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

    /// The same with a file in a folder of our own below another one. It may be
    /// missing as well, and is made with the first change.
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
        database.missing = Some(folder).filter(|folder| !folder.is_dir());
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
        (report.faults, report.lost, report.folded) = (loaded.faults, loaded.lost, loaded.folded);
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
            missing: None,
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

    /// Where the file is.
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

    /// Has the file packed, or plain, from the next save on.
    pub fn set_packed(&mut self, packed: bool) {
        self.dirty |= self.packed != packed;
        self.packed = packed;
    }

    /// Returns, and clears, messages about unsaved changes of a killed program. They are found
    /// at the first change or save after opening.
    pub fn take_found(&mut self) -> Vec<String> {
        std::mem::take(&mut self.found).lines(self.store.len(), true)
    }

    /// Refuses further changes; changes made before are not saved either.
    pub fn set_read_only(&mut self) {
        self.read_only = true;
    }

    /// Files a record.
    ///
    /// # Errors
    /// Changes are not allowed, or cannot be kept safe; nothing changes.
    pub fn set(&mut self, key: &Key, record: &Record) -> Result<(), EditError> {
        if record.text.len() > record::MAX_TEXT {
            return Err(EditError::TooLong(record.text.len()));
        }
        let bytes = record.write();
        self.note(key, Some(&bytes))?;
        self.store.set_bytes(key, &bytes);
        Ok(())
    }

    /// Takes a record out; whether there was one.
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
            none => {
                let (journal, recovered) = Journal::begin(&self.path, self.stamp, &mut self.store)?;
                // Those of a program that was killed are to be saved too.
                self.dirty |= recovered.is_unsaved();
                self.found.recover(recovered);
                none.insert(journal)
            }
        };
        journal.note(key, record)?;
        self.dirty = true;
        Ok(())
    }

    /// Makes the folder that is missing, if one is.
    fn make_folder(&mut self) -> io::Result<()> {
        if let Some(folder) = &self.missing {
            match fs::create_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => self.missing = None,
            }
        }
        Ok(())
    }

    /// Has all changes so far on the disk, though not yet in the file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn sync(&self) -> Result<(), EditError> {
        match &self.journal {
            Some(journal) => Ok(journal.sync().map_err(JournalError::from)?),
            None => Ok(()),
        }
    }

    /// Many changes at once, without a journal; [`Database::save`] must come
    /// next.
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

    /// Writes the file anew. The old one stays as a backup; a damaged one is
    /// kept for good, beside it.
    ///
    /// # Errors
    /// An I/O error, or another program changes the database or has saved it since it was
    /// read; the file and its journal are as they were.
    pub fn save(&mut self) -> Result<(), SaveError> {
        if self.read_only {
            return Err(SaveError::ReadOnly);
        }
        self.make_folder()?;
        let mut has_changes = self.journal.is_some();
        if !has_changes {
            // Its lock keeps others from saving at the same time.
            match Journal::begin(&self.path, self.stamp, &mut self.store) {
                Ok((journal, recovered)) => {
                    has_changes = !journal.is_empty();
                    self.dirty |= recovered.is_unsaved();
                    self.found.recover(recovered);
                    self.journal = Some(journal);
                }
                Err(JournalError::InUse) => return Err(SaveError::InUse(self.set_aside()?)),
                // What is saved needs none.
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
        let there = Stamp::of(&self.path);
        if there.is_of_file() && there != self.stamp {
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

    /// Writes all records to a new file beside the database, if some are neither in it nor in
    /// the journal. Returns its name.
    fn set_aside(&mut self) -> io::Result<Option<PathBuf>> {
        if !self.unjournalled {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        write::write(&self.store, &mut bytes, self.packed, self.utf8 || self.store.is_utf8())?;
        let names = (1..).map(|n| beside(&self.path, &format!("_unsaved{n}")));
        let name = write_new(names, &bytes)?;
        self.unjournalled = false;
        Ok(Some(name))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if self.dirty && !self.read_only {
            // Changes that cannot be saved are in the journal still, or beside the file.
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
