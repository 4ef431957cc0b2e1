//! Texts that hold what should stand behind them: their closing bracket is missing, or is
//! taken for half of a character.

/// Properties that only the first node of a game has.
pub(super) const OF_ROOTS: [&str; 12] =
    ["GM", "FF", "SZ", "CA", "AP", "ST", "PB", "PW", "EV", "DT", "GN", "RU"];

/// Letters of the longest of them, and one more.
const MOST_LETTERS: usize = 3;

/// Whether a text, its escapes as they are written, holds what looks like a node with a
/// move, or like the beginning of a game. Where a bracket is missing, the text ends with
/// the first value that it holds; where somebody quotes SGF, the brackets of that value
/// are escaped and belong to the text.
pub(super) fn holds_moves(written: &str) -> bool {
    let mut nodes = written.rmatch_indices(';').map(|(at, _)| (&written[..at], &written[at + 1..]));
    let last = nodes.find_map(|(before, rest)| {
        let rest = rest.trim_start();
        let letters = rest.bytes().take(MOST_LETTERS).take_while(u8::is_ascii_uppercase).count();
        let (name, behind) = rest.split_at(letters);
        let value = behind.trim_start().strip_prefix('[')?;
        let is_root = OF_ROOTS.contains(&name) && before.trim_end().ends_with('(');
        (matches!(name, "B" | "W") || is_root).then_some(value)
    });
    last.is_some_and(|value| !value.contains(']'))
}

/// Where bytes begin like a game of which the first parenthesis or semicolon is missing:
/// with a property that only roots have.
pub(super) fn headless(bytes: &[u8]) -> Option<usize> {
    let skipped = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b';');
    let start = bytes.iter().position(|byte| !skipped(byte))?;
    let name = OF_ROOTS.iter().find(|name| bytes[start..].starts_with(name.as_bytes()))?;
    let mut behind = bytes[start + name.len()..].iter();
    let value = behind.find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    (value && behind.any(|&byte| byte == b']')).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_told_from_what_a_missing_bracket_swallows() {
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
        holds_moves(&";".repeat(1 << 20));
    }

    #[test]
    fn games_without_their_first_signs_are_seen() {
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
