//! Stamp of a file, its length and time, which shows whether it is still the file that was
//! read.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Length and time of a file when it was last read or written. The default value stands for
/// no file or an empty file.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Stamp {
    length: u64,
    /// Nanoseconds since 1970; 0 if the system provides no time.
    time: u64,
}

impl Stamp {
    /// The stamp of a file in its current state.
    pub fn of(path: &Path) -> Stamp {
        let about = fs::metadata(path).ok().filter(|about| about.len() > 0);
        let Some(about) = about else { return Stamp::default() };
        let time = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let time = time.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        Stamp { length: about.len(), time }
    }

    /// Whether there was a file that was not empty.
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

    /// Reads a stamp from bytes.
    pub(super) fn read(bytes: [u8; 16]) -> Stamp {
        let [l0, l1, l2, l3, l4, l5, l6, l7, t0, t1, t2, t3, t4, t5, t6, t7] = bytes;
        Stamp {
            length: u64::from_le_bytes([l0, l1, l2, l3, l4, l5, l6, l7]),
            time: u64::from_le_bytes([t0, t1, t2, t3, t4, t5, t6, t7]),
        }
    }
}
