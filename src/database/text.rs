//! The text of a record: a comment, and short texts on cells.
//!
//! ```text
//! @BTXT@76best\n9Ay\bcomment, in which \b stands for a line end
//! ```
//!
//! The text of a cell consists of column and row in the image of the key, each a
//! digit or a letter from `A`, then the text; line ends separate cells. A backspace
//! (`\b`) separates them from the comment. If no cell has a text, the comment is
//! the whole text. Older programs left a zero byte after texts.

use std::collections::BTreeMap;

use goren_core::types::{Cell, Symmetry};

const MARK: &[u8] = b"@BTXT@";
const BREAK: u8 = 8;

/// The texts of cells, and the comment.
fn parts(text: &[u8]) -> (&[u8], &[u8]) {
    match text.strip_prefix(MARK) {
        None => (&[], text),
        Some(rest) => match rest.iter().position(|&byte| byte == BREAK) {
            Some(at) => (&rest[..at], &rest[at + 1..]),
            None => (rest, &[]),
        },
    }
}

/// The comment, with real line ends. Bytes that are not UTF-8 become replacement characters.
pub fn comment(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(parts(text).1);
    text.chars().filter(|&c| c != '\0').map(|c| if c == '\u{8}' { '\n' } else { c }).collect()
}

/// The text with another comment, which is trimmed.
pub fn with_comment(text: &[u8], comment: &str) -> Vec<u8> {
    let comment = comment.replace("\r\n", "\n").replace('\0', "");
    joined(parts(text).0, comment.trim().as_bytes())
}

/// The texts of cells, by their cells in the image of the key. Texts of cells that no
/// board has are left out.
pub fn on_cells(text: &[u8]) -> BTreeMap<Cell, Vec<u8>> {
    let side = |byte: u8| match byte {
        b'0'..=b'9' => Some(usize::from(byte - b'0')),
        b'A'..=b'V' => Some(usize::from(byte - b'A') + 10),
        _ => None,
    };
    let read = |line: &[u8]| {
        let &[x, y, ref rest @ ..] = line else { return None };
        let rest = rest.strip_suffix(&[0]).unwrap_or(rest);
        (!rest.is_empty()).then_some((Cell::new(side(x)?, side(y)?), rest.to_vec()))
    };
    parts(text).0.split(|&byte| byte == b'\n').filter_map(read).collect()
}

/// The text with other texts of cells.
pub fn with_cells(text: &[u8], cells: &BTreeMap<Cell, Vec<u8>>) -> Vec<u8> {
    let side = |n: usize| if n < 10 { b'0' + n as u8 } else { b'A' + (n - 10) as u8 };
    let mut lines = Vec::new();
    for (cell, text) in cells {
        if !lines.is_empty() {
            lines.push(b'\n');
        }
        lines.extend([side(cell.x()), side(cell.y())]);
        lines.extend(text);
    }
    joined(&lines, parts(text).1)
}

fn joined(cells: &[u8], comment: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    // A comment may begin with the mark of the cell texts.
    if !cells.is_empty() || comment.starts_with(MARK) {
        text.extend(MARK);
        text.extend(cells);
        if !comment.is_empty() {
            text.push(BREAK);
        }
    }
    text.extend(comment);
    text
}

/// A text in the form allowed on a cell, without blanks and line ends.
pub fn for_cell(text: &str) -> Vec<u8> {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect::<String>().into_bytes()
}

/// A text, completed by another one: texts on cells, and lines of the comment.
pub fn merged(text: &[u8], other: &[u8]) -> Vec<u8> {
    let (other_cells, other_comment) = parts(other);
    if text == other || other.is_empty() {
        return text.to_vec();
    }
    if text.is_empty() {
        return other.to_vec();
    }
    let mut merged = text.to_vec();
    if !other_cells.is_empty() {
        let mut cells = on_cells(other);
        cells.extend(on_cells(text));
        merged = with_cells(&merged, &cells);
    }
    let (cells, comment) = parts(&merged);
    let comments = merged_comments(comment, other_comment);
    if comments == comment { merged } else { joined(cells, &comments) }
}

/// A comment, and another one below it; only one of them if it has all lines of the other.
fn merged_comments(comment: &[u8], other: &[u8]) -> Vec<u8> {
    let lines = |comment: &[u8]| {
        let shown = comment.iter().filter(|&&byte| byte != 0 && byte != b'\r');
        let shown: Vec<u8> = shown.map(|&byte| if byte == BREAK { b'\n' } else { byte }).collect();
        [&b"\n"[..], shown.trim_ascii(), b"\n"].concat()
    };
    let (ours, theirs) = (lines(comment), lines(other));
    let has = |whole: &[u8], part: &[u8]| whole.windows(part.len()).any(|at| at == part);
    // An empty comment leaves only the line end on both sides.
    if theirs.len() == 2 || has(&ours, &theirs) {
        comment.to_vec()
    } else if ours.len() == 2 || has(&theirs, &ours) {
        other.to_vec()
    } else {
        [comment.strip_suffix(&[0]).unwrap_or(comment), b"\n", other].concat()
    }
}

/// The text after a symmetry was applied to the image of the key.
pub fn turned(text: &[u8], symmetry: Symmetry, width: usize, height: usize) -> Vec<u8> {
    let cells = on_cells(text);
    if cells.is_empty() {
        return text.to_vec();
    }
    let on_board = |cell: &Cell| cell.x() < width && cell.y() < height;
    let cells = cells.into_iter().filter(|(cell, _)| on_board(cell));
    with_cells(text, &cells.map(|(cell, text)| (symmetry.apply(cell), text)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_of_cells_are_independent() {
        let mut text = with_comment(b"", "  one\r\ntwo ");
        assert_eq!(text, b"one\ntwo");
        let (a, b) = (Cell::new(7, 6), Cell::new(9, 10));
        let cells = BTreeMap::from([(a, for_cell(" be st\n")), (b, for_cell("y"))]);
        text = with_cells(&text, &cells);
        assert_eq!(text, b"@BTXT@76best\n9Ay\x08one\ntwo");
        assert_eq!(on_cells(&text), cells);
        text = with_comment(&text, "three");
        assert_eq!((comment(&text), on_cells(&text)), ("three".into(), cells.clone()));
        text = with_comment(&text, "");
        assert_eq!(text, b"@BTXT@76best\n9Ay");
        assert_eq!(with_cells(&text, &BTreeMap::new()), b"");
    }

    #[test]
    fn a_comment_that_begins_like_texts_of_cells_is_kept() {
        let marked = "@BTXT@ is a word";
        let text = with_comment(b"", marked);
        assert_eq!((comment(&text), on_cells(&text)), (marked.into(), BTreeMap::new()));
        let cells = BTreeMap::from([(Cell::new(7, 6), for_cell("a"))]);
        let text = with_cells(&text, &cells);
        assert_eq!((comment(&text), on_cells(&text)), (marked.into(), cells));
        assert_eq!(comment(&with_cells(&text, &BTreeMap::new())), marked);
    }

    #[test]
    fn texts_of_other_programs_are_read() {
        let text = b"@BTXT@76best\0\n\nzz?\n9A\n001\x08a\x08b\0";
        let cells = on_cells(text);
        assert_eq!(cells[&Cell::new(7, 6)], b"best");
        assert_eq!(cells[&Cell::new(0, 0)], b"1");
        assert_eq!(cells.len(), 2);
        assert_eq!(comment(text), "a\nb");
        assert_eq!(comment(b"@BTXT"), "@BTXT");
        assert_eq!(comment(&[0xc4, 0xe3]), "\u{fffd}\u{fffd}");
    }

    #[test]
    fn merging_keeps_both() {
        let ours = b"@BTXT@76a\n\x08ours";
        let theirs = b"@BTXT@76b\n77c\n\x08theirs";
        assert_eq!(merged(ours, theirs), b"@BTXT@76a\n77c\x08ours\ntheirs");
        assert_eq!(merged(b"", theirs), theirs);
        assert_eq!(merged(ours, b""), ours);
        assert_eq!(merged(b"ours", b"@BTXT@76b\n"), b"@BTXT@76b\x08ours");
        assert_eq!(merged(b"@BTXT@76b\n", b"theirs"), b"@BTXT@76b\n\x08theirs");
    }

    #[test]
    fn merging_comments_neither_loses_nor_repeats_lines() {
        assert_eq!(merged(b"not a win", b"a win"), b"not a win\na win");
        let all = b"one\x08two\nthree";
        assert_eq!(merged(all, b"two\r\nthree\0"), all);
        assert_eq!(merged(b" one \0", all), all);
        assert_eq!(merged(b"\0", b"one"), b"one");
        assert_eq!(merged(b"one\0", b"two"), b"one\ntwo");
        assert_eq!(merged(b"one\ntwo", b"two"), b"one\ntwo");
        // A comment may begin with the mark of the cell texts.
        assert_eq!(merged(b"@BTXT@\x08@BTXT@1", b"two"), b"@BTXT@\x08@BTXT@1\ntwo");
    }
}
