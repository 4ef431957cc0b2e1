//! Splits texts into lines.

/// Splits a text into its lines, numbered from 1. Lines end in a line feed, or in a carriage
/// return if the text has no line feed.
pub(in crate::record) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let unterminated = move |line| str::strip_suffix(line, end).unwrap_or(line);
    let unterminated = move |line| str::trim_end_matches(unterminated(line), '\r');
    (1..).zip(text.split_inclusive(end).map(unterminated))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_all_systems_are_recognised() {
        for text in ["a\n\nb", "a\r\n\r\nb\r\n", "a\r\rb\r", "a\n\r\nb\n"] {
            assert_eq!(lines(text).collect::<Vec<_>>(), [(1, "a"), (2, ""), (3, "b")], "{text:?}");
        }
        assert_eq!(lines("").count(), 0);
    }
}
