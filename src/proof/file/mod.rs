//! Files of winning trees. Tables come in two versions: `GORENPF1`, a log that
//! `goren prove` appends moves to, and `GORENPF2`, sorted so that the engine
//! looks moves up where they lie (`INFO proof`). Both hold, for every position
//! with the attacker to move that the tree knows, its key and a winning move.
//!
//! `src/proof/FORMAT.md` describes every byte, for readers of any language: who
//! changes the form changes that page.
//!
//! # Damage
//!
//! Of a damaged batch nothing is believed but its length, of a damaged slot
//! nothing at all: the positions in it are unknown, and the others remain. A
//! damaged block of the index can be worked out from the slots. Without its head
//! a file is useless. What is written as a whole, and not appended to, has its
//! moves sorted, in `GORENPF1` in batches of 65,536.

mod batch;
mod head;
mod journal;
mod lookup;
mod whole;

pub(crate) use head::MOST_HEAD;
pub use head::{Form, ProofError, head, is_packed, is_tree, read_head};
pub use journal::Journal;
pub use lookup::{ProofFile, TableFault};
pub use whole::{Damage, read, write};

/// The CRC-32 of bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}
