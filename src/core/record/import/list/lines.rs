//! The lines of a text: strips comments, and divides the lines into games.

use std::borrow::Cow;

use super::fold::Folded;
use super::item::{Item, ListMove};
use super::lexer::{leading_moves, lex};
use super::link;
use super::reading::Evidence;
use crate::record::import::Hints;
use crate::rules::Variant;

/// Minimum number of moves in a line that is a game of its own.
const LEAST_OF_LINE: usize = 2;

/// Maximum number of points of earlier lines that are compared with those of later lines.
const MAX_SEEN: usize = 1000;

/// Division of the lines of a text into games.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// All lines are one game.
    One,
    /// Each line is a game.
    Lines,
    /// A game begins with each heading, or with each line that has the number 1.
    Parts,
}

/// The part of a text that is one game.
#[derive(Clone, Default)]
pub(super) struct GamePart<'a> {
    pub(super) text: &'a str,
    /// Byte at which the part begins.
    pub(super) at: usize,
    /// Heading above the part; may be empty.
    pub(super) heading: &'a str,
}

/// Possible names of the columns of a table, in their order.
const COLUMN_NAMES: [&[&str]; 4] = [
    &["no", "nr", "num", "number", "index", "ply", "turn", "move", "moves"],
    &["color", "colour", "player", "side", "black", "x", "col", "column", "point", "move", "moves"],
    &["white", "x", "col", "column", "y", "row", "point", "move"],
    &["y", "row"],
];

/// Replaces comments and column names by blanks; byte positions do not change. A comment is a
/// separate line, or follows a blank.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.lines().any(|line| comment(line).is_some()) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (content, comment) = line.split_at(comment(line).unwrap_or(line.len()));
        plain.push_str(content);
        plain.extend(comment.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    plain.into()
}

/// Returns where the comment of a line begins.
fn comment(line: &str) -> Option<usize> {
    let start = line.len() - line.trim_start().len();
    let rest = &line[start..];
    if rest.starts_with(['#', '%']) || rest.starts_with("//") || are_column_names(rest) {
        return Some(start);
    }
    let follows_blank = |&(at, _): &(usize, &str)| line[..at].ends_with(char::is_whitespace);
    let hash = line.match_indices('#').find(follows_blank);
    let slashes = line.match_indices("//").find(follows_blank);
    hash.into_iter().chain(slashes).map(|(at, _)| at).min()
}

/// Whether a line names the columns of a table, such as `No,Black,White` or `x;y`. In another
/// order, such as `White,Black`, the columns would be read wrongly.
fn are_column_names(line: &str) -> bool {
    let is_separator = |c: char| matches!(c, ',' | ';' | '|' | '"' | '.') || c.is_whitespace();
    let words: Vec<&str> = line.split(is_separator).filter(|word| !word.is_empty()).collect();
    let mut places = COLUMN_NAMES.iter();
    let mut is_next =
        |word: &&str| places.any(|names| names.iter().any(|name| word.eq_ignore_ascii_case(name)));
    words.len() > 1 && words.iter().all(&mut is_next)
}

/// Iterates over the lines that are neither comments nor empty.
pub(super) fn content_lines(text: &str) -> impl Iterator<Item = &str> {
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

/// Returns the move number at the beginning of a line.
fn number(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = &line[digits..];
    let is_number = after.starts_with(['.', ')', ':']) && !after.starts_with("..");
    line[..digits].parse().ok().filter(|_| is_number)
}

/// Statistics of the lines of a text.
#[derive(Default)]
pub(super) struct LineCounts {
    /// Number of lines with content.
    pub(super) count: usize,
    /// Number of lines that are links or moves, or begin with moves.
    move_lines: usize,
    links: usize,
    headings: usize,
    /// Number of lines that begin with the number 1, and with other numbers.
    numbered: [usize; 2],
    /// Whether a line has one move.
    has_short: bool,
    /// Whether no line has more than two moves.
    are_turns: bool,
    /// Whether a point repeats.
    repeats: bool,
    /// Whether a line follows a result.
    goes_on: bool,
    /// Points of all lines.
    pub(super) evidence: Evidence,
}

impl LineCounts {
    pub(super) fn of(text: &str, variant: Option<Variant>) -> LineCounts {
        let mut survey = LineCounts { are_turns: true, ..LineCounts::default() };
        // A point that repeats means a new game; if stones can be captured, only the first point
        // of the game does.
        let captures = variant.is_some_and(Variant::takes_stones);
        let mut seen: Vec<ListMove> = Vec::new();
        let mut has_result = false;
        for line in content_lines(text) {
            survey.count += 1;
            if link::of_line(line).is_some() {
                (survey.links, survey.move_lines) = (survey.links + 1, survey.move_lines + 1);
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
            let leading = || leading_moves(&folded.text, falls(variant));
            let items = lexed.map_or_else(|_| leading(), |lexed| lexed.items);
            let is_letters = matches!(items.first(), Some(Item { what: ListMove::Letters(_), .. }));
            let least = if is_read { 1 } else { LEAST_OF_LINE };
            if items.len() < least {
                continue;
            }
            // Rows of a drawn board can look like pairs.
            survey.move_lines += usize::from(!is_flat && !is_letters);
            survey.has_short |= items.len() < LEAST_OF_LINE;
            survey.are_turns &= items.len() <= LEAST_OF_LINE;
            if let Some(number) = number(&folded.text) {
                survey.numbered[usize::from(number != 1)] += 1;
            }
            survey.evidence.add(&items);
            let stones = || items.iter().map(|item| item.what).filter(is_compared);
            let repeats = || {
                if captures {
                    !seen.is_empty() && stones().next() == seen.first().copied()
                } else {
                    stones().any(|what| seen.contains(&what))
                }
            };
            survey.repeats = survey.repeats || repeats();
            if seen.len() < MAX_SEEN {
                seen.extend(stones());
            }
        }
        survey
    }

    /// Whether at least half of several lines are moves.
    pub(super) fn is_moves(&self) -> bool {
        self.count > 1 && self.move_lines > 0 && 2 * self.move_lines >= self.count
    }

    /// Chooses how to divide the lines into games. `is_whole`: whether the text consists of moves
    /// only.
    pub(super) fn layout(&self, hints: &Hints, is_whole: bool) -> Layout {
        match hints.per_line {
            _ if self.count < 2 => Layout::One,
            Some(true) => Layout::Lines,
            Some(false) => Layout::One,
            None if self.links == self.count => Layout::Lines,
            None if self.headings > 0 => Layout::Parts,
            None if self.has_several() && self.numbered[0] > 1 && self.numbered[1] > 0 => {
                Layout::Parts
            }
            None if self.has_several() && !self.has_short => Layout::Lines,
            None if !is_whole && self.links > 0 && self.is_moves() => Layout::Lines,
            None => Layout::One,
        }
    }

    /// Whether the lines are more than one game.
    fn has_several(&self) -> bool {
        self.repeats || self.goes_on
    }

    /// Whether each line is a numbered turn, or a numbered game of one turn.
    pub(super) fn are_turns(&self) -> bool {
        self.are_turns && self.numbered[1] > 0
    }
}

/// Whether a repetition of this move indicates another game.
fn is_compared(what: &ListMove) -> bool {
    matches!(what, ListMove::Point(_) | ListMove::Pair(_) | ListMove::Letters(_))
}

/// Returns the lines of a text with content, each as a part.
pub(super) fn lines(text: &str) -> impl Iterator<Item = GamePart<'_>> {
    content_lines(text).map(|line| GamePart { text: line, at: offset(text, line), heading: "" })
}

/// Splits a text into parts that begin with headings or, if there are none, with lines that have
/// the number 1.
pub(super) fn parts(text: &str) -> impl Iterator<Item = GamePart<'_>> {
    let has_headings = content_lines(text).any(is_heading);
    let begins = move |line: &str| {
        if has_headings { is_heading(line) } else { number(&plain(line)) == Some(1) }
    };
    let mut rest = content_lines(text).peekable();
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

/// Returns the byte at which a part of a text begins.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Whether pieces fall, so that a letter alone is a move.
pub(super) fn falls(variant: Option<Variant>) -> bool {
    variant.is_some_and(Variant::falls)
}
