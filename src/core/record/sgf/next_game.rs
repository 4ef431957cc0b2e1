//! Finds the beginning of the next game in a file.

use super::swallow::OF_ROOTS;
use super::tree::TreeReader;
use crate::record::text::CodePage;

/// Maximum number of bytes of a root that are read to check whether a game begins.
const MAX_OF_ROOT: usize = 1 << 12;

/// Finds the next game whose root has a property that only roots have; the number of bytes if
/// there is none.
pub(super) fn next_root(bytes: &[u8], mut from: usize) -> usize {
    while let Some(begin) = next_game(bytes, from) {
        let end = begin + MAX_OF_ROOT;
        let values = TreeReader::new(bytes, begin, CodePage::WINDOWS_1252).root(end);
        // Properties after a text that contains another game belong to that game.
        let mut own = values.iter().take_while(|value| !value.holds_moves());
        if own.any(|value| OF_ROOTS.contains(&value.name.as_str())) {
            return begin;
        }
        from = begin + 1;
    }
    bytes.len()
}

/// Finds where the next game begins: at a parenthesis followed by a node that is empty or begins
/// with a property. Emoticons such as `(;_;)` or `(;o;)` are no games.
pub(super) fn next_game(bytes: &[u8], from: usize) -> Option<usize> {
    let opens = |at: &usize| bytes[*at] == b'(';
    let mut found = (from..bytes.len()).filter(opens);
    found.find(|&at| {
        let mut rest = bytes[at + 1..].iter().filter(|byte| !byte.is_ascii_whitespace());
        if rest.next() != Some(&b';') {
            return false;
        }
        let mut rest = rest.copied().peekable();
        let mut name = Vec::new();
        while let Some(byte) = rest.next_if(u8::is_ascii_alphanumeric) {
            name.push(byte);
        }
        match rest.next() {
            Some(b'[') => !name.is_empty(),
            next if name.is_empty() => next.is_none_or(|byte| b";()".contains(&byte)),
            // A move without a value.
            _ => matches!(&name[..], b"B" | b"W"),
        }
    })
}
