//! The bytes of a file, record by record: where one ends, and where the next
//! begins after damage.

use std::io::{self, Read};
use std::ops::Range;

use super::key_bytes::{KeyFault, is_readable};

/// The key of the record that is about the file, without a position.
pub(super) const NO_POSITION: [u8; 3] = [0; 3];
/// Largest unpacked file; more than memory holds is surely a trap.
const MOST_BYTES: u64 = 8 << 30;
/// Bytes of the longest record with its two lengths.
const LONGEST: usize = 2 * (2 + u16::MAX as usize);
/// Records in a row that must look right before a place is believed to be the
/// beginning of a record.
const BELIEVED: usize = 3;
/// Bytes of a record from which on its length is doubted: few have so much
/// text, and a wrong length swallows all that it covers.
const DOUBTED: usize = 100;

/// A fault at a place of a file.
#[derive(Debug, thiserror::Error)]
pub enum SourceFault {
    /// The file cannot be read or unpacked further.
    #[error("cannot be read further: {0}")]
    Io(#[from] io::Error),
    /// What the lengths say of a record is more than there is.
    #[error("a record goes beyond the end of the file")]
    Truncated,
    /// A record too long to be one.
    #[error("a record of {0} bytes covers others")]
    Length(usize),
    /// A record with an invalid key.
    #[error(transparent)]
    Key(#[from] KeyFault),
    /// It has fewer or more records than it says.
    #[error("the header says {reported} records, {found} were found")]
    Count {
        /// Number of records that the header of the file states.
        reported: u32,
        /// Number of records found.
        found: u64,
    },
    /// More than any memory holds.
    #[error("more than {} GiB unpacked", MOST_BYTES >> 30)]
    TooLong,
}

/// A record as bytes.
pub(super) struct Raw<'a> {
    pub(super) key: &'a [u8],
    pub(super) record: &'a [u8],
    /// With both lengths.
    pub(super) length: usize,
}

/// The record at the beginning of the bytes, if it ends within them.
pub(super) fn raw(bytes: &[u8]) -> Option<Raw<'_>> {
    let (key, rest) = counted(bytes)?;
    if key.is_empty() {
        // A record with an empty key consists of the two length bytes alone.
        return Some(Raw { key, record: &[], length: 2 });
    }
    let (record, rest) = counted(rest)?;
    Some(Raw { key, record, length: bytes.len() - rest.len() })
}

fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))
}

/// Whether a record could well be one.
fn plausible(raw: &Raw) -> bool {
    let label = raw.record.first().map_or(0, |&byte| byte as i8);
    let known = matches!(label, -1 | 0 | 32..=126);
    let whole = raw.record.is_empty() || raw.record.len() >= 5;
    known && whole && (raw.key == NO_POSITION || is_readable(raw.key))
}

/// Whether bytes begin with records, up to the end of the file if they are its
/// last.
fn believable(mut bytes: &[u8], last: bool) -> bool {
    for _ in 0..BELIEVED {
        match raw(bytes) {
            Some(raw) if plausible(&raw) => bytes = &bytes[raw.length..],
            _ => return false,
        }
        if bytes.is_empty() {
            return last;
        }
    }
    true
}

/// Bytes yet to be read, some of them in a buffer.
pub(super) struct ByteSource<R> {
    input: R,
    buffer: Vec<u8>,
    start: usize,
    pub(super) offset: u64,
    ended: bool,
    pub(super) error: Option<SourceFault>,
    /// Range of the file, in the units of `offset`, already scanned for records hidden inside
    /// a long record, in which none begins. Suspicious records may overlap; this avoids
    /// scanning the same bytes again.
    barren: Range<u64>,
}

impl<R: Read> ByteSource<R> {
    pub(super) fn new(input: R) -> ByteSource<R> {
        ByteSource {
            input,
            buffer: Vec::new(),
            start: 0,
            offset: 0,
            ended: false,
            error: None,
            barren: 0..0,
        }
    }

    /// The next bytes, as many as the longest record has; fewer only at the
    /// end.
    pub(super) fn peek(&mut self) -> &[u8] {
        if self.buffer.len() - self.start < LONGEST && !self.ended {
            self.buffer.drain(..self.start);
            self.start = 0;
            // What was cut short may look like records now.
            self.barren = 0..0;
            let room = 4 * LONGEST - self.buffer.len();
            let read = self.input.by_ref().take(room as u64).read_to_end(&mut self.buffer);
            match read {
                Ok(read) => self.ended = read < room,
                Err(error) => {
                    self.ended = true;
                    self.error = Some(error.into());
                }
            }
            if self.offset + self.buffer.len() as u64 > MOST_BYTES {
                self.ended = true;
                self.error = Some(SourceFault::TooLong);
            }
        }
        &self.buffer[self.start..]
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// Whether the next record, with its two lengths so long, has others
    /// within: then its length is wrong, as no text looks like that.
    pub(super) fn swallows(&mut self, length: usize, record: usize) -> bool {
        if record < DOUBTED {
            return false;
        }
        let bytes = &self.buffer[self.start..];
        let begin = self.offset + (length - record) as u64;
        if !(self.barren.start..=self.barren.end).contains(&begin) {
            self.barren = begin..begin;
        }
        let known = (self.barren.end - self.offset) as usize;
        let found = (known..length).find(|&at| believable(&bytes[at..], self.ended));
        let end = self.offset + found.unwrap_or(length) as u64;
        self.barren.end = self.barren.end.max(end);
        found.is_some()
    }

    /// After a fault: goes to where a record seems to begin, or to the end;
    /// the bytes left out. The lengths may be right though the key is not, if
    /// they are not the fault itself.
    pub(super) fn resume(&mut self, fault: &SourceFault) -> u64 {
        let begin = self.offset;
        let framed = raw(self.peek()).map(|raw| raw.length);
        let right = |length: &usize| *length < DOUBTED && matches!(fault, SourceFault::Key(_));
        let framed = framed.filter(right);
        if let Some(length) = framed {
            let ended = self.ended;
            let rest = &self.peek()[length..];
            if rest.is_empty() && ended || believable(rest, ended) {
                self.skip(length);
                return self.offset - begin;
            }
        }
        loop {
            let len = self.peek().len();
            let ended = self.ended;
            // In the second half of the buffer a chain of records may be cut off.
            let looked = if ended { len } else { len / 2 };
            let bytes = self.peek();
            if let Some(at) = (1..looked).find(|&at| believable(&bytes[at..], ended)) {
                self.skip(at);
                return self.offset - begin;
            }
            self.skip(looked.max(1).min(len));
            if self.peek().is_empty() {
                return self.offset - begin;
            }
        }
    }
}
