//! Words, numbers and gaps at the beginning of a text.

use crate::record::import::list::item::MoveLabel;
use crate::types::Color;

/// Whether a character may stand between moves, besides brackets.
pub(super) fn is_gap(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            ',' | ';'
                | '_'
                | '-'
                | '|'
                | '/'
                | '>'
                | '<'
                | '&'
                | '='
                | ':'
                | '"'
                | '\''
                | '`'
                | '.'
                | '~'
                | '+'
                | '→'
                | '、'
                | '。'
        )
}

/// How deep in brackets a text is behind a sign; `None` if it is no bracket. A
/// bracket that closes nothing stands behind a number, as in `1) h8`.
pub(super) fn depth_behind(c: char, depth: usize) -> Option<usize> {
    match c {
        '(' | '[' | '{' => Some(depth + 1),
        ')' | ']' | '}' => Some(depth.saturating_sub(1)),
        _ => None,
    }
}

/// The word at the beginning of a text, for a message.
pub(super) fn word(text: &str) -> &str {
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '[' | ']' | '{' | '}');
    &text[..text.find(is_end).unwrap_or(text.len())]
}

/// How many letters a text begins with.
pub(super) fn letters_at(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_alphabetic).count()
}

/// How many digits a text begins with.
pub(super) fn digits_at(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The number of a move by its digits, and the rest of the text. One that is
/// too large for a number is none of a move.
pub(super) fn label(digits: &str, after: &str) -> MoveLabel {
    MoveLabel { value: digits.parse().unwrap_or(usize::MAX), has_dots: after.starts_with("..") }
}

/// The colour of a word before a move.
pub(super) fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "b" | "x" | "黑" | "●" | "⚫" => Some(Color::Black),
        "white" | "w" | "o" | "白" | "○" | "⚪" => Some(Color::White),
        _ => None,
    }
}
