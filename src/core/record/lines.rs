//! The lines of a text.

/// The lines of a text with their numbers, from 1. They end in a line feed, or in a
/// carriage return where there is no line feed.
pub(in crate::record) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let bare = move |line| str::strip_suffix(line, end).unwrap_or(line);
    let bare = move |line| str::trim_end_matches(bare(line), '\r');
    (1..).zip(text.split_inclusive(end).map(bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_systems_end_them() {
        for text in ["a\n\nb", "a\r\n\r\nb\r\n", "a\r\rb\r", "a\n\r\nb\n"] {
            assert_eq!(lines(text).collect::<Vec<_>>(), [(1, "a"), (2, ""), (3, "b")], "{text:?}");
        }
        assert_eq!(lines("").count(), 0);
    }
}
