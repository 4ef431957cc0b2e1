//! Pairs of letters: `hhii`, `hh ii`.

use super::word::{color, depth_after, digits_at, is_gap, label, letters_at};
use crate::record::import::list::item::{Item, Lexed, ListMove, MAX_ITEMS};

/// Reads moves of two letters, as in SGF; `None` if there are fewer than two moves, or other words.
pub(super) fn letters(text: &str) -> Option<Lexed<'_>> {
    let mut lexed = Lexed::default();
    let (mut at, mut depth, mut number) = (0, 0, None);
    let (mut mark, mut is_due) = (None, false);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (letters, digits) = (letters_at(rest), digits_at(rest));
        if is_gap(c) {
            at += c.len_utf8();
        } else if let Some(new_depth) = depth_after(c, depth) {
            depth = new_depth;
            at += 1;
        } else if digits > 0 && rest[digits..].starts_with(['.', ')', ':']) {
            number = Some(label(&rest[..digits], &rest[digits..]));
            at += digits;
        } else if letters % 2 == 1 && !is_due {
            (mark, is_due) = (Some(color(&rest[..letters])?), true);
            at += letters;
        } else if letters > 0 && letters % 2 == 0 && lexed.items.len() < MAX_ITEMS {
            let place = |byte: u8| usize::from(byte.to_ascii_lowercase() - b'a');
            let [column, row, ..] = rest.as_bytes() else { return None };
            let what = ListMove::Letters([place(*column), place(*row)]);
            let (word, label) = (&rest[..2], number.take());
            let third = None;
            lexed.items.push(Item { at, word, what, color: mark, label, depth, third });
            is_due = false;
            at += 2;
        } else {
            return None;
        }
    }
    Some(lexed).filter(|lexed| !is_due && lexed.items.len() > 1)
}
