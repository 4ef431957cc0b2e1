//! Changes since the last save, in a file beside the database, so that a
//! killed program loses no change that it has confirmed.
//!
//! The file has the name of the database with `.journal` appended. It begins with
//! `GRNJ0002`; each entry is
//!
//! | bytes | what |
//! |---|---|
//! | 4 | length of the content, which follows the checksum |
//! | 4 | CRC-32 of the content |
//! | 1 | 1: a record was set, 0: deleted, 2: a stamp |
//! | 2 | length of the key, unless it is a stamp |
//! | .. | the key, and the record as the database has it; or the stamp |
//!
//! A stamp is the length of the database's file and its time (nanoseconds since 1970), 8 bytes
//! each. It identifies the file to which the changes after it were made. Journals of earlier
//! versions begin with `GRNJ0001` and have no stamps.
//!
//! Numbers are little endian. A truncated change at the end was never confirmed. A program
//! that has the file open holds its lock.
//!
//! A program that opens a journal applies its changes, which come from a killed program, and
//! appends its own. The journal is removed only when all its changes are in the saved
//! database. If the changes were made to another file than the present one, another program
//! has saved it since. Then records are merged with those of the file, and none is deleted.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::code_page::all_to_utf8;
use super::key::Key;
use super::stamp::Stamp;
use super::store::Store;
use goren_files::{AppendError, AppendFile, LockedFile, with_stem_suffix, with_suffix, write_new};

const MAGIC: &[u8; 8] = b"GRNJ0002";
/// First bytes of journals of earlier versions.
const OLD_MAGIC: &[u8; 8] = b"GRNJ0001";
/// Bytes before the content of an entry.
const HEAD: usize = 8;
/// Maximum length of the content of an entry.
const MAX_CONTENT: usize = 3 + 2 * (u16::MAX as usize);
/// First byte of an entry that is a stamp.
const STAMP: u8 = 2;

/// A journal, open and locked.
pub struct Journal {
    file: AppendFile,
    /// The stamp of the database's file when it was read.
    stamp: Stamp,
    /// Whether the last stamp in the journal is `stamp`.
    stamped: bool,
}

/// Outcome of applying the changes in a journal.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Recovered {
    /// Number of changes applied. A merged record counts if merging changed it.
    pub changes: u64,
    /// Number of records that differed from those of the file, which was saved since; they
    /// were merged.
    pub differed: u64,
    /// Number of records that were deleted, but stay, as the file was saved since.
    pub undeleted: u64,
    /// A copy of the journal, if it could not be read to its end.
    pub copy: Option<PathBuf>,
}

impl Recovered {
    /// Whether the file of the database lacks changes of the journal.
    pub(super) fn is_unsaved(&self) -> bool {
        self.changes > 0 || self.differed > 0 || self.undeleted > 0
    }
}

/// Reason why a journal cannot be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another program has the database open and changes it.
    #[error("another program is changing this database")]
    InUse,
    /// An I/O error.
    #[error("cannot write the journal of changes: {0}")]
    Io(#[from] io::Error),
}

impl From<AppendError> for JournalError {
    fn from(error: AppendError) -> JournalError {
        match error {
            AppendError::Foreign(_) => JournalError::InUse,
            AppendError::Io(error) => error.into(),
        }
    }
}

impl Journal {
    /// Opens the journal of a database if there is one, and applies its changes to the
    /// records of the file, which had this stamp when it was read.
    ///
    /// # Errors
    /// The journal is in use, or cannot be read.
    pub fn recover(
        database: &Path,
        stamp: Stamp,
        store: &mut Store,
    ) -> Result<Option<(Journal, Recovered)>, JournalError> {
        match Journal::open(database, stamp, store, File::options().read(true).write(true)) {
            Err(JournalError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Begins a journal, or applies the changes of an existing one.
    ///
    /// # Errors
    /// The journal is in use, or cannot be written.
    pub fn begin(
        database: &Path,
        stamp: Stamp,
        store: &mut Store,
    ) -> Result<(Journal, Recovered), JournalError> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        Journal::open(database, stamp, store, &mut options)
    }

    fn open(
        database: &Path,
        stamp: Stamp,
        store: &mut Store,
        options: &mut OpenOptions,
    ) -> Result<(Journal, Recovered), JournalError> {
        let path = with_suffix(database, ".journal");
        // Opening a pipe would wait for its other end.
        if fs::metadata(&path).is_ok_and(|about| !about.is_file()) {
            return Err(io::Error::other("not a file").into());
        }
        let mut file = LockedFile::open_with(&path, options)?.ok_or(JournalError::InUse)?;
        let Replayed { mut recovered, valid, is_old, last } = replay(&mut file, stamp, store)?;
        if valid < file.metadata()?.len() {
            // The rest is cut off below.
            recovered.copy = Some(keep_copy(&mut file, &path)?);
        }
        if is_old {
            // Changes before the first stamp mean the same in both versions.
            file.rewind()?;
            file.write_all(MAGIC)?;
        }
        let mut file = AppendFile::resume(file, &path, valid)?;
        if valid == 0 {
            file.append(MAGIC)?;
        }
        Ok((Journal { file, stamp, stamped: last == Some(stamp) }, recovered))
    }

    /// Whether the journal has no entries.
    pub(super) fn is_empty(&self) -> bool {
        self.file.length() <= MAGIC.len() as u64
    }

    /// Appends a change: a record as bytes, or `None` if it was deleted.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn note(&mut self, key: &Key, record: Option<&[u8]>) -> Result<(), JournalError> {
        if !self.stamped {
            self.append(&[&[STAMP][..], &self.stamp.bytes()].concat())?;
            self.stamped = true;
        }
        let mut change = vec![u8::from(record.is_some())];
        change.extend((key.bytes().len() as u16).to_le_bytes());
        change.extend(key.bytes());
        change.extend(record.unwrap_or_default());
        self.append(&change)
    }

    fn append(&mut self, content: &[u8]) -> Result<(), JournalError> {
        let mut entry = Vec::with_capacity(HEAD + content.len());
        entry.extend((content.len() as u32).to_le_bytes());
        entry.extend(crc32fast::hash(content).to_le_bytes());
        entry.extend(content);
        Ok(self.file.append(&entry)?)
    }

    /// Flushes all changes to the disk, where they survive a loss of power.
    ///
    /// # Errors
    /// An I/O error.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    /// Ends the journal once all changes are in the database.
    pub fn end(self) {
        // If the file cannot be removed, it is applied again, which changes nothing.
        self.file.remove();
    }
}

/// Content of a journal after its changes were applied.
#[derive(Default)]
struct Replayed {
    recovered: Recovered,
    /// Number of bytes up to the end of the last valid entry.
    valid: u64,
    /// Whether an earlier version began the journal.
    is_old: bool,
    /// The last stamp.
    last: Option<Stamp>,
}

/// The last change of each record: as bytes, or `None` if it was deleted.
type Changes = HashMap<Key, Option<Vec<u8>>>;

/// Applies the changes of a journal to the records of a file.
fn replay(file: &mut File, stamp: Stamp, store: &mut Store) -> io::Result<Replayed> {
    let mut input = io::BufReader::new(file);
    let mut magic = Vec::new();
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    let mut replayed = Replayed { is_old: magic == OLD_MAGIC, ..Replayed::default() };
    if magic != MAGIC && !replayed.is_old {
        return Ok(replayed);
    }
    replayed.valid = MAGIC.len() as u64;
    // Changes to another file.
    let mut others = Changes::new();
    while let Some(content) = next_entry(&mut input)? {
        match read_entry(&content) {
            None => break,
            Some(Entry::Stamp(next)) => {
                merge(std::mem::take(&mut others), store, &mut replayed.recovered);
                replayed.last = Some(next);
            }
            Some(Entry::Change(key, record)) if replayed.last == Some(stamp) => {
                match record {
                    Some(record) => store.set_bytes(&key, record),
                    None => drop(store.remove(&key)),
                }
                replayed.recovered.changes += 1;
            }
            Some(Entry::Change(key, record)) => {
                others.insert(key, record.map(<[u8]>::to_vec));
            }
        }
        replayed.valid += (HEAD + content.len()) as u64;
    }
    merge(others, store, &mut replayed.recovered);
    Ok(replayed)
}

/// Reads the content of the next entry; `None` at the end, or if the entry is truncated or
/// damaged.
fn next_entry(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    let Some(&[l0, l1, l2, l3, c0, c1, c2, c3]) = head.first_chunk::<HEAD>() else {
        return Ok(None);
    };
    let length = u32::from_le_bytes([l0, l1, l2, l3]);
    if length as usize > MAX_CONTENT {
        return Ok(None);
    }
    let mut content = Vec::new();
    input.by_ref().take(u64::from(length)).read_to_end(&mut content)?;
    let sum = u32::from_le_bytes([c0, c1, c2, c3]);
    let is_valid = content.len() == length as usize && crc32fast::hash(&content) == sum;
    Ok(is_valid.then_some(content))
}

enum Entry<'a> {
    Stamp(Stamp),
    /// A record as bytes, or `None` if it was deleted.
    Change(Key, Option<&'a [u8]>),
}

fn read_entry(content: &[u8]) -> Option<Entry<'_>> {
    let (&kind, rest) = content.split_first()?;
    if kind == STAMP {
        return Some(Entry::Stamp(Stamp::read(rest.try_into().ok()?)));
    }
    let (length, rest) = rest.split_first_chunk::<2>()?;
    let (key, record) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
    let (key, _) = Key::read(key).ok()?;
    Some(Entry::Change(key, (kind != 0).then_some(record)))
}

/// Merges changes into the records of a file that was saved since they were made.
fn merge(changes: Changes, store: &mut Store, recovered: &mut Recovered) {
    let mut changed = Store::default();
    for (key, record) in changes {
        match record {
            Some(record) => changed.set_bytes(&key, &record),
            None => recovered.undeleted += u64::from(store.contains(&key)),
        }
    }
    if !changed.is_empty() && store.is_utf8() {
        // The texts may be older than those of the other program, which has converted its own.
        all_to_utf8(&mut changed);
    }
    for (key, record) in changed.iter() {
        let old = store.get(&key);
        recovered.differed += u64::from(old.as_ref().is_some_and(|old| *old != record));
        store.merge(&key, &record);
        recovered.changes += u64::from(store.get(&key) != old);
    }
}

/// Copies a journal that cannot be read to its end to a file beside it. Returns the name.
fn keep_copy(file: &mut File, path: &Path) -> io::Result<PathBuf> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    write_new((1..).map(|n| with_stem_suffix(path, &format!("_damaged{n}"))), &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;
    use crate::record::{Label, Record};
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Cell;
    use tempfile::tempdir;

    fn key(x: usize) -> Key {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        Place::after(setup, &[Some(Cell::new(x, 7))]).unwrap().key().unwrap()
    }

    /// The journal of a database that has no file yet.
    fn recovered(path: &Path, store: &mut Store) -> (Journal, Recovered) {
        Journal::recover(path, Stamp::default(), store).unwrap().unwrap()
    }

    #[test]
    fn changes_are_recovered_up_to_a_truncated_one() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        let (mut journal, _) =
            Journal::begin(&path, Stamp::default(), &mut Store::default()).unwrap();
        let win = Record::labelled(Label::WIN).write();
        journal.note(&key(7), Some(&win)).unwrap();
        journal.note(&key(6), Some(&[])).unwrap();
        journal.note(&key(7), None).unwrap();
        journal.note(&key(5), Some(&win)).unwrap();
        journal.sync().unwrap();
        let other = Journal::begin(&path, Stamp::default(), &mut Store::default());
        assert!(matches!(other, Err(JournalError::InUse)));
        drop(journal);
        let file = folder.path().join("a.db.journal");
        let whole = fs::read(&file).unwrap();
        let mut last = 0;
        for cut in 0..=whole.len() {
            fs::write(&file, &whole[..cut]).unwrap();
            let mut store = Store::default();
            store.set(&key(7), &Record::default());
            let (journal, Recovered { changes, .. }) = recovered(&path, &mut store);
            assert!(changes == last || changes == last + 1, "{cut}");
            last = changes;
            let expected = [(true, false, false), (true, false, false), (true, true, false)];
            let expected = [&expected[..], &[(false, true, false), (false, true, true)]].concat();
            let has = |x| store.contains(&key(x));
            assert_eq!((has(7), has(6), has(5)), expected[changes as usize], "{cut}");
            drop(journal);
        }
        assert_eq!(last, 4);
        let mut store = Store::default();
        let (mut journal, _) = recovered(&path, &mut store);
        journal.note(&key(4), Some(&win)).unwrap();
        drop(journal);
        let mut store = Store::default();
        // A program that begins a journal keeps the confirmed changes.
        let (journal, Recovered { changes, .. }) =
            Journal::begin(&path, Stamp::default(), &mut store).unwrap();
        assert_eq!((changes, store.get(&key(4)).unwrap().label), (5, Label::WIN));
        journal.end();
        assert!(Journal::recover(&path, Stamp::default(), &mut store).unwrap().is_none());
    }

    /// The rest after the damage was cut off silently.
    #[test]
    fn a_damaged_change_ends_the_journal_and_a_copy_is_kept() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        let (mut journal, _) =
            Journal::begin(&path, Stamp::default(), &mut Store::default()).unwrap();
        journal.note(&key(7), Some(&[])).unwrap();
        journal.note(&key(6), Some(&[])).unwrap();
        drop(journal);
        let file = folder.path().join("a.db.journal");
        let whole = fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            fs::write(&file, &bytes).unwrap();
            let mut store = Store::default();
            let (_, Recovered { changes, copy, .. }) = recovered(&path, &mut store);
            assert!(changes < 2 && store.len() as u64 == changes, "{at}");
            assert_eq!(fs::read(copy.unwrap()).unwrap(), bytes, "{at}");
        }
    }

    /// Journals of earlier versions do not say to which file the changes were made.
    #[test]
    fn changes_of_earlier_versions_are_merged() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        let (mut journal, _) =
            Journal::begin(&path, Stamp::default(), &mut Store::default()).unwrap();
        journal.note(&key(7), Some(&Record::labelled(Label::WIN).write())).unwrap();
        journal.note(&key(6), None).unwrap();
        drop(journal);
        let file = folder.path().join("a.db.journal");
        let stamped = fs::read(&file).unwrap();
        let changes = &stamped[MAGIC.len() + HEAD + 1 + Stamp::default().bytes().len()..];
        fs::write(&file, [&OLD_MAGIC[..], changes].concat()).unwrap();
        let mut store = Store::default();
        store.set(&key(7), &Record { text: b"said".to_vec(), ..Record::default() });
        store.set(&key(6), &Record::default());
        let (mut journal, found) = recovered(&path, &mut store);
        assert_eq!((found.changes, found.differed, found.undeleted), (1, 1, 1));
        let merged = store.get(&key(7)).unwrap();
        assert_eq!((merged.label, &merged.text[..]), (Label::WIN, &b"said"[..]));
        assert!(store.contains(&key(6)));
        // An appended change is made to the present file.
        journal.note(&key(6), None).unwrap();
        drop(journal);
        assert!(fs::read(&file).unwrap().starts_with(MAGIC));
        let (_, found) = recovered(&path, &mut store);
        assert_eq!((found.changes, found.differed, found.undeleted), (1, 1, 1));
        assert!(!store.contains(&key(6)));
    }
}
