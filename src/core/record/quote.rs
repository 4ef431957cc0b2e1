//! Prepares texts of files for titles and messages.

/// Replaces control characters by blanks and trims the text.
pub(in crate::record) fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ").trim().to_string()
}

/// Returns at most 40 characters of a text for a message; a file may contain anything.
pub(in crate::record) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
