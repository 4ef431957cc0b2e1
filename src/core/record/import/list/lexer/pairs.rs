//! Pairs of numbers: `8,8 9,9`, `(8,8)(9,9)`, `[{"x":8,"y":8}]`.

use std::ops::Range;

use super::word::{depth_after, digits_at, is_gap, label, letters_at, word};
use crate::record::import::list::item::{
    Item, Lexed, ListFault, ListMove, MAX_ITEMS, MoveLabel, TOO_MANY,
};

const NO_PAIR: &str = "a pair is a column and a row, such as 8,8";
const ALONE: &str = "one number alone; a pair is a column and a row, such as 8,8";
const MANY: &str = "more than three numbers for a pair, which is a column and a row, such as 8,8";
const ODD: &str = "an odd number of coordinates; a pair is a column and a row, such as 8,8";
const LONG: &str = "no board has so many columns or rows";

const FRACTION: &str = "a number with a fraction is neither a column nor a row";

/// Meaning that a key gives to a number.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Axis {
    Column,
    Row,
    /// The number of the move.
    Move,
    /// The player who makes the move.
    Player,
}

/// A number of a group.
#[derive(Copy, Clone)]
struct Number {
    at: usize,
    end: usize,
    value: i32,
    axis: Option<Axis>,
    /// The number of the move, if it precedes this number.
    label: Option<MoveLabel>,
}

/// Reads pairs of numbers.
pub(super) fn pairs(text: &str) -> Result<Lexed<'_>, ListFault<'_>> {
    let mut lexed = Lexed::default();
    if text.contains(['(', '[', '{']) {
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

/// Adds a group of numbers as a pair at a depth of brackets.
fn push_pair<'a>(
    text: &'a str,
    group: &[Number],
    depth: usize,
    lexed: &mut Lexed<'a>,
) -> Result<(), ListFault<'a>> {
    let Some((first, last)) = group.first().zip(group.last()) else { return Ok(()) };
    let fault = fault_at(text, first.at, lexed);
    let named = |axis| group.iter().find(|number| number.axis == Some(axis));
    let plain: Vec<&Number> = group.iter().filter(|number| number.axis.is_none()).collect();
    let (pair, third) = match (named(Axis::Column), named(Axis::Row), &plain[..]) {
        (Some(x), Some(y), []) => ([x.value, y.value], None),
        (None, None, [x, y]) => ([x.value, y.value], None),
        (None, None, [x, y, third]) => {
            let has_dot = |a: &Number, b: &Number| text[a.end..b.at].trim() == ".";
            if has_dot(x, y) != has_dot(y, third) {
                return Err(ListFault { what: FRACTION, ..fault });
            }
            ([x.value, y.value], Some(third.value))
        }
        (None, None, [_]) => return Err(ListFault { what: ALONE, ..fault }),
        (None, None, [_, _, _, ..]) => return Err(ListFault { what: MANY, ..fault }),
        _ => return Err(fault),
    };
    if group[1..].iter().any(|number| number.label.is_some()) {
        return Err(fault);
    }
    if lexed.items.len() == MAX_ITEMS {
        return Err(ListFault { what: TOO_MANY, ..fault });
    }
    lexed.players.extend(named(Axis::Player).map(|player| player.value));
    let value = |number: &Number| usize::try_from(number.value).unwrap_or(usize::MAX);
    let of_move =
        named(Axis::Move).map(|number| MoveLabel { value: value(number), has_dots: false });
    let label = of_move.or(first.label);
    let (at, word, what, color) = (first.at, &text[first.at..last.end], ListMove::Pair(pair), None);
    lexed.items.push(Item { at, word, what, color, label, depth, third });
    Ok(())
}

/// Whether a hyphen is the sign of a number: it does not follow a digit.
fn is_sign(text: &str, at: usize) -> bool {
    let mut after = text[at..].bytes();
    after.next() == Some(b'-')
        && after.next().is_some_and(|byte| byte.is_ascii_digit())
        && !text[..at].ends_with(|c: char| c.is_ascii_digit())
}

/// Reads a number of at most two digits, maybe with a sign.
fn number<'a>(text: &'a str, at: usize, lexed: &Lexed<'_>) -> Result<Number, ListFault<'a>> {
    let start = at + usize::from(text[at..].starts_with('-'));
    let end = start + digits_at(&text[start..]);
    match text[at..end].parse() {
        Ok(value) if end - start <= 2 => Ok(Number { at, end, value, axis: None, label: None }),
        _ => Err(ListFault { what: LONG, ..fault_at(text, at, lexed) }),
    }
}

/// Maximum number of numbers in a group: more than a pair and its neighbours.
const MAX_IN_GROUP: usize = 8;

/// Reads pairs in innermost brackets of any kind and depth.
fn bracketed<'a>(text: &'a str, lexed: &mut Lexed<'a>) -> Result<(), ListFault<'a>> {
    let mut group: Vec<Number> = Vec::new();
    let (mut at, mut depth, mut inside) = (0, 0, false);
    let (mut axis, mut of_move) = (None, None);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        match c {
            '(' | '[' | '{' | ')' | ']' | '}' => {
                let new_depth = depth_after(c, depth).unwrap_or(depth);
                inside = new_depth > depth;
                if !inside {
                    push_pair(text, &group, depth, lexed)?;
                }
                group.clear();
                (axis, depth) = (None, new_depth);
            }
            c if c.is_ascii_digit() || is_sign(text, at) => {
                let number = number(text, at, lexed)?;
                at = number.end;
                let after = text[at..].trim_start();
                let is_label = after.starts_with(['.', ':', '=', '(', '[', ')']);
                if inside && group.len() < MAX_IN_GROUP {
                    let label = if group.is_empty() { of_move.take() } else { None };
                    group.push(Number { axis: axis.take(), label, ..number });
                } else if inside || !is_label {
                    return Err(fault_at(text, number.at, lexed));
                } else {
                    of_move = Some(label(&text[number.at..at], after));
                }
                continue;
            }
            c if c.is_ascii_alphabetic() => {
                let letters = letters_at(rest);
                axis = Some(match rest[..letters].to_ascii_lowercase().as_str() {
                    "x" | "col" | "column" | "c" => Axis::Column,
                    "y" | "row" | "r" | "line" => Axis::Row,
                    "move" | "n" | "index" | "turn" | "step" => Axis::Move,
                    "player" | "color" | "colour" => Axis::Player,
                    _ => return Err(fault_at(text, at, lexed)),
                });
                at += letters;
                continue;
            }
            c if is_gap(c) => {}
            _ => return Err(fault_at(text, at, lexed)),
        }
        at += c.len_utf8();
    }
    Ok(())
}

/// Whether a text begins with a separator of the two numbers of a pair. An `x` is one only before a
/// number, as in `8x9`.
fn is_inside_pair(text: &str) -> bool {
    match text.strip_prefix('x') {
        Some(after) => after.trim_start().starts_with(|c: char| c.is_ascii_digit()),
        None => text.starts_with([',', ':', '.', '-', '/', '_', '*', '、', '"']),
    }
}

/// Reads pairs separated by blanks, semicolons or line breaks.
fn bare<'a>(text: &'a str, lexed: &mut Lexed<'a>) -> Result<(), ListFault<'a>> {
    let is_end = |c: char| matches!(c, ';' | '|' | '\n');
    let chunks = text.split(is_end).filter(|chunk| !chunk.trim().is_empty());
    let is_only = chunks.clone().nth(1).is_none();
    for chunk in chunks {
        let start = chunk.as_ptr() as usize - text.as_ptr() as usize;
        let groups = groups(text, start..start + chunk.len(), lexed)?;
        let all: Vec<Number> = groups.concat();
        let singles = groups.iter().all(|group| group.len() == 1);
        // Three numbers separated by blanks are one move only if the third can be a colour, or if
        // there are several lines.
        let is_move = match all[..] {
            [] => return Err(fault_at(text, start, lexed)),
            [_, _] => true,
            [_, _, third] => !singles || !is_only || (0..=2).contains(&third.value),
            _ => false,
        };
        if is_only && !is_move && (singles || groups.len() == 1) {
            flat(text, &all, lexed)?;
        } else if singles {
            push_pair(text, &all, 0, lexed)?;
        } else {
            groups.iter().try_for_each(|group| push_pair(text, group, 0, lexed))?;
        }
    }
    Ok(())
}

/// Reads pairs one after the other, where nothing marks the end of a pair.
fn flat<'a>(text: &'a str, all: &[Number], lexed: &mut Lexed<'a>) -> Result<(), ListFault<'a>> {
    lexed.is_flat = true;
    let (pairs, rest) = all.as_chunks::<2>();
    pairs.iter().try_for_each(|pair| push_pair(text, pair, 0, lexed))?;
    let odd = |number: &Number| ListFault { what: ODD, ..fault_at(text, number.at, lexed) };
    rest.first().map_or(Ok(()), |number| Err(odd(number)))
}

/// Reads the numbers of a part of a text, in groups separated by blanks.
fn groups<'a>(
    text: &'a str,
    part: Range<usize>,
    lexed: &Lexed<'_>,
) -> Result<Vec<Vec<Number>>, ListFault<'a>> {
    let mut groups: Vec<Vec<Number>> = vec![Vec::new()];
    let (mut at, mut of_move) = (part.start, None);
    while at < part.end {
        let rest = &text[at..];
        let due = |fault: ListFault<'a>| {
            let number = lexed.items.len() + number_after(&groups);
            ListFault { number, ..fault }
        };
        let c = rest.chars().next().unwrap_or(' ');
        if c.is_ascii_digit() || is_sign(text, at) {
            let number = number(text, at, lexed).map_err(due)?;
            at = number.end;
            let mark = text[at..part.end].strip_prefix(['.', ')', ':']);
            let Some(group) = groups.last_mut() else { continue };
            // A move number precedes the group of its pair.
            if group.is_empty() && mark.is_some_and(|after| after.starts_with(char::is_whitespace))
            {
                of_move = Some(label(&text[number.at..at], &text[at..]));
            } else {
                group.push(Number { label: of_move.take(), ..number });
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

/// Returns the number, within its part of the text, of the move that the next number after these
/// groups belongs to.
fn number_after(groups: &[Vec<Number>]) -> usize {
    let (last, before) = groups.split_last().map_or((0, groups), |(last, rest)| (last.len(), rest));
    if before.iter().all(|group| group.len() == 1) {
        (before.len() + last) / 2 + 1
    } else {
        groups.len()
    }
}
