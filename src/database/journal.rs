//! Changes since the last save, in a file beside the database, so that a
//! program that is killed loses none that it has confirmed.
//!
//! The file is the database's name with `.journal` behind it. It begins with
//! `GRNJ0001`; each change is
//!
//! | bytes | what |
//! |---|---|
//! | 4 | length of what follows the checksum |
//! | 4 | CRC-32 of it |
//! | 1 | 1: a record was set, 0: taken out |
//! | 2 | length of the key |
//! | .. | the key, and the record as the database has it |
//!
//! Numbers are little endian. A change cut short at the end was never
//! confirmed. While a program has the file open it holds its lock.
//!
//! Whoever opens a journal applies the changes in it, which are those of a program that was
//! killed, and appends its own: they are lost only with the file, once they are saved.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::key::Key;
use super::store::Store;
use goren_files::{AppendError, AppendFile, LockedFile, behind};

const MAGIC: &[u8; 8] = b"GRNJ0001";
/// Bytes before a change.
const HEAD: usize = 8;
/// Longest change.
const LONGEST: usize = 3 + 2 * (u16::MAX as usize);

/// The file, open and locked.
pub struct Journal {
    file: AppendFile,
}

/// The reason why a journal cannot be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another program has the database open and changes it.
    #[error("another program is changing this database")]
    InUse,
    /// An I/O error.
    #[error("no journal of changes can be kept: {0}")]
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
    /// Opens the journal of a database if there is one, and applies the
    /// changes in it; their number.
    ///
    /// # Errors
    /// It is in use, or cannot be read.
    pub fn recover(
        database: &Path,
        store: &mut Store,
    ) -> Result<Option<(Journal, u64)>, JournalError> {
        match Journal::open(database, store, File::options().read(true).write(true)) {
            Err(JournalError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Begins a journal, or applies the changes of the one there is; their number.
    ///
    /// # Errors
    /// It is in use, or cannot be written.
    pub fn begin(database: &Path, store: &mut Store) -> Result<(Journal, u64), JournalError> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        Journal::open(database, store, &mut options)
    }

    fn open(
        database: &Path,
        store: &mut Store,
        options: &mut OpenOptions,
    ) -> Result<(Journal, u64), JournalError> {
        let path = behind(database, ".journal");
        // To open a pipe would wait for who reads it.
        if fs::metadata(&path).is_ok_and(|about| !about.is_file()) {
            return Err(io::Error::other("not a file").into());
        }
        let mut file = LockedFile::open_with(&path, options)?.ok_or(JournalError::InUse)?;
        let (changes, whole) = replay(&mut file, store)?;
        let mut file = AppendFile::resume(file, &path, whole)?;
        if whole == 0 {
            file.append(MAGIC)?;
        }
        Ok((Journal { file }, changes))
    }

    /// Writes a change down: a record as bytes, or none if it was taken out.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn note(&mut self, key: &Key, record: Option<&[u8]>) -> Result<(), JournalError> {
        let mut change = vec![0; HEAD];
        change.push(u8::from(record.is_some()));
        change.extend((key.bytes().len() as u16).to_le_bytes());
        change.extend(key.bytes());
        change.extend(record.unwrap_or_default());
        let length = (change.len() - HEAD) as u32;
        change[..4].copy_from_slice(&length.to_le_bytes());
        let sum = crc32fast::hash(&change[HEAD..]);
        change[4..HEAD].copy_from_slice(&sum.to_le_bytes());
        Ok(self.file.append(&change)?)
    }

    /// Has all changes on the disk, where they outlast a loss of power.
    ///
    /// # Errors
    /// An I/O error.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    /// Ends the journal once all changes are in the database.
    pub fn end(self) {
        // A journal that stays is applied again, which changes nothing.
        self.file.remove();
    }
}

/// Applies the changes of a journal; their number, and the bytes up to the end
/// of the last whole one.
fn replay(file: &mut File, store: &mut Store) -> io::Result<(u64, u64)> {
    let mut input = io::BufReader::new(file);
    let mut magic = Vec::new();
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    let (mut changes, mut whole) = (0, 0);
    if magic != MAGIC {
        return Ok((changes, whole));
    }
    whole += MAGIC.len() as u64;
    let mut change = Vec::new();
    loop {
        change.clear();
        input.by_ref().take(HEAD as u64).read_to_end(&mut change)?;
        let Some(&[l0, l1, l2, l3, c0, c1, c2, c3]) = change.first_chunk::<HEAD>() else { break };
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        if length as usize > LONGEST {
            break;
        }
        change.clear();
        input.by_ref().take(u64::from(length)).read_to_end(&mut change)?;
        let sum = u32::from_le_bytes([c0, c1, c2, c3]);
        let right = change.len() == length as usize && crc32fast::hash(&change) == sum;
        if !right || !apply(&change, store) {
            break;
        }
        changes += 1;
        whole += HEAD as u64 + u64::from(length);
    }
    Ok((changes, whole))
}

fn apply(change: &[u8], store: &mut Store) -> bool {
    let &[set, l0, l1, ref rest @ ..] = change else { return false };
    let Some((key, record)) = rest.split_at_checked(u16::from_le_bytes([l0, l1]).into()) else {
        return false;
    };
    let Ok((key, _)) = Key::read(key) else { return false };
    match set {
        0 => drop(store.remove(&key)),
        _ => store.set_bytes(&key, record),
    }
    true
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

    #[test]
    fn changes_come_back_up_to_the_one_cut_short() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        let (mut journal, _) = Journal::begin(&path, &mut Store::default()).unwrap();
        let win = Record::labelled(Label::WIN).write();
        journal.note(&key(7), Some(&win)).unwrap();
        journal.note(&key(6), Some(&[])).unwrap();
        journal.note(&key(7), None).unwrap();
        journal.note(&key(5), Some(&win)).unwrap();
        journal.sync().unwrap();
        let other = Journal::begin(&path, &mut Store::default());
        assert!(matches!(other, Err(JournalError::InUse)));
        drop(journal);
        let file = folder.path().join("a.db.journal");
        let whole = fs::read(&file).unwrap();
        let mut last = 0;
        for cut in 0..=whole.len() {
            fs::write(&file, &whole[..cut]).unwrap();
            let mut store = Store::default();
            store.set(&key(7), &Record::default());
            let (journal, changes) = Journal::recover(&path, &mut store).unwrap().unwrap();
            assert!(changes == last || changes == last + 1, "{cut}");
            last = changes;
            let expected = [(true, false, false), (true, false, false), (true, true, false)];
            let expected = [&expected[..], &[(false, true, false), (false, true, true)]].concat();
            let there = |x| store.contains(&key(x));
            assert_eq!((there(7), there(6), there(5)), expected[changes as usize], "{cut}");
            drop(journal);
        }
        assert_eq!(last, 4);
        let mut store = Store::default();
        let (mut journal, _) = Journal::recover(&path, &mut store).unwrap().unwrap();
        journal.note(&key(4), Some(&win)).unwrap();
        drop(journal);
        let mut store = Store::default();
        // Whoever begins one keeps what was confirmed.
        let (journal, changes) = Journal::begin(&path, &mut store).unwrap();
        assert_eq!((changes, store.get(&key(4)).unwrap().label), (5, Label::WIN));
        journal.end();
        assert!(Journal::recover(&path, &mut store).unwrap().is_none());
    }

    #[test]
    fn a_damaged_change_ends_it() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        let (mut journal, _) = Journal::begin(&path, &mut Store::default()).unwrap();
        journal.note(&key(7), Some(&[])).unwrap();
        journal.note(&key(6), Some(&[])).unwrap();
        drop(journal);
        let file = folder.path().join("a.db.journal");
        let whole = fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            fs::write(&file, bytes).unwrap();
            let mut store = Store::default();
            let (_, changes) = Journal::recover(&path, &mut store).unwrap().unwrap();
            assert!(changes < 2 && store.len() as u64 == changes, "{at}");
        }
    }
}
