//! The bytes of a file, record by record: where a record ends, and where the next
//! one begins after damage.

use std::io::{self, Read};
use std::ops::Range;

use super::key_bytes::{KeyFault, is_readable};

/// The key of the record about the file itself, which has no position.
pub(super) const NO_POSITION: [u8; 3] = [0; 3];
/// Maximum size of an unpacked file: a larger one does not fit in memory and must be malicious.
const MAX_BYTES: u64 = 8 << 30;
/// Maximum length of a record with its two length fields.
const MAX_RECORD: usize = 2 * (2 + u16::MAX as usize);
/// Number of plausible records in a row that make a place count as the beginning
/// of a record.
const MIN_CHAIN: usize = 3;
/// Length of a record from which on it is suspicious: few records have so much
/// text, and a wrong length loses all records that it covers.
const SUSPICIOUS_LENGTH: usize = 100;

/// A fault in a file.
#[derive(Debug, thiserror::Error)]
pub enum SourceFault {
    /// The file cannot be read or unpacked further.
    #[error("cannot be read further: {0}")]
    Io(#[from] io::Error),
    /// The lengths of a record exceed the file.
    #[error("a record goes beyond the end of the file")]
    Truncated,
    /// A record so long that it covers others.
    #[error("a record of {0} bytes covers others")]
    Length(usize),
    /// A record with an invalid key.
    #[error(transparent)]
    Key(#[from] KeyFault),
    /// The file has fewer or more records than its header states.
    #[error("the header says {stated} records, {found} were found")]
    Count {
        /// Number of records that the header of the file states.
        stated: u32,
        /// Number of records found.
        found: u64,
    },
    /// The unpacked file is larger than any memory.
    #[error("more than {} GiB unpacked", MAX_BYTES >> 30)]
    TooLong,
}

/// A record as bytes.
pub(super) struct Raw<'a> {
    pub(super) key: &'a [u8],
    pub(super) record: &'a [u8],
    /// Length of the whole record, with both length fields.
    pub(super) length: usize,
}

/// The record at the beginning of the bytes, if it ends within them.
pub(super) fn first_raw(bytes: &[u8]) -> Option<Raw<'_>> {
    let (key, rest) = length_prefixed(bytes)?;
    if key.is_empty() {
        // A record with an empty key consists of the two length bytes alone.
        return Some(Raw { key, record: &[], length: 2 });
    }
    let (record, rest) = length_prefixed(rest)?;
    Some(Raw { key, record, length: bytes.len() - rest.len() })
}

fn length_prefixed(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))
}

/// Whether a record is plausible: known label, full length, readable key.
fn is_plausible(raw: &Raw) -> bool {
    let label = raw.record.first().map_or(0, |&byte| byte as i8);
    let is_known = matches!(label, -1 | 0 | 32..=126);
    let is_complete = raw.record.is_empty() || raw.record.len() >= 5;
    is_known && is_complete && (raw.key == NO_POSITION || is_readable(raw.key))
}

/// Whether bytes begin with a chain of plausible records, which may be shorter at the end of
/// the file. `last`: the bytes reach to that end.
fn begins_chain(mut bytes: &[u8], last: bool) -> bool {
    for _ in 0..MIN_CHAIN {
        match first_raw(bytes) {
            Some(raw) if is_plausible(&raw) => bytes = &bytes[raw.length..],
            _ => return false,
        }
        if bytes.is_empty() {
            return last;
        }
    }
    true
}

/// The rest of a file, partly in a buffer.
pub(super) struct ByteSource<R> {
    input: R,
    buffer: Vec<u8>,
    start: usize,
    pub(super) offset: u64,
    ended: bool,
    pub(super) error: Option<SourceFault>,
    /// Range of offsets already scanned for records hidden inside a long record, in which no
    /// record begins. Suspicious records may overlap; this avoids scanning the same bytes
    /// again.
    scanned: Range<u64>,
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
            scanned: 0..0,
        }
    }

    /// The next bytes, at least as many as the longest record has; fewer only at the
    /// end.
    pub(super) fn peek(&mut self) -> &[u8] {
        if self.buffer.len() - self.start < MAX_RECORD && !self.ended {
            self.buffer.drain(..self.start);
            self.start = 0;
            // A chain that the end of the buffer truncated may be complete now.
            self.scanned = 0..0;
            let room = 4 * MAX_RECORD - self.buffer.len();
            let read = self.input.by_ref().take(room as u64).read_to_end(&mut self.buffer);
            match read {
                Ok(read) => self.ended = read < room,
                Err(error) => {
                    self.ended = true;
                    self.error = Some(error.into());
                }
            }
            if self.offset + self.buffer.len() as u64 > MAX_BYTES {
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

    /// Whether other records begin within the next record, which has `length` bytes in all and
    /// `record` bytes without its key: then its length is wrong, as no text looks like records.
    pub(super) fn covers_others(&mut self, length: usize, record: usize) -> bool {
        if record < SUSPICIOUS_LENGTH {
            return false;
        }
        let bytes = &self.buffer[self.start..];
        let begin = self.offset + (length - record) as u64;
        if !(self.scanned.start..=self.scanned.end).contains(&begin) {
            self.scanned = begin..begin;
        }
        let start = (self.scanned.end - self.offset) as usize;
        let found = (start..length).find(|&at| begins_chain(&bytes[at..], self.ended));
        let end = self.offset + found.unwrap_or(length) as u64;
        self.scanned.end = self.scanned.end.max(end);
        found.is_some()
    }

    /// Skips to the next place after a fault where a record seems to begin, or to the
    /// end. Returns the number of bytes skipped. After an invalid key, the lengths of the
    /// record may still be right.
    pub(super) fn resume(&mut self, fault: &SourceFault) -> u64 {
        let begin = self.offset;
        let length = first_raw(self.peek()).map(|raw| raw.length);
        let is_trusted =
            |length: &usize| *length < SUSPICIOUS_LENGTH && matches!(fault, SourceFault::Key(_));
        if let Some(length) = length.filter(is_trusted) {
            let ended = self.ended;
            let rest = &self.peek()[length..];
            if rest.is_empty() && ended || begins_chain(rest, ended) {
                self.skip(length);
                return self.offset - begin;
            }
        }
        loop {
            let len = self.peek().len();
            let ended = self.ended;
            // In the second half of the buffer a chain of records may be cut off.
            let searched = if ended { len } else { len / 2 };
            let bytes = self.peek();
            if let Some(at) = (1..searched).find(|&at| begins_chain(&bytes[at..], ended)) {
                self.skip(at);
                return self.offset - begin;
            }
            self.skip(searched.max(1).min(len));
            if self.peek().is_empty() {
                return self.offset - begin;
            }
        }
    }
}
