//! The lines of a text: comments, and which lines are a game.

use std::borrow::Cow;

use super::fold::Folded;
use super::item::{Item, What};
use super::lexer::{begun, lex};
use super::link;
use super::reading::Evidence;
use crate::record::import::Hints;
use crate::rules::Variant;

/// Moves of a line that can be a game of its own.
const LEAST_OF_LINE: usize = 2;

/// Points of the first lines that are compared with those of later ones.
const MOST_SEEN: usize = 1000;

/// The division of the lines of a text into games.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// All lines are one.
    One,
    /// Each line is one.
    Lines,
    /// One begins with each heading, or with each line that has the number 1.
    Parts,
}

/// A game's part of a text.
#[derive(Clone, Default)]
pub(super) struct GamePart<'a> {
    pub(super) text: &'a str,
    /// Where it begins.
    pub(super) at: usize,
    /// What stands over it.
    pub(super) heading: &'a str,
}

/// Names of the columns of a table, in their possible order.
const COLUMN_NAMES: [&[&str]; 4] = [
    &["no", "nr", "num", "number", "index", "ply", "turn", "move", "moves"],
    &["color", "colour", "player", "side", "black", "x", "col", "column", "point", "move", "moves"],
    &["white", "x", "col", "column", "y", "row", "point", "move"],
    &["y", "row"],
];

/// A text without comments and names of columns, which become blank; its bytes stay where
/// they are. A comment is a line of its own or stands behind a blank.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.lines().any(|line| comment(line).is_some()) {
        return text.into();
    }
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (said, rest) = line.split_at(comment(line).unwrap_or(line.len()));
        kept.push_str(said);
        kept.extend(rest.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    kept.into()
}

/// Where the comment of a line begins.
fn comment(line: &str) -> Option<usize> {
    let start = line.len() - line.trim_start().len();
    let rest = &line[start..];
    if rest.starts_with(['#', '%']) || rest.starts_with("//") || are_column_names(rest) {
        return Some(start);
    }
    let is_behind = |&(at, _): &(usize, &str)| line[..at].ends_with(char::is_whitespace);
    let mut signs = line.match_indices('#');
    let strokes = line.match_indices("//").find(is_behind);
    signs.find(is_behind).into_iter().chain(strokes).map(|(at, _)| at).min()
}

/// Whether a line is the names of a table's columns, such as `No,Black,White` or `x;y`. In
/// another order, as in `White,Black`, the columns would be read wrongly.
fn are_column_names(line: &str) -> bool {
    let is_between = |c: char| matches!(c, ',' | ';' | '|' | '"' | '.') || c.is_whitespace();
    let words: Vec<&str> = line.split(is_between).filter(|word| !word.is_empty()).collect();
    let mut places = COLUMN_NAMES.iter();
    let mut comes =
        |word: &&str| places.any(|names| names.iter().any(|name| word.eq_ignore_ascii_case(name)));
    words.len() > 1 && words.iter().all(&mut comes)
}

/// The lines that are no comments and not empty.
pub(super) fn said_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !plain(line).trim().is_empty())
}

/// Whether a line is a heading such as `Game 3`.
fn is_heading(line: &str) -> bool {
    let line = line.trim().trim_end_matches([':', '.']);
    let number = line.get(..4).filter(|word| word.eq_ignore_ascii_case("game")).map(|_| &line[4..]);
    number.is_some_and(|number| {
        let number = number.trim_start().trim_start_matches('#');
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The number of a move with which a line begins.
fn number(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = &line[digits..];
    let is_number = after.starts_with(['.', ')', ':']) && !after.starts_with("..");
    line[..digits].parse().ok().filter(|_| is_number)
}

/// Counts over the lines of a text.
#[derive(Default)]
pub(super) struct LineCounts {
    /// Lines that say something.
    pub(super) count: usize,
    /// Lines that are moves, or begin as such.
    good: usize,
    links: usize,
    headings: usize,
    /// Lines that begin with the number 1, and with others.
    begins: [usize; 2],
    /// Whether a line has one move.
    has_short: bool,
    /// Whether no line has more than two.
    are_turns: bool,
    /// Whether a point comes again.
    again: bool,
    /// Whether moves stand behind a result.
    goes_on: bool,
    /// The points of all lines.
    pub(super) evidence: Evidence,
}

impl LineCounts {
    pub(super) fn of(text: &str, variant: Option<Variant>) -> LineCounts {
        let mut survey = LineCounts { are_turns: true, ..LineCounts::default() };
        // A point that repeats begins a new game; where stones are captured, only the
        // first point of the game does.
        let captures = variant.is_some_and(Variant::takes_stones);
        let mut seen: Vec<What> = Vec::new();
        let mut has_result = false;
        for line in said_lines(text) {
            survey.count += 1;
            if link::of_line(line).is_some() {
                (survey.links, survey.good) = (survey.links + 1, survey.good + 1);
                continue;
            }
            if is_heading(line) {
                survey.headings += 1;
                continue;
            }
            let plain = plain(line);
            let folded = Folded::of(&plain);
            let lexed = lex(&folded.text, falls(variant));
            survey.goes_on |= has_result;
            has_result |= lexed.as_ref().is_ok_and(|lexed| lexed.result.is_some());
            let is_read = lexed.is_ok();
            let is_flat = lexed.as_ref().is_ok_and(|lexed| lexed.is_flat);
            let begun = || begun(&folded.text, falls(variant));
            let items = lexed.map_or_else(|_| begun(), |lexed| lexed.items);
            let is_letters = matches!(items.first(), Some(Item { what: What::Letters(_), .. }));
            let least = if is_read { 1 } else { LEAST_OF_LINE };
            if items.len() < least {
                continue;
            }
            // Rows of a drawn board can look like pairs.
            survey.good += usize::from(!is_flat && !is_letters);
            survey.has_short |= items.len() < LEAST_OF_LINE;
            survey.are_turns &= items.len() <= LEAST_OF_LINE;
            if let Some(number) = number(&folded.text) {
                survey.begins[usize::from(number != 1)] += 1;
            }
            survey.evidence.add(&items);
            let stones = || items.iter().map(|item| item.what).filter(is_compared);
            let again = || {
                if captures {
                    !seen.is_empty() && stones().next() == seen.first().copied()
                } else {
                    stones().any(|what| seen.contains(&what))
                }
            };
            survey.again = survey.again || again();
            if seen.len() < MOST_SEEN {
                seen.extend(stones());
            }
        }
        survey
    }

    /// Whether a text of several lines is moves, though not all of it is.
    pub(super) fn is_moves(&self) -> bool {
        self.count > 1 && self.good > 0 && 2 * self.good >= self.count
    }

    /// How the lines are games, where all of them are moves or only some.
    pub(super) fn layout(&self, hints: &Hints, is_whole: bool) -> Layout {
        match hints.per_line {
            _ if self.count < 2 => Layout::One,
            Some(true) => Layout::Lines,
            Some(false) => Layout::One,
            None if self.links == self.count => Layout::Lines,
            None if self.headings > 0 => Layout::Parts,
            None if self.has_several() && self.begins[0] > 1 && self.begins[1] > 0 => Layout::Parts,
            None if self.has_several() && !self.has_short => Layout::Lines,
            None if !is_whole && self.links > 0 && self.is_moves() => Layout::Lines,
            None => Layout::One,
        }
    }

    /// Whether the lines are more than one game.
    fn has_several(&self) -> bool {
        self.again || self.goes_on
    }

    /// Whether each line is a turn of numbered moves, or a numbered game of one.
    pub(super) fn are_turns(&self) -> bool {
        self.are_turns && self.begins[1] > 0
    }
}

/// Whether a point comes again only in another game.
fn is_compared(what: &What) -> bool {
    matches!(what, What::Point(_) | What::Pair(_) | What::Letters(_))
}

/// The lines of a text that say something, each as a part.
pub(super) fn lines(text: &str) -> impl Iterator<Item = GamePart<'_>> {
    said_lines(text).map(|line| GamePart { text: line, at: offset(text, line), heading: "" })
}

/// The parts of a text that begin with headings, or with lines that have the
/// number 1.
pub(super) fn parts(text: &str) -> impl Iterator<Item = GamePart<'_>> {
    let has_headings = said_lines(text).any(is_heading);
    let begins = move |line: &str| {
        if has_headings { is_heading(line) } else { number(&plain(line)) == Some(1) }
    };
    let mut rest = said_lines(text).peekable();
    std::iter::from_fn(move || {
        let first = rest.next()?;
        let heading = if is_heading(first) { first } else { "" };
        let at = offset(text, first) + heading.len();
        let mut end = offset(text, first) + first.len();
        while let Some(line) = rest.next_if(|line| !begins(line)) {
            end = offset(text, line) + line.len();
        }
        Some(GamePart { text: &text[at..end], at, heading: heading.trim() })
    })
}

/// Where a part of a text stands in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Whether letters alone may be moves, of stones that fall.
pub(super) fn falls(variant: Option<Variant>) -> bool {
    variant.is_some_and(Variant::falls)
}
