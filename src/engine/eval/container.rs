//! The container of all weights files.
//!
//! All numbers are little-endian. A file is:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GorenWts` |
//! | 2 | version, which says what sections there are: 1 to 6 in five in a row (`file.rs`), 7 in other games (`tuple_file.rs`) |
//! | 2 | the games: a rule of five in a row by its number in the Gomocup protocol, others by the number of their [`TupleFamily`](super::TupleFamily), plus 256 |
//! | 2 | sides that follow: 2 for Black and White, 1 if both have the same numbers |
//! | each section | four letters, the number of entries (4 bytes), entries of 2 bytes, signed |
//! | 4 | CRC-32 (IEEE) of all bytes before |

use std::cmp::Ordering;

use super::error::WeightsError;

const MAGIC: [u8; 8] = *b"GorenWts";
/// Magic of weights of tuples before they came into this container.
const FORMER: [u8; 8] = *b"GorenTup";
/// Bytes before the first section.
pub(super) const HEADER: usize = 14;
/// Bytes of the name and the length of a section.
pub(super) const SECTION: usize = 8;
/// Bytes of the checksum.
pub(super) const CHECKSUM: usize = 4;
/// Upper limit of the size of a weights file.
pub const MAX_FILE: usize = 2 << 20;

/// A section: its name and its entries.
pub(super) type Section<'a> = ([u8; 4], &'a mut [i16]);

/// The words at the head of a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) version: u16,
    pub(super) game: u16,
    pub(super) sides: u16,
}

/// Bytes of sections.
pub(super) fn bytes_of(sections: &[Section<'_>]) -> usize {
    sections.iter().map(|(_, table)| SECTION + 2 * table.len()).sum()
}

/// The head of a file.
///
/// # Errors
/// The bytes are no weights, or end before the first section.
pub(super) fn head(bytes: &[u8]) -> Result<Head, WeightsError> {
    let found = bytes.len();
    if bytes.starts_with(&FORMER) {
        return Err(WeightsError::Former);
    }
    let known = found.min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] {
        return Err(WeightsError::Magic);
    }
    let header = bytes.get(..HEADER).ok_or(WeightsError::Short { expected: HEADER, found })?;
    let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let head = Head { version: word(8), game: word(10), sides: word(12) };
    if (1..=2).contains(&head.sides) { Ok(head) } else { Err(WeightsError::Sides(head.sides)) }
}

/// The sections of a file, to be read one after the other.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    /// Sections read.
    number: usize,
}

impl<'a> Reader<'a> {
    /// A file whose sections have so many bytes together.
    ///
    /// # Errors
    /// It has another length, or its checksum is wrong.
    pub(super) fn new(bytes: &'a [u8], sections: usize) -> Result<Reader<'a>, WeightsError> {
        let (expected, found) = (HEADER + sections + CHECKSUM, bytes.len());
        match found.cmp(&expected) {
            Ordering::Less => return Err(WeightsError::Short { expected, found }),
            Ordering::Greater => return Err(WeightsError::Long { expected, found }),
            Ordering::Equal => {}
        }
        let (body, checksum) = bytes.split_at(expected - CHECKSUM);
        let expected = checksum.iter().rev().fold(0, |sum, &byte| sum << 8 | byte as u32);
        let found = crc32fast::hash(body);
        if found == expected {
            Ok(Reader { rest: &body[HEADER..], number: 0 })
        } else {
            Err(WeightsError::Damaged { expected, found })
        }
    }

    /// Reads the next sections.
    ///
    /// # Errors
    /// One that is not of this name and length.
    pub(super) fn read(&mut self, sections: &mut [Section<'_>]) -> Result<(), WeightsError> {
        for (name, table) in sections {
            let entries = table.len();
            let mut head = [0; SECTION];
            head[..4].copy_from_slice(name);
            head[4..].copy_from_slice(&(entries as u32).to_le_bytes());
            let data = self.rest.strip_prefix(&head);
            let data = data.and_then(|data| data.split_at_checked(2 * entries));
            let Some((data, after)) = data else {
                let name = String::from_utf8_lossy(name).trim_end().to_owned();
                return Err(WeightsError::Section { number: self.number, name, entries });
            };
            for (entry, pair) in table.iter_mut().zip(data.chunks_exact(2)) {
                *entry = i16::from_le_bytes([pair[0], pair[1]]);
            }
            self.rest = after;
            self.number += 1;
        }
        Ok(())
    }
}

/// A file that is being written.
pub(super) struct Writer(Vec<u8>);

impl Writer {
    /// The head.
    pub(super) fn new(head: Head) -> Writer {
        let mut bytes = Vec::with_capacity(MAX_FILE);
        bytes.extend(MAGIC);
        for word in [head.version, head.game, head.sides] {
            bytes.extend(word.to_le_bytes());
        }
        Writer(bytes)
    }

    /// Adds sections.
    pub(super) fn add(&mut self, sections: &[Section<'_>]) {
        for (name, table) in sections {
            self.0.extend(name);
            self.0.extend((table.len() as u32).to_le_bytes());
            self.0.extend(table.iter().flat_map(|entry| entry.to_le_bytes()));
        }
    }

    /// The file.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.0.extend(crc32fast::hash(&self.0).to_le_bytes());
        self.0
    }
}
