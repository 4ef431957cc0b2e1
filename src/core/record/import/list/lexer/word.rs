//! Words, numbers and gaps at the beginning of a text.

use crate::types::Color;

/// What may stand between moves.
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
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '"'
                | '\''
                | '`'
                | '.'
                | '~'
                | '+'
                | '→'
                | '，'
                | '、'
                | '；'
                | '：'
                | '。'
        )
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

/// The colour of a word before a move.
pub(super) fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "b" | "x" | "黑" => Some(Color::Black),
        "white" | "w" | "o" | "白" => Some(Color::White),
        _ => None,
    }
}
