//! Kinds of lines of a drawn board: rows, and the lines around them.

use super::signs::{SignClass, class, narrow};
use crate::types::{Color, MIN_SIDE};

/// The kind of a line of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LineKind {
    /// A frame, grid lines between the points, or a blank line.
    Ornament,
    /// Adjacent hyphens only: a frame, or a row without stones.
    Hyphens,
    /// Letters or numbers of the columns; whether I is left out.
    Head { without_i: bool },
    /// A legend: the colours of signs.
    Legend(Vec<(char, Color)>),
    /// Possibly a row of the board.
    Row,
    /// Other text.
    Text,
}

/// Whether a character is a vertical line.
pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║' | '丨')
}

/// Whether a character is a horizontal line.
pub(super) fn is_stroke(c: char) -> bool {
    matches!(c, '─' | '━' | '═' | '—' | '–')
}

/// Strips the prefixes of mail and wikis from a line.
pub(super) fn bare(line: &str) -> &str {
    let line = line.trim_end();
    let inner = line.trim_start();
    ["$$", "> ", ">"].iter().find_map(|mark| inner.strip_prefix(mark)).unwrap_or(line)
}

/// Returns the kind of a line.
pub(super) fn kind(line: &str) -> LineKind {
    let plain = || line.chars().map(narrow).filter(|c| !c.is_whitespace());
    let frame = |c: char| matches!(c, '+' | '-' | '=' | '`' | ':') || is_bar(c) || is_stroke(c);
    let edge = |c: char| matches!(c, '\u{250c}'..='\u{251b}' | '\u{2552}'..='\u{255d}');
    let edges = plain().filter(|&c| edge(c)).count();
    let text: String = plain().take(LONGEST).collect();
    if text.len() > 2 && text.chars().all(|c| c == '-') {
        let apart = !line.contains("--");
        return if apart { LineKind::Row } else { LineKind::Hyphens };
    }
    if text.is_empty() || plain().all(|c| frame(c) || edge(c)) && edges <= 2 && is_long(&text) {
        return LineKind::Ornament;
    }
    if plain().all(|c| is_bar(c) || matches!(c, '/' | '\\')) || text.starts_with("```") {
        return LineKind::Ornament;
    }
    if let Some(head) = head(line) {
        return head;
    }
    let legend = legend(line);
    if !legend.is_empty() {
        return LineKind::Legend(legend);
    }
    let signs = plain().filter(|&c| class(c).is_some() && !c.is_ascii_digit()).count();
    let digits = plain().filter(char::is_ascii_digit).count();
    let others = plain().filter(|&c| class(c).is_none() && !is_around(c)).count();
    let by_signs = signs > 0 && 2 * others <= signs && !has_word(line);
    // One letter besides the digits may be the label of the row.
    let by_digits = digits > 0 && signs + others == 0 || digits >= MIN_SIDE && signs + others == 1;
    if by_signs || by_digits { LineKind::Row } else { LineKind::Text }
}

/// Whether a line has a word with more than one letter that is no sign.
fn has_word(line: &str) -> bool {
    let words = line.split(|c: char| !c.is_ascii_alphabetic());
    let others = |word: &str| word.chars().filter(|&c| class(c).is_none()).count();
    words.into_iter().any(|word| others(word) > 1)
}

/// Maximum number of characters of a line that are read as words.
const LONGEST: usize = 200;

/// Whether a line of frame characters is a frame and not a row of points.
fn is_long(text: &str) -> bool {
    let points = text.chars().filter(|&c| c == '+').count();
    text.contains("---") && points <= 2 || text.contains(is_stroke) || text.contains("==")
}

/// Whether a character may surround signs without being a sign.
pub(super) fn is_around(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '<' | '>' | '{' | '}' | '"' | '\'' | ':' | ';' | '/' | '\\')
        || is_bar(c)
        || is_stroke(c)
        || matches!(c, '\u{fe0e}' | '\u{fe0f}')
}

/// Counts the points of a board in a line of text. Punctuation counts only if the rows of the
/// board use it (`is_used`), digits only on a board of `digits`.
pub(super) fn points_in_text(line: &str, is_used: impl Fn(char) -> bool, digits: bool) -> usize {
    let is_point = |c: char| match class(c) {
        Some(SignClass::Digit) => digits && matches!(c, '0'..='2'),
        Some(_) => !c.is_ascii_punctuation() || is_used(c),
        None => false,
    };
    let (mut points, mut word, mut is_word) = (0, 0, false);
    for c in line.chars().map(narrow).chain([' ']) {
        match (c.is_alphanumeric(), is_point(c)) {
            (true, true) => word += 1,
            (true, false) => is_word = true,
            (false, is_point) => {
                // Letters of a word are no stones.
                points += if is_word { 0 } else { word } + usize::from(is_point);
                (word, is_word) = (0, false);
            }
        }
    }
    points
}

/// Recognises the letters or numbers of the columns.
fn head(line: &str) -> Option<LineKind> {
    if line.chars().nth(LONGEST).is_some() {
        return None;
    }
    let marks = |c: char| c.is_whitespace() || is_bar(c) || matches!(c, ',' | '.' | '-' | '/');
    let plain: String = line.chars().map(narrow).filter(|&c| !marks(c)).collect::<String>();
    let lower = plain.to_ascii_lowercase();
    let (all, no_i) = ("abcdefghijklmnopqrstuvwxyz", "abcdefghjklmnopqrstuvwxyz");
    if lower.len() > 1 && (all.starts_with(&lower) || no_i.starts_with(&lower)) {
        return Some(LineKind::Head { without_i: lower.len() > 8 && !all.starts_with(&lower) });
    }
    let words: Vec<&str> = line.split(marks).filter(|word| !word.is_empty()).collect();
    let numbers: Option<Vec<usize>> = words.iter().map(|word| word.parse().ok()).collect();
    let ascend = |numbers: Vec<usize>| {
        let next = |pair: &[usize]| pair[1] == pair[0] + 1 || pair[0] % 10 == 9 && pair[1] == 0;
        numbers.len() > 4 && numbers[0] < 2 && numbers.windows(2).all(next)
    };
    let digits =
        || words.concat().bytes().map(|byte| usize::from(byte.wrapping_sub(b'0'))).collect();
    let is_head = numbers.is_some_and(|numbers| ascend(numbers) || ascend(digits()));
    is_head.then_some(LineKind::Head { without_i: false })
}

/// Reads a legend such as `X=Black O=White` or `Black: X`; empty if the line is none.
fn legend(line: &str) -> Vec<(char, Color)> {
    let spaced: String = line.chars().map(narrow).take(LONGEST).collect::<String>();
    let spaced = spaced.replace(['=', ':', '-', ',', ';', '(', ')', '|'], " ");
    let words: Vec<&str> = spaced.split_whitespace().filter(|word| *word != "is").collect();
    let color = |word: &str| match word.to_lowercase().as_str() {
        "black" | "黑" | "黑棋" => Some(Color::Black),
        "white" | "白" | "白棋" => Some(Color::White),
        _ => None,
    };
    let sign = |word: &str| {
        let mut chars = word.chars();
        chars.next().filter(|_| chars.next().is_none()).filter(|&sign| class(sign).is_some())
    };
    let pair = |two: &[&str]| match two {
        [first, second] => {
            let signed = sign(first).zip(color(second));
            signed.or_else(|| sign(second).zip(color(first)))
        }
        _ => None,
    };
    // Only if every pair fits: otherwise one-letter names would be taken for signs.
    let pairs: Option<Vec<_>> = words.chunks(2).map(pair).collect();
    pairs.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_lines_are_distinguished() {
        let head = |without_i| LineKind::Head { without_i };
        for (line, expected) in [
            ("", LineKind::Ornament),
            ("+-------+", LineKind::Ornament),
            ("---------", LineKind::Hyphens),
            ("- - - - -", LineKind::Row),
            ("---- Text Board ----", LineKind::Text),
            ("b 0 0 1 0 0", LineKind::Row),
            ("┌───────┐", LineKind::Ornament),
            ("  |  |  |  |  |", LineKind::Ornament),
            ("```text", LineKind::Ornament),
            ("   A B C D E F", head(false)),
            ("| a | b | c |", head(false)),
            ("ABCDEFGHJ", head(true)),
            ("    1 2 3 4 5 6 7 8 9 10 11", head(false)),
            ("0 1 2 3 4 5", head(false)),
            ("123456789012345", head(false)),
            ("Black to move.", LineKind::Text),
            ("X to play and win", LineKind::Text),
            ("Next: white", LineKind::Text),
            ("白先", LineKind::Text),
            ("X=Black   O=White", LineKind::Legend(vec![('X', Color::Black), ('O', Color::White)])),
            (
                "White: 1, Black: 2",
                LineKind::Legend(vec![('1', Color::White), ('2', Color::Black)]),
            ),
            ("Black: Ann  White: Bob", LineKind::Text),
            ("Move 12", LineKind::Text),
            ("  1 H8     2 H9", LineKind::Text),
            ("15 . . . X O . . 15", LineKind::Row),
            ("0 1 2 0 0", LineKind::Row),
            ("├──┼──●──┤", LineKind::Row),
            ("┌──┬──┬──┐", LineKind::Row),
            ("+--+--+--+--+", LineKind::Row),
            ("5 . . Q . . 5", LineKind::Row),
        ] {
            assert_eq!(kind(line), expected, "{line:?}");
        }
        assert_eq!(bare("$$ | . X"), " | . X");
        assert_eq!(bare("> . X \r"), ". X");
    }
}
