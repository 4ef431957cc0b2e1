//! Pairs of numbers: `8,8 9,9`, `(8,8)(9,9)`, `[{"x":8,"y":8}]`.

use std::ops::Range;

use super::word::{digits_at, is_gap, letters_at, word};
use crate::record::import::list::item::{Item, Lexed, ListFault, MOST_ITEMS, TOO_MANY, What};

const NO_PAIR: &str = "a pair is a column and a row, such as 8,8";
const ALONE: &str = "one number alone; a pair is a column and a row, such as 8,8";
const MANY: &str = "more than three numbers for a pair, which is a column and a row, such as 8,8";
const ODD: &str = "an odd number of coordinates; a pair is a column and a row, such as 8,8";
const LONG: &str = "no board has so many columns or rows";

/// A number and what it is in its group.
#[derive(Copy, Clone)]
struct Number {
    at: usize,
    end: usize,
    value: usize,
    /// Whether it is said to be the column (0), the row (1), or something else.
    axis: Option<usize>,
}

/// Pairs of numbers.
pub(super) fn pairs(text: &str) -> Result<Lexed<'_>, ListFault<'_>> {
    let mut lexed = Lexed::default();
    if text.contains(['(', '[', '{', '（']) {
        bracketed(text, &mut lexed)?;
    } else {
        bare(text, &mut lexed)?;
    }
    if lexed.items.is_empty() {
        return Err(fault_at(text, 0, &lexed));
    }
    Ok(lexed)
}

fn fault_at<'a>(text: &'a str, at: usize, lexed: &Lexed<'_>) -> ListFault<'a> {
    ListFault { at, number: lexed.items.len() + 1, word: word(&text[at..]), what: NO_PAIR }
}

/// Takes a group of numbers as a pair.
fn put<'a>(text: &'a str, group: &[Number], lexed: &mut Lexed<'a>) -> Result<(), ListFault<'a>> {
    let Some((first, last)) = group.first().zip(group.last()) else { return Ok(()) };
    let fault = fault_at(text, first.at, lexed);
    let named = |axis| group.iter().find(|number| number.axis == Some(axis));
    let plain: Vec<&Number> = group.iter().filter(|number| number.axis.is_none()).collect();
    let pair = match (named(0), named(1), &plain[..]) {
        (Some(x), Some(y), []) => [x.value, y.value],
        (None, None, [x, y]) => [x.value, y.value],
        (None, None, [x, y, third]) => {
            lexed.thirds.push(third.value);
            [x.value, y.value]
        }
        (None, None, [_]) => return Err(ListFault { what: ALONE, ..fault }),
        (None, None, [_, _, _, ..]) => return Err(ListFault { what: MANY, ..fault }),
        _ => return Err(fault),
    };
    if lexed.items.len() == MOST_ITEMS {
        return Err(ListFault { what: TOO_MANY, ..fault });
    }
    let word = &text[first.at..last.end];
    lexed.items.push(Item { at: first.at, word, what: What::Pair(pair), color: None });
    Ok(())
}

/// The number at a place, of at most two digits.
fn number<'a>(text: &'a str, at: usize, lexed: &Lexed<'_>) -> Result<Number, ListFault<'a>> {
    let digits = digits_at(&text[at..]);
    match text[at..at + digits].parse() {
        Ok(value) if digits <= 2 => Ok(Number { at, end: at + digits, value, axis: None }),
        _ => Err(ListFault { what: LONG, ..fault_at(text, at, lexed) }),
    }
}

/// Numbers of more than a pair and its neighbours.
const MOST_IN_GROUP: usize = 8;

/// Pairs in brackets, of any kind and depth: those that have no others inside.
fn bracketed<'a>(text: &'a str, lexed: &mut Lexed<'a>) -> Result<(), ListFault<'a>> {
    let mut group: Vec<Number> = Vec::new();
    let (mut at, mut inside, mut axis) = (0, false, None);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        match c {
            '(' | '[' | '{' | '（' => {
                group.clear();
                (inside, axis) = (true, None);
            }
            ')' | ']' | '}' | '）' => {
                put(text, &group, lexed)?;
                group.clear();
                (inside, axis) = (false, None);
            }
            '0'..='9' => {
                let number = number(text, at, lexed)?;
                at = number.end;
                let is_label = text[at..].trim_start().starts_with(['.', ':', '=', '(', '[', ')']);
                if inside && group.len() < MOST_IN_GROUP {
                    group.push(Number { axis: axis.take(), ..number });
                } else if inside || !is_label {
                    return Err(fault_at(text, number.at, lexed));
                }
                continue;
            }
            c if c.is_ascii_alphabetic() => {
                let letters = letters_at(rest);
                axis = Some(match rest[..letters].to_ascii_lowercase().as_str() {
                    "x" | "col" | "column" | "c" => 0,
                    "y" | "row" | "r" | "line" => 1,
                    "player" | "color" | "colour" | "move" | "n" | "index" | "turn" | "step" => 2,
                    _ => return Err(fault_at(text, at, lexed)),
                });
                at += letters;
                continue;
            }
            c if is_gap(c) || c == '）' => {}
            _ => return Err(fault_at(text, at, lexed)),
        }
        at += c.len_utf8();
    }
    Ok(())
}

/// Whether a text begins with what may stand between the numbers of a pair. An
/// `x` does so only before a number, as in `8x9`.
fn is_inside_pair(text: &str) -> bool {
    match text.strip_prefix('x') {
        Some(after) => after.trim_start().starts_with(|c: char| c.is_ascii_digit()),
        None => text.starts_with([',', ':', '.', '-', '/', '_', '*', '，', '、', '"']),
    }
}

/// Pairs parted by blanks, semicolons or lines.
fn bare<'a>(text: &'a str, lexed: &mut Lexed<'a>) -> Result<(), ListFault<'a>> {
    let is_end = |c: char| matches!(c, ';' | '|' | '\n' | '；');
    let chunks = text.split(is_end).filter(|chunk| !chunk.trim().is_empty());
    let is_only = chunks.clone().nth(1).is_none();
    for chunk in chunks {
        let start = chunk.as_ptr() as usize - text.as_ptr() as usize;
        let groups = groups(text, start..start + chunk.len(), lexed)?;
        let all: Vec<Number> = groups.concat();
        let singles = groups.iter().all(|group| group.len() == 1);
        // A third number that blanks part is taken for one only if it can be a
        // colour, or if each line has one.
        let is_move = match all[..] {
            [] => return Err(fault_at(text, start, lexed)),
            [_, _] => true,
            [_, _, third] => !singles || !is_only || third.value <= 2,
            _ => false,
        };
        if is_only && !is_move && (singles || groups.len() == 1) {
            flat(text, &all, lexed)?;
        } else if singles {
            put(text, &all, lexed)?;
        } else {
            groups.iter().try_for_each(|group| put(text, group, lexed))?;
        }
    }
    Ok(())
}

/// Pairs one after the other, where nothing tells where one ends.
fn flat<'a>(text: &'a str, all: &[Number], lexed: &mut Lexed<'a>) -> Result<(), ListFault<'a>> {
    lexed.is_flat = true;
    let (pairs, rest) = all.as_chunks::<2>();
    pairs.iter().try_for_each(|pair| put(text, pair, lexed))?;
    let odd = |number: &Number| ListFault { what: ODD, ..fault_at(text, number.at, lexed) };
    rest.first().map_or(Ok(()), |number| Err(odd(number)))
}

/// The numbers of a part of a text, in groups that blanks part.
fn groups<'a>(
    text: &'a str,
    part: Range<usize>,
    lexed: &Lexed<'_>,
) -> Result<Vec<Vec<Number>>, ListFault<'a>> {
    let mut groups: Vec<Vec<Number>> = vec![Vec::new()];
    let mut at = part.start;
    while at < part.end {
        let rest = &text[at..];
        let due = |fault: ListFault<'a>| {
            let number = lexed.items.len() + number_behind(&groups);
            ListFault { number, ..fault }
        };
        let c = rest.chars().next().unwrap_or(' ');
        if c.is_ascii_digit() {
            let number = number(text, at, lexed).map_err(due)?;
            at = number.end;
            // A move number.
            let label = text[at..part.end]
                .strip_prefix(['.', ')', ':'])
                .is_some_and(|after| after.starts_with(char::is_whitespace));
            if let Some(group) = groups.last_mut().filter(|_| !label) {
                group.push(number);
            }
            continue;
        }
        if c.is_whitespace() {
            if groups.last().is_some_and(|group| !group.is_empty()) {
                groups.push(Vec::new());
            }
        } else if !is_inside_pair(rest) {
            return Err(due(fault_at(text, at, lexed)));
        }
        at += c.len_utf8();
    }
    groups.retain(|group| !group.is_empty());
    Ok(groups)
}

/// The how manyth move of its part of a text a number behind groups belongs to.
fn number_behind(groups: &[Vec<Number>]) -> usize {
    let (last, before) = groups.split_last().map_or((0, groups), |(last, rest)| (last.len(), rest));
    if before.iter().all(|group| group.len() == 1) {
        (before.len() + last) / 2 + 1
    } else {
        groups.len()
    }
}
