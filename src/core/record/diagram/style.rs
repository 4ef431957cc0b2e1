//! How to read the rows of a drawing: what separates the points, and where the points begin and
//! end.

use super::line::{self, LineKind, is_around, is_bar};
use super::margin::{Margin, labels};
use super::signs::{class, narrow};
use crate::types::MIN_SIDE;

/// Minimum number of bars in a line that separate points instead of framing them.
const MIN_BARS: usize = 4;

/// The style of the rows of a drawing.
#[derive(Default)]
pub(super) struct Style {
    /// Whether bars separate the points.
    pub(super) bars: bool,
    /// Whether commas separate the points.
    pub(super) commas: bool,
    /// Whether hyphens join the points.
    pub(super) hyphens: bool,
    /// Number of points in a row in which hyphens are points, if there is one.
    hyphen_points: Option<usize>,
    /// Whether digits are stones and empty points.
    pub(super) digits: bool,
    /// Whether White's stones are `-1`, as in arrays of programs.
    pub(super) minus: bool,
    /// Row numbers or letters at the left and at the right.
    pub(super) margins: [Margin; 2],
}

impl Style {
    /// Finds the style of the lines of a text.
    pub(super) fn of<'a>(lines: impl Iterator<Item = (usize, &'a str)> + Clone) -> Style {
        let mut style = Style { commas: true, ..Style::default() };
        let (mut grid, mut hyphens, mut others) = (false, false, false);
        for content in lines.clone().map(|(_, line)| line::bare(line)) {
            let bars = content.chars().filter(|&c| is_bar(c)).count();
            let only_bars = content.chars().all(|c| is_bar(c) || c.is_whitespace());
            grid |= only_bars && bars > MIN_BARS;
            if line::kind(content) != LineKind::Row {
                continue;
            }
            style.bars |=
                bars >= MIN_BARS && fields(content).all(|field| points(field).count() < 2);
            if content.contains('-') {
                hyphens = true;
                others |= content.split('-').skip(1).any(|rest| !rest.starts_with('1'));
                let inner = content.trim().trim_matches(|c: char| c.is_ascii_digit());
                let count = points(inner).count();
                style.hyphen_points = style.hyphen_points.max(Some(count));
            }
            let commas = content.matches(',').count();
            let quoted = content.contains('"');
            let signs = content.chars().filter(|&c| class(narrow(c)).is_some() && c != ',').count();
            style.commas &= quoted || commas > 1 && commas + 1 >= signs / 2;
            let number = |c: char| c.is_ascii_digit();
            let trimmed = content.trim().trim_matches(is_edge);
            let only_digits = points(content).all(number);
            let inner = trimmed.trim_matches(number);
            let alone = |part: &str| part.len() == 1 && part.starts_with(number);
            style.digits |= only_digits && points(content).count() >= MIN_SIDE
                || inner.split(|c: char| !number(c)).any(alone);
        }
        style.hyphens = grid && hyphens && !style.bars;
        style.minus = hyphens && !others && style.digits;
        for (line, content) in lines.map(|(line, content)| (line, line::bare(content))) {
            let kind = line::kind(content);
            // A line of hyphens may be a frame.
            if kind != LineKind::Hyphens && style.is_row(&kind, content) {
                let labels = labels(content.trim().trim_matches(is_edge));
                (0..2).for_each(|end| style.margins[end].take(line, labels[end]));
            }
        }
        style
    }

    /// Whether a line is a row of the board.
    pub(super) fn is_row(&self, kind: &LineKind, content: &str) -> bool {
        let bars = || content.chars().filter(|&c| is_bar(c)).count();
        match kind {
            LineKind::Hyphens if self.hyphen_points == Some(points(content).count()) => true,
            // If bars separate the points, a row may have no sign at all.
            LineKind::Ornament | LineKind::Row | LineKind::Text if self.bars => bars() >= MIN_BARS,
            LineKind::Row => self.is_loose_row(content),
            _ => false,
        }
    }

    /// Whether a line that could be a row is one, if no bars separate the points.
    fn is_loose_row(&self, content: &str) -> bool {
        let has_sign = points(content).any(|c| !c.is_ascii_digit());
        let is_number = content.trim().len() <= 2 && !has_sign;
        // Lines with long numbers are dates and the like.
        let digit = |c: char| c.is_ascii_digit();
        let inner = content.trim().trim_matches(digit);
        let has_number = inner.split(|c: char| !digit(c)).any(|part| part.len() > 1);
        self.digits && !is_number || has_sign && !has_number
    }

    /// Whether a line is the border between two rows.
    pub(super) fn is_border(&self, content: &str) -> bool {
        let is_part =
            |c: char| matches!(c, '+' | '-' | '=') || matches!(c, '\u{2500}'..='\u{257f}');
        self.bars && !content.contains(is_bar) && points(content).all(is_part)
    }

    /// Returns the first and last byte (exclusive) of the part of a line that holds the points.
    pub(super) fn body(&self, content: &str) -> (usize, usize) {
        let number = |c: char| c.is_ascii_digit();
        let start = content.len() - content.trim_start().len();
        let end = content.trim_end().len();
        let body = &content[start..end];
        let is_part = |c: char| c.is_whitespace() || matches!(c, ':' | ')') || is_bar(c);
        // Numbers may touch the signs, unless they could be signs.
        let left = match (self.digits, self.margins[0].is_there()) {
            (true, false) => 0,
            (true, true) => body.find(is_part).unwrap_or(0),
            (false, true) if body.starts_with(|c: char| c.is_ascii_alphabetic()) => 1,
            (false, _) => body.len() - body.trim_start_matches(number).len(),
        };
        let left = left + body[left..].len() - body[left..].trim_start_matches([':', ')']).len();
        let rest = &body[left..];
        let right = match (self.digits, self.margins[1].is_there()) {
            (true, false) => rest.len(),
            (true, true) => rest.rfind(is_part).map_or(rest.len(), |at| at + 1),
            (false, true) if rest.ends_with(|c: char| c.is_ascii_alphabetic()) => rest.len() - 1,
            (false, _) => rest.trim_end_matches(number).len(),
        };
        (start + left, start + left + right)
    }
}

/// Whether a character may surround the rows of an array in code.
fn is_edge(c: char) -> bool {
    matches!(c, '[' | ']' | '{' | '}' | '(' | ')' | ',' | ';') || c.is_whitespace()
}

/// Splits a line at its bars, without the text outside the outer bars.
pub(super) fn fields(content: &str) -> impl Iterator<Item = &str> {
    let inner = content.trim().trim_matches(|c: char| c.is_ascii_digit()).trim();
    let outer = inner.starts_with(is_bar) && inner.ends_with(is_bar) && inner.chars().count() > 1;
    let inner = if outer { inner.trim_start_matches(is_bar) } else { inner };
    let cut = inner.char_indices().next_back().map_or(0, |(at, _)| at);
    inner[..if outer { cut } else { inner.len() }].split(is_bar)
}

/// Returns the characters of a text that can be points.
pub(super) fn points(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(narrow).filter(|&c| !c.is_whitespace() && !is_around(c))
}
