//! Sessions as targets: transcripts of any bytes, and files of tables.

use super::{Temp, session};

/// A session whose first byte says how the client waits, the rest what it
/// sends.
pub fn transcript(input: &[u8]) {
    let (&pauses, bytes) = input.split_first().unwrap_or((&0, &[]));
    let bytes = [b"START 7\n", bytes].concat();
    match pauses {
        0..128 => session::patient(&bytes),
        _ => session::impatient(&bytes, |i| pauses >> (i % 7) & 1 != 0),
    }
}

/// A file of a transposition table, as it is and with a right head, which a
/// session loads and then searches by.
pub fn hash(input: &[u8]) {
    load(input);
    let entries = &input[..input.len() / 16 * 16];
    let count = (entries.len() as u64 / 16).to_le_bytes();
    let sum = crc32fast::hash(&[&count, entries].concat()).to_le_bytes();
    // Version 1, freestyle, 7 columns and rows.
    let head = [b"GORENTT\x1a", &[1, 0, 7, 7][..], &sum, &count].concat();
    load(&[&head, entries].concat());
}

fn load(file: &[u8]) {
    let file = Temp::new("table", file);
    let path = file.path().display();
    session::patient(format!("START 7\nyxhashload\n{path}\nTURN 3,3\nTURN 4,4\n").as_bytes());
}
