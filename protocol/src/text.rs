//! Limits and cleaning of text that goes onto a line.

/// Maximum length in bytes of an input line that is read whole. Only the first word and the last
/// of a longer line are read, so that work and memory stay bounded.
pub const MAX_LINE: usize = 64 * 1024;

/// Maximum length in bytes of a line of free text in a reply: longer text is cut between two
/// characters, longer variations between two moves.
///
/// Piskvork keeps the first 7997 bytes of a line; readers with smaller buffers exist.
pub const MAX_TEXT: usize = 1000;

/// Maximum length in bytes of a quotation from a received line.
const MAX_SHOWN: usize = 64;

/// Whether `c` separates words: any white space, any control character.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Whether some reader may take `c` for the end of a line, or choke on it.
///
/// U+2028 and U+2029 are line ends to several standard libraries though not control characters.
fn breaks_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The longest prefix of `text` that has at most `max` bytes and ends between two characters.
pub(crate) fn cut(text: &str, max: usize) -> &str {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// `text` with everything that could break a line replaced by a blank.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if breaks_line(c) { ' ' } else { c }).collect()
}

/// `text` as it is printed between quotes: a backslash before quotes and backslashes, line ends as
/// LF, tabs, no other control characters.
pub(crate) fn quotable(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\\', "\\\\").replace('"', "\\\"");
    text.chars()
        .map(|c| if !matches!(c, '\n' | '\t') && breaks_line(c) { ' ' } else { c })
        .collect()
}

/// `text` as one trimmed line of at most `max` bytes; `-` when nothing is left.
///
/// Never empty: Piskvork takes a bare `MESSAGE` for the answer to its question, and the engine
/// loses the game.
pub(crate) fn never_empty(text: &str, max: usize) -> String {
    let line = one_line(text);
    let line = cut(line.trim(), max).trim_end();
    if line.is_empty() { "-".to_owned() } else { line.to_owned() }
}

/// A short ASCII quotation of a received line, safe to print within a reply.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim_matches(is_blank);
    let head = cut(text, MAX_SHOWN);
    let mut quoted: String =
        head.chars().map(|c| if c == ' ' || c.is_ascii_graphic() { c } else { '?' }).collect();
    if head.len() < text.len() {
        quoted.push_str("...");
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_keeps_its_lines_and_tabs() {
        assert_eq!(quotable("a\tb\r\nc\u{7}\"\\"), "a\tb\nc \\\"\\\\");
    }

    #[test]
    fn a_quotation_is_short_and_printable() {
        assert_eq!(shown("  a\tb\u{7}\u{2028}é \r\n"), "a?b???");
        assert_eq!(shown(&"y".repeat(100)), format!("{}...", "y".repeat(64)));
    }

    #[test]
    fn cutting_respects_characters() {
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(cut("aé", 3), "aé");
    }
}
