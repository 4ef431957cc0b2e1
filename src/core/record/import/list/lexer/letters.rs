//! Pairs of letters: `hhii`, `hh ii`.

use super::word::{color, digits_at, is_gap, letters_at};
use crate::record::import::list::item::{Item, Lexed, MOST_ITEMS, What};

/// Two letters for each move, as in SGF; at least two moves.
pub(super) fn letters(text: &str) -> Option<Lexed<'_>> {
    let mut lexed = Lexed::default();
    let (mut at, mut mark) = (0, None);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (letters, digits) = (letters_at(rest), digits_at(rest));
        if is_gap(c) {
            at += c.len_utf8();
        } else if digits > 0 && rest[digits..].starts_with(['.', ')', ':']) {
            at += digits;
        } else if letters % 2 == 1 && mark.is_none() {
            mark = Some(color(&rest[..letters])?);
            at += letters;
        } else if letters > 0 && letters % 2 == 0 && lexed.items.len() < MOST_ITEMS {
            let place = |byte: u8| usize::from(byte.to_ascii_lowercase() - b'a');
            let [column, row, ..] = rest.as_bytes() else { return None };
            let what = What::Letters([place(*column), place(*row)]);
            lexed.items.push(Item { at, word: &rest[..2], what, color: mark.take() });
            at += 2;
        } else {
            return None;
        }
    }
    Some(lexed).filter(|lexed| mark.is_none() && lexed.items.len() > 1)
}
