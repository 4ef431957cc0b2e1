//! Where the next game of a file begins.

use super::swallow::OF_ROOTS;
use super::tree::TreeReader;
use crate::record::text::CodePage;

/// Bytes of a root that are looked at where a game may begin.
const MOST_OF_ROOT: usize = 1 << 12;

/// Where a game begins with a property that only roots have; the number of bytes if none
/// does.
pub(super) fn next_root(bytes: &[u8], mut from: usize) -> usize {
    while let Some(begin) = next_game(bytes, from) {
        let end = begin + MOST_OF_ROOT;
        let values = TreeReader::new(bytes, begin, CodePage::WINDOWS_1252).root(end);
        // What stands behind a text that holds another game is of that one.
        let mut own = values.iter().take_while(|value| !value.holds_moves());
        if own.any(|value| OF_ROOTS.contains(&value.name.as_str())) {
            return begin;
        }
        from = begin + 1;
    }
    bytes.len()
}

/// Where the next game begins: at a parenthesis with a node behind it, which has a property
/// or is empty. In a `(;_;)` or `(;o;)` that somebody writes into another text there is none.
pub(super) fn next_game(bytes: &[u8], from: usize) -> Option<usize> {
    let opens = |at: &usize| bytes[*at] == b'(';
    let mut found = (from..bytes.len()).filter(opens);
    found.find(|&at| {
        let mut behind = bytes[at + 1..].iter().filter(|byte| !byte.is_ascii_whitespace());
        if behind.next() != Some(&b';') {
            return false;
        }
        let mut behind = behind.copied().peekable();
        let mut name = Vec::new();
        while let Some(byte) = behind.next_if(u8::is_ascii_alphanumeric) {
            name.push(byte);
        }
        match behind.next() {
            Some(b'[') => !name.is_empty(),
            next if name.is_empty() => next.is_none_or(|byte| b";()".contains(&byte)),
            // A move whose value is missing.
            _ => matches!(&name[..], b"B" | b"W"),
        }
    })
}
