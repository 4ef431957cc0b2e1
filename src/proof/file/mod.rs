//! Files of winning trees. Tables come in two versions: `GORENPF1`, a log that
//! `goren prove` appends moves to, and `GORENPF2`, sorted so that the engine looks moves up
//! in the file (`INFO proof`). Both store the key and a winning move of every position of the
//! tree in which the attacker is to move.
//!
//! `src/proof/FORMAT.md` describes every byte, for readers in any language: update it with
//! every change of the format.
//!
//! # Damage
//!
//! Readers trust only the length of a damaged batch and nothing of a damaged slot: the
//! positions in it are unknown, all others remain. A damaged block of the index is rebuilt
//! from the slots. A file without its head is useless. A file that was written as a whole, and
//! not appended to, has its moves sorted, in `GORENPF1` in batches of 65,536.

mod batch;
mod head;
mod journal;
mod lookup;
mod whole;

pub(crate) use head::MAX_HEAD;
pub use head::{Form, ProofError, head, is_packed, is_tree, read_head};
pub use journal::Journal;
pub use lookup::{ProofFile, TableFault};
pub use whole::{Damage, read, write};

/// Returns the CRC-32 of bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}
