//! Texts of files as titles and messages quote them.

/// A text without control characters, which become blanks, and without blanks
/// at its ends.
pub(in crate::record) fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ").trim().to_string()
}

/// The beginning of a text that a message quotes: files may be of any kind.
pub(in crate::record) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
