//! The moves of a list: points such as `h8`, pairs of numbers such as `(8,8)`,
//! or pairs of letters such as `hh`, with whatever people put between them.

mod pairs;
mod points;
#[cfg(test)]
mod tests;

use crate::record::import::points::Point;
use crate::rules::Outcome;
use crate::types::{Color, MAX_SIDE};
use pairs::pairs;
use points::Points;

/// Moves of the longest game: captured points are played again.
const MOST_ITEMS: usize = 4 * MAX_SIDE * MAX_SIDE;

/// A move as it is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A letter and a number.
    Point(Point),
    /// Two numbers, column and row.
    Pair([usize; 2]),
    /// Two letters, column and row, from 0.
    Letters([usize; 2]),
    /// A piece dropped into a column.
    Drop(usize),
    Pass,
    Swap,
}

/// A move and where it stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Item<'a> {
    pub(super) at: usize,
    pub(super) word: &'a str,
    pub(super) what: What,
    pub(super) color: Option<Color>,
}

/// All moves of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Lexed<'a> {
    pub(super) items: Vec<Item<'a>>,
    /// The result behind the moves.
    pub(super) result: Option<Outcome>,
    /// Whether somebody has resigned.
    pub(super) resigned: bool,
    /// Third numbers beside pairs, which are not used.
    pub(super) thirds: Vec<usize>,
    /// Whether nothing tells where one pair of numbers ends.
    pub(super) is_flat: bool,
}

/// What is not understood.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault<'a> {
    pub(super) at: usize,
    /// The how manyth move it would be.
    pub(super) number: usize,
    pub(super) word: &'a str,
    pub(super) what: &'static str,
}

const NO_POINT: &str = "a point is a letter and a number, such as h8";
const NO_MOVE: &str = "a move must follow a colour";
const TOO_MANY: &str = "more moves than a game can have";

/// The moves of a text. Where pieces fall, letters are columns.
pub(super) fn lex(text: &str, falls: bool) -> Result<Lexed<'_>, Fault<'_>> {
    let of_points = match Points::of(text, falls).read() {
        Err(fault) if !falls => fault,
        points => return points,
    };
    match (pairs(text), letters(text)) {
        (Ok(lexed), _) | (Err(_), Some(lexed)) => Ok(lexed),
        // The reading that understood more tells what is wrong.
        (Err(fault), None) => {
            let is_numbers = !text.contains(char::is_alphabetic);
            Err(if fault.at > of_points.at || is_numbers { fault } else { of_points })
        }
    }
}

/// What may stand between moves.
fn is_gap(c: char) -> bool {
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
fn word(text: &str) -> &str {
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '[' | ']' | '{' | '}');
    &text[..text.find(is_end).unwrap_or(text.len())]
}

fn letters_at(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_alphabetic).count()
}

fn digits_at(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The colour of a word before a move.
fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "b" | "x" | "黑" => Some(Color::Black),
        "white" | "w" | "o" | "白" => Some(Color::White),
        _ => None,
    }
}

/// Two letters for each move, as in SGF; at least two moves.
fn letters(text: &str) -> Option<Lexed<'_>> {
    let mut lexed = Lexed::default();
    let (mut at, mut mark) = (0, None);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (letters, digits) = (letters_at(rest), digits_at(rest));
        if is_gap(c) {
            at += c.len_utf8();
        } else if digits > 0 && rest[digits..].starts_with(['.', ')', ':']) {
            at += digits;
        } else if letters % 2 == 1 && mark.is_none() {
            mark = Some(color(&rest[..letters])?);
            at += letters;
        } else if letters > 0 && letters % 2 == 0 && lexed.items.len() < MOST_ITEMS {
            let place = |byte: u8| usize::from(byte.to_ascii_lowercase() - b'a');
            let [column, row, ..] = rest.as_bytes() else { return None };
            let what = What::Letters([place(*column), place(*row)]);
            lexed.items.push(Item { at, word: &rest[..2], what, color: mark.take() });
            at += 2;
        } else {
            return None;
        }
    }
    Some(lexed).filter(|lexed| mark.is_none() && lexed.items.len() > 1)
}
