//! Recognises texts that have swallowed the nodes after them because their closing bracket is
//! missing or taken for half of a character, and games without their first characters.

/// Properties that only the first node of a game has.
pub(super) const OF_ROOTS: [&str; 12] =
    ["GM", "FF", "SZ", "CA", "AP", "ST", "PB", "PW", "EV", "DT", "GN", "RU"];

/// One letter more than the longest name in [`OF_ROOTS`].
const MAX_LETTERS: usize = 3;

/// Whether a text, with its escapes unresolved, contains what looks like a node with a move, or
/// like the beginning of a game. If a bracket is missing, the text ends with the first value that
/// it swallows; if a person quotes SGF, the brackets of the value are escaped and belong to the
/// text.
pub(super) fn holds_moves(written: &str) -> bool {
    let mut nodes = written.rmatch_indices(';').map(|(at, _)| (&written[..at], &written[at + 1..]));
    let last = nodes.find_map(|(before, rest)| {
        let rest = rest.trim_start();
        let letters = rest.bytes().take(MAX_LETTERS).take_while(u8::is_ascii_uppercase).count();
        let (name, rest) = rest.split_at(letters);
        let value = rest.trim_start().strip_prefix('[')?;
        let is_root = OF_ROOTS.contains(&name) && before.trim_end().ends_with('(');
        (matches!(name, "B" | "W") || is_root).then_some(value)
    });
    last.is_some_and(|value| !value.contains(']'))
}

/// Returns where bytes begin like a game whose first parenthesis or semicolon is missing: with a
/// property that only roots have.
pub(super) fn headless(bytes: &[u8]) -> Option<usize> {
    let skipped = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b';');
    let start = bytes.iter().position(|byte| !skipped(byte))?;
    let name = OF_ROOTS.iter().find(|name| bytes[start..].starts_with(name.as_bytes()))?;
    let mut rest = bytes[start + name.len()..].iter();
    let has_value = rest.find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    (has_value && rest.any(|&byte| byte == b']')).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::linear::assert_linear;

    #[test]
    fn quoted_sgf_is_distinguished_from_swallowed_nodes() {
        for (text, swallows) in [
            ("gg\n(;GM[4", true),
            ("abc ;W[gg", true),
            ("abc\\]; W [ii", true),
            ("better was (;W[gg\\]) here", false),
            ("see (;GM[4\\]FF[4\\];B[hh\\])", false),
            ("see (;GM[4\\]) and\n(;FF[4", true),
            ("a; b [c", false),
            ("; B", false),
            (";GM[4", false),
        ] {
            assert_eq!(holds_moves(text), swallows, "{text:?}");
        }
    }

    #[test]
    fn long_texts_are_searched_in_linear_time() {
        assert_linear(|| assert!(!holds_moves(&";".repeat(1 << 20))));
    }

    #[test]
    fn games_without_their_first_characters_are_recognised() {
        for (text, at) in [
            ("FF[4]GM[4];B[hh])", Some(0)),
            (" (FF [4];B[hh])", Some(2)),
            (";GM[4]", Some(1)),
            ("B[hh]", None),
            ("GM[4", None),
            ("GMO[4]", None),
            ("(((", None),
            ("h8i9", None),
        ] {
            assert_eq!(headless(text.as_bytes()), at, "{text}");
        }
    }
}
