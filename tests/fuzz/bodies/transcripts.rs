//! Sessions as a target: transcripts of any bytes.

use super::session;

/// A session: the first byte says how the client waits, the rest is what it
/// sends.
pub fn transcript(input: &[u8]) -> bool {
    let (&pauses, bytes) = input.split_first().unwrap_or((&0, &[]));
    let bytes = [b"START 7\n", bytes].concat();
    match pauses {
        0..128 => session::patient(&bytes),
        _ => session::impatient(&bytes, |i| pauses >> (i % 7) & 1 != 0),
    }
}
