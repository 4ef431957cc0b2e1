//! Container format of all weights files.
//!
//! Integers are little-endian. A file consists of:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic word `GorenWts` |
//! | 2 | version, which determines the sections: 1, 3 to 6 and 8 to 10 in five in a row (`file.rs`; 2 is rejected), 7, 11 and 12 in other games (`tuple_file.rs`) |
//! | 2 | game: in five in a row the number of the rule in the Gomocup protocol, else 256 plus the number of the [`TupleFamily`](super::TupleFamily) |
//! | 2 | number of sides that follow: 2 for Black and White, 1 if they are equal |
//! | each section | name (4 letters), number of entries (4 bytes), entries (2 bytes, signed) |
//! | 4 | CRC-32 (IEEE) of all bytes before it |

use std::cmp::Ordering;

use super::error::WeightsError;

const MAGIC: [u8; 8] = *b"GorenWts";
/// Magic word of tuple weights from before they used this container.
const OLD_TUPLES: [u8; 8] = *b"GorenTup";
/// Bytes before the first section.
pub(super) const HEADER_BYTES: usize = 14;
/// Bytes of the name and the number of entries of a section.
pub(super) const SECTION_HEADER_BYTES: usize = 8;
/// Bytes of the checksum.
pub(super) const CHECKSUM_BYTES: usize = 4;
/// Upper limit of the size of a weights file, in bytes.
pub const MAX_FILE: usize = 4 << 20;

/// A section: its name and its entries.
pub(super) type Section<'a> = ([u8; 4], &'a mut [i16]);

/// The fields between the magic word and the first section.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) version: u16,
    pub(super) game: u16,
    pub(super) sides: u16,
}

/// Returns the length of sections in a file, in bytes.
pub(super) fn bytes_of(sections: &[Section<'_>]) -> usize {
    sections.iter().map(|(_, table)| SECTION_HEADER_BYTES + 2 * table.len()).sum()
}

/// Reads the header of a file.
///
/// # Errors
/// The bytes are not a weights file, end before the first section, or have a number of
/// sides other than 1 and 2.
pub(super) fn read_header(bytes: &[u8]) -> Result<Header, WeightsError> {
    let found = bytes.len();
    if bytes.starts_with(&OLD_TUPLES) {
        return Err(WeightsError::Former);
    }
    let compared = found.min(MAGIC.len());
    if bytes[..compared] != MAGIC[..compared] {
        return Err(WeightsError::Magic);
    }
    let fields =
        bytes.get(..HEADER_BYTES).ok_or(WeightsError::Short { expected: HEADER_BYTES, found })?;
    let word = |at: usize| u16::from_le_bytes([fields[at], fields[at + 1]]);
    let header = Header { version: word(8), game: word(10), sides: word(12) };
    if (1..=2).contains(&header.sides) {
        Ok(header)
    } else {
        Err(WeightsError::Sides(header.sides))
    }
}

/// Reads the sections of a file in their order.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    /// Number of sections read so far.
    number: usize,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the first section; `sections` is the length of all sections in
    /// bytes.
    ///
    /// # Errors
    /// The file has another length, or its checksum is wrong.
    pub(super) fn new(bytes: &'a [u8], sections: usize) -> Result<Reader<'a>, WeightsError> {
        let (expected, found) = (HEADER_BYTES + sections + CHECKSUM_BYTES, bytes.len());
        match found.cmp(&expected) {
            Ordering::Less => return Err(WeightsError::Short { expected, found }),
            Ordering::Greater => return Err(WeightsError::Long { expected, found }),
            Ordering::Equal => {}
        }
        let (body, checksum) = bytes.split_at(expected - CHECKSUM_BYTES);
        let expected = checksum.iter().rev().fold(0, |sum, &byte| sum << 8 | byte as u32);
        let found = crc32fast::hash(body);
        if found == expected {
            Ok(Reader { rest: &body[HEADER_BYTES..], number: 0 })
        } else {
            Err(WeightsError::Damaged { expected, found })
        }
    }

    /// Reads the next sections into their tables.
    ///
    /// # Errors
    /// A section has another name or another number of entries.
    pub(super) fn read(&mut self, sections: &mut [Section<'_>]) -> Result<(), WeightsError> {
        for (name, table) in sections {
            let entries = table.len();
            let mut section_header = [0; SECTION_HEADER_BYTES];
            section_header[..4].copy_from_slice(name);
            section_header[4..].copy_from_slice(&(entries as u32).to_le_bytes());
            let data = self.rest.strip_prefix(&section_header);
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

/// Writes a file to memory.
pub(super) struct Writer(Vec<u8>);

impl Writer {
    /// Starts a file with its header.
    pub(super) fn new(header: Header) -> Writer {
        let mut bytes = Vec::with_capacity(MAX_FILE);
        bytes.extend(MAGIC);
        for word in [header.version, header.game, header.sides] {
            bytes.extend(word.to_le_bytes());
        }
        Writer(bytes)
    }

    /// Appends sections.
    pub(super) fn add(&mut self, sections: &[Section<'_>]) {
        for (name, table) in sections {
            self.0.extend(name);
            self.0.extend((table.len() as u32).to_le_bytes());
            self.0.extend(table.iter().flat_map(|entry| entry.to_le_bytes()));
        }
    }

    /// Appends the checksum, and returns the bytes of the file.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.0.extend(crc32fast::hash(&self.0).to_le_bytes());
        self.0
    }
}
