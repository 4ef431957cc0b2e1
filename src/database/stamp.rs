//! What tells whether a file is still the one that was read: its length and its time.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// A file as it was when it was read or written last. The default one: there was none, or an
/// empty one.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Stamp {
    length: u64,
    /// Nanoseconds since 1970; 0 where the system tells no time.
    time: u64,
}

impl Stamp {
    /// The stamp of a file as it is now.
    pub fn of(path: &Path) -> Stamp {
        let about = fs::metadata(path).ok().filter(|about| about.len() > 0);
        let Some(about) = about else { return Stamp::default() };
        let time = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let time = time.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        Stamp { length: about.len(), time }
    }

    /// Whether there was a file, and not an empty one.
    pub(super) fn is_of_file(self) -> bool {
        self.length > 0
    }

    /// The stamp as bytes.
    pub(super) fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..].copy_from_slice(&self.time.to_le_bytes());
        bytes
    }

    /// The stamp that bytes stand for.
    pub(super) fn read(bytes: [u8; 16]) -> Stamp {
        let [l0, l1, l2, l3, l4, l5, l6, l7, t0, t1, t2, t3, t4, t5, t6, t7] = bytes;
        Stamp {
            length: u64::from_le_bytes([l0, l1, l2, l3, l4, l5, l6, l7]),
            time: u64::from_le_bytes([t0, t1, t2, t3, t4, t5, t6, t7]),
        }
    }
}
