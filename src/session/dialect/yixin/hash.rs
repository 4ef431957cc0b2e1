//! Files of the transposition table: a header and the used entries.
//!
//! All numbers are little-endian. Header: bytes 0 to 7 `MAGIC`; 8 version; 9 number of
//! the rule as in `INFO rule`; 10 and 11 columns and rows; 12 to 15 CRC-32 of all that
//! follows; 16 to 23 number of entries. Each entry has 16 bytes: key of the position, and
//! the value of [`Entry::to_word`]. Keys are random, so compression would gain little.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Deref;
use std::path::Path;

use crc32fast::Hasher;

use goren_core::rules::Setup;
use goren_engine::{Entry, Table, TableError};
use goren_files::{FileError, open_plain, replace};

const MAGIC: [u8; 8] = *b"GORENTT\x1a";
const VERSION: u8 = 1;
const HEADER: usize = 24;
const ENTRY: usize = 16;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is no memory for the table.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The file is not a file of a transposition table.
    #[error("not a transposition table file")]
    Foreign,
    /// The file has another version of the format.
    #[error("format version {0} of the file is unknown")]
    Version(u8),
    /// The file belongs to another rule or board.
    #[error("the file is for another rule or board")]
    Setup,
    /// The file is shorter or longer than its header says, or was changed.
    #[error("the file is damaged")]
    Damaged,
}

/// Writes the entries of a table to a file for a rule and board. An existing file is replaced
/// only when the new one is complete. Returns the number of entries.
///
/// # Errors
/// The file cannot be written; an existing one stays.
pub fn dump(table: Option<&Table>, setup: Setup, path: &Path) -> Result<u64, HashError> {
    let mut count = 0;
    replace(path, 0, |file| {
        count = write(table, setup, file)?;
        Ok(())
    })?;
    Ok(count)
}

fn write(table: Option<&Table>, setup: Setup, file: &File) -> io::Result<u64> {
    let mut out = BufWriter::new(file);
    out.write_all(&[0; HEADER])?;
    let (mut crc, mut count) = (Hasher::new(), 0u64);
    for (key, entry) in table.into_iter().flat_map(Table::entries) {
        let mut bytes = [0; ENTRY];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..].copy_from_slice(&entry.to_word().to_le_bytes());
        crc.update(&bytes);
        out.write_all(&bytes)?;
        count += 1;
    }
    // The number of entries precedes them in the file, but is known only now.
    let mut whole = Hasher::new();
    whole.update(&count.to_le_bytes());
    whole.combine(&crc);
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&header(setup, whole.finalize(), count))?;
    out.flush()?;
    Ok(count)
}

fn header(setup: Setup, crc: u32, count: u64) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    // All these numbers fit in a byte.
    let small = [VERSION, setup.rule.gomocup() as u8, setup.width as u8, setup.height as u8];
    header[8..12].copy_from_slice(&small);
    header[12..16].copy_from_slice(&crc.to_le_bytes());
    header[16..].copy_from_slice(&count.to_le_bytes());
    header
}

/// Reads a file for a rule and board into a table; see [`read`].
///
/// # Errors
/// The file cannot be read, is not a file of a table, is damaged, or is of another rule or
/// board; `table` is not called then. Or there is no memory for the table.
pub fn load<T: Deref<Target = Table>>(
    path: &Path,
    setup: Setup,
    table: impl FnOnce() -> Result<T, HashError>,
) -> Result<u64, HashError> {
    let file = open_plain(path).map_err(|error| match error {
        FileError::NotPlain => HashError::Foreign,
        FileError::Io(error) => error.into(),
    })?;
    read(&mut BufReader::new(file), setup, table)
}

/// Checks the whole file of a rule and board, then calls `table` and reads the entries into
/// the table that it returns. Returns the number of entries.
///
/// # Errors
/// The file cannot be read, is not a file of a table, is damaged, or is of another rule or
/// board; `table` is not called then. Or there is no memory for the table.
pub fn read<T: Deref<Target = Table>>(
    file: &mut (impl Read + Seek),
    setup: Setup,
    table: impl FnOnce() -> Result<T, HashError>,
) -> Result<u64, HashError> {
    let mut head = [0; HEADER];
    file.read_exact(&mut head).map_err(|_| HashError::Foreign)?;
    if head[..8] != MAGIC {
        return Err(HashError::Foreign);
    }
    if head[8] != VERSION {
        return Err(HashError::Version(head[8]));
    }
    let mut number = [0; 8];
    number.copy_from_slice(&head[16..]);
    let count = u64::from_le_bytes(number);
    let mut crc = Hasher::new();
    crc.update(&head[16..]);
    let read = entries(file, |bytes| crc.update(bytes))?;
    let expected = header(setup, crc.finalize(), count);
    if head[12..16] != expected[12..16] || read != count {
        return Err(HashError::Damaged);
    }
    if head != expected {
        return Err(HashError::Setup);
    }
    let table = table()?;
    file.seek(SeekFrom::Start(HEADER as u64))?;
    entries(file, |bytes| {
        let (mut key, mut word) = ([0; 8], [0; 8]);
        key.copy_from_slice(&bytes[..8]);
        word.copy_from_slice(&bytes[8..]);
        table.store(u64::from_le_bytes(key), Entry::from_word(u64::from_le_bytes(word)));
    })
}

/// Calls `take` with every entry up to the end of the file. Returns their number.
fn entries(file: &mut impl Read, mut take: impl FnMut(&[u8; ENTRY])) -> Result<u64, HashError> {
    let (mut bytes, mut filled, mut count) = ([0; ENTRY], 0, 0);
    loop {
        match file.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 => return Ok(count),
            Ok(0) => return Err(HashError::Damaged),
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
        if filled == ENTRY {
            take(&bytes);
            (filled, count) = (0, count + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use goren_core::rules::RuleId;
    use goren_core::types::{Cell, Move};
    use goren_engine::Bound;

    const SETUP: Setup = Setup { rule: RuleId::Renju, width: 15, height: 15 };

    fn entry(i: u64) -> (u64, Entry) {
        let best = Move::at(Cell::new(i as usize % 15, 3));
        let (score, depth) = (i as i32 * 7 - 500, i as i32 % 90);
        (
            (i << 55) | (i * 977),
            Entry { best, score, eval: 5, depth, bound: Bound::Lower, pv: true },
        )
    }

    #[test]
    fn a_dumped_table_is_loaded_and_damage_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("goren hash");
        let table = Table::with_bytes(1 << 16).unwrap();
        (1..200).for_each(|i| table.store(entry(i).0, entry(i).1));
        let count = dump(Some(&table), SETUP, &path).unwrap();
        assert_eq!(count, table.entries().count() as u64);
        // In a table of another size the entries get other slots.
        let other = Table::with_bytes(1 << 18).unwrap();
        assert_eq!(load(&path, SETUP, || Ok(&other)).unwrap(), count);
        for (key, entry) in table.entries() {
            assert_eq!(other.probe(key), Some(entry));
        }
        let unused = || -> Result<&Table, HashError> { panic!("a table was asked for") };
        let other_board = Setup { width: 20, ..SETUP };
        assert!(matches!(load(&path, other_board, unused), Err(HashError::Setup)));
        let bytes = fs::read(&path).unwrap();
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            load(&path, SETUP, unused).unwrap_err().to_string()
        };
        let damaged = HashError::Damaged.to_string();
        for at in [12, 17, HEADER, HEADER + 100, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert_eq!(refused(&changed), damaged, "{at}");
        }
        assert_eq!(refused(&bytes[..bytes.len() - 1]), damaged);
        assert_eq!(refused(&bytes[..bytes.len() - ENTRY]), damaged);
        let foreign = HashError::Foreign.to_string();
        assert_eq!(refused(&bytes[..20]), foreign);
        assert_eq!(refused(b"PNG and much more than a header"), foreign);
        let mut newer = bytes;
        newer[8] = 9;
        assert_eq!(refused(&newer), HashError::Version(9).to_string());
        assert!(matches!(dump(None, SETUP, Path::new("/no/such/folder/x")), Err(HashError::Io(_))));
    }
}
