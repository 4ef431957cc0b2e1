//! Files of winning trees. Tables come in two versions: `GORENPF1`, a log that
//! `goren prove` appends moves to, and `GORENPF2`, sorted so that the engine
//! looks moves up where they lie (`INFO proof`). Both hold, for every position
//! with the attacker to move that the tree knows, its key and a winning move.
//!
//! All numbers are unsigned and little endian, checksums are CRC-32 (as in zip
//! and PNG), columns (x) count from the left and rows (y) from the top, from 0.
//! Colours are 0 for Black and 1 for White.
//!
//! # Head of both versions
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GORENPF1` or `GORENPF2` |
//! | 4 | length of the body, at most 8,176 |
//! | 4 | checksum of the body |
//!
//! The body:
//!
//! | bytes | what |
//! |---|---|
//! | 1, then that many | name of the rule: `freestyle`, `standard`, `renju`, `caro`, ... |
//! | 1, 1 | width and height of the board |
//! | 1 | colour of the attacker |
//! | 1 | colour to move in the position that the tree is about (its root) |
//! | 2, then three times that many | stones of the root: x, y, colour |
//! | 4 | `GORENPF2` only: number of slots S |
//! | 4 | `GORENPF2` only: bytes of the last slot; 0 if there is none |
//!
//! What follows in the body is ignored. Behind the head comes a log
//! (`GORENPF1`), or an index, slots and a log (`GORENPF2`).
//!
//! # Index
//!
//! For each slot, in order, the first key in it, 8 bytes. The keys come in
//! blocks of 512, the last one shorter, and before each block stands its
//! checksum, 4 bytes. A damaged block can be worked out from the slots.
//!
//! # Slots
//!
//! Slot I (from 0) begins 2,048 * I bytes behind the index. It holds one batch
//! and is filled up with zeros, but for the last slot, which ends with its
//! batch. Keys ascend from batch to batch, and all moves of a key are in one.
//!
//! # Log
//!
//! Batches one behind the other to the end of the file. Keys ascend within a
//! batch only. A `GORENPF1` file written as a whole is one sorted sequence of
//! batches of 65,536 moves, the last one shorter.
//!
//! # Batch
//!
//! | bytes | what |
//! |---|---|
//! | 4 | number of moves |
//! | 4 | length of the body |
//! | 4 | checksum of the body |
//!
//! The body has for each move the difference between its key and the key
//! before it in the batch (the first: the key itself), and its cell. The
//! difference is a varint: seven bits a byte, the lowest first, the top bit set
//! in all bytes but the last. A cell is the number width * y + x: a varint in
//! `GORENPF1`; in `GORENPF2` one byte on boards of at most 256 cells, two bytes
//! on larger ones.
//!
//! # Keys and cells
//!
//! A position is known by its stones only; the attacker is to move. All its
//! images share a key. The images of a square board are numbered 0 to 7: bit 0
//! mirrors x, bit 1 mirrors y, bit 2 then swaps x and y; other boards have the
//! images 0 to 3. In an image, a stone of colour c on (x, y) is worth
//! `mix(n) << 64 | mix(mix(n))` with `n = 1024 * c + 32 * y + x + 1`, where `mix`
//! is, modulo 2^64:
//!
//! ```text
//! z = (n + 1) * 0x9e3779b97f4a7c15
//! z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
//! z = (z ^ (z >> 27)) * 0x94d049bb133111eb
//! mix(n) = z ^ (z >> 31)
//! ```
//!
//! The number of an image is the exclusive or of its stones. The key is the
//! upper 56 bits of the least number, and the cell of the move is given in the
//! image that has it (the first of several).
//!
//! # Damage
//!
//! Every byte is under a checksum or must be zero. Of a damaged batch nothing is
//! believed but its length, of a damaged slot nothing at all: the positions in
//! it are unknown, and the others remain. Without its head a file is useless.

mod batch;
mod head;
mod journal;
mod lookup;
mod whole;

pub use head::{Form, ProofError, head, is_packed, read_head};
pub use journal::Journal;
pub use lookup::{ProofFile, TableFault};
pub use whole::{Damage, read, write};
