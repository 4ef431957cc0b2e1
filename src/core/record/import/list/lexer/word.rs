//! Words, numbers and gaps at the beginning of a text.

use crate::record::import::list::item::MoveLabel;
use crate::types::Color;

/// Whether a character other than a bracket may separate moves.
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

/// Returns the depth of brackets after a character; `None` if it is no bracket. A bracket may close
/// nothing, as in `1) h8`.
pub(super) fn depth_after(c: char, depth: usize) -> Option<usize> {
    match c {
        '(' | '[' | '{' => Some(depth + 1),
        ')' | ']' | '}' => Some(depth.saturating_sub(1)),
        _ => None,
    }
}

/// Returns the word at the beginning of a text, for a message.
pub(super) fn word(text: &str) -> &str {
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '[' | ']' | '{' | '}');
    &text[..text.find(is_end).unwrap_or(text.len())]
}

/// Counts the letters at the beginning of a text.
pub(super) fn letters_at(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_alphabetic).count()
}

/// Counts the digits at the beginning of a text.
pub(super) fn digits_at(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Makes a move number from its digits and the text after them. A number that overflows becomes
/// one that no move has.
pub(super) fn label(digits: &str, after: &str) -> MoveLabel {
    MoveLabel { value: digits.parse().unwrap_or(usize::MAX), has_dots: after.starts_with("..") }
}

/// Returns the colour that a word before a move names.
pub(super) fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "b" | "x" | "黑" | "●" | "⚫" => Some(Color::Black),
        "white" | "w" | "o" | "白" | "○" | "⚪" => Some(Color::White),
        _ => None,
    }
}
