//! Boards as people and programs draw them in text, row by row from the top.
//!
//! ```text
//!    A B C D E
//!  5 . . . . . 5     row numbers and column letters may be there or not
//!  4 . X O . . 4     X x B b @ ● are Black, O o W w ○ White
//!  3 . .(X). . 3     brackets mark the newest stone
//!  2 . * . . . 2     . - _ + , * · and the crosses of a grid are empty
//!  1 . . . . . 1
//! white to move       if the stones do not say it
//! ```
//!
//! In a board of digits 0 is empty, 1 Black, 2 White; beside an X a 0 is an O.
//! One of `* + #` is Black where White has stones and Black has no other sign.
//! A line such as `1=White 2=Black` says otherwise. Blanks between the signs do
//! not matter; where bars part the points, `| X |   |`, a blank is one.

mod line;
mod printed;
mod signs;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::import::notes::Notes;
use super::import::{Note, Place, Weight};
use super::quote::excerpt;
use crate::rules::Variant;
use crate::types::{Cell, Color, MAX_SIDE, MIN_SIDE};
use line::{LineKind, is_around, is_bar, is_stroke};
use printed::Printed;
use signs::{Counted, Meaning, class, narrow};

/// A board as it was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The stones, row by row from the top.
    pub stones: Vec<(Cell, Color)>,
    /// The stone in brackets.
    pub last: Option<Cell>,
    /// Who is to move, if it is said.
    pub to_move: Option<Color>,
}

/// A board that was drawn, and what is to be said about the drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The game, where a heading names it.
    pub variant: Option<Variant>,
    /// The board.
    pub board: Diagram,
    /// Whether its rows have numbers or letters.
    pub has_labels: bool,
    /// What was guessed or not used.
    pub notes: Vec<Note>,
}

/// Why a text is no board. Lines and columns count from 1, columns in
/// characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DiagramError {
    /// No row is there.
    #[error("there is no row of a board in it")]
    Empty,
    /// A sign that is neither a stone nor an empty point.
    #[error("line {line}, column {column}: {sign:?} is no stone and no empty point")]
    Sign {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The sign.
        sign: char,
    },
    /// A row that is longer or shorter than the first.
    #[error("line {line}: a row of {found} points, where the first has {expected}")]
    Ragged {
        /// The line.
        line: usize,
        /// Points of the first row.
        expected: usize,
        /// Points of this one.
        found: usize,
    },
    /// A second stone in brackets.
    #[error("line {line}: a second stone in brackets")]
    TwoLast {
        /// The line.
        line: usize,
    },
    /// A board of a size that is not played.
    #[error("a board of {width}x{height}; sides are {MIN_SIDE} to {MAX_SIDE}")]
    Size {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
}

/// Bars of a line that part points, and not only frame them.
const PARTING: usize = 4;

/// Whether numbers or letters at an end of the rows go up or down by one.
#[derive(Copy, Clone, Default)]
struct Margin {
    last: Option<i64>,
    step: i64,
    rows: usize,
    broken: bool,
}

impl Margin {
    fn take(&mut self, word: Option<i64>) {
        match (self.last, word) {
            (_, None) => self.broken = true,
            (None, _) => {}
            (Some(last), Some(word)) => {
                let step = word - last;
                self.broken |= step.abs() != 1 || self.rows > 1 && step != self.step;
                self.step = step;
            }
        }
        self.last = word;
        self.rows += 1;
    }

    fn is_there(self) -> bool {
        !self.broken && self.rows >= MIN_SIDE
    }
}

/// How the rows of a drawing are to be read.
#[derive(Default)]
struct Style {
    /// Bars part the points.
    bars: bool,
    /// Commas part the points.
    commas: bool,
    /// Hyphens join the points.
    hyphens: bool,
    /// Points of a row in which hyphens are points, if there is one.
    hyphen_points: Option<usize>,
    /// Digits are stones and empty points.
    digits: bool,
    /// White's stones are `-1`, as in arrays of programs.
    minus: bool,
    /// Row numbers, or letters, at the left and at the right.
    margins: [Margin; 2],
}

impl Style {
    /// The style of the lines of a text.
    fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Style {
        let mut style = Style { commas: true, ..Style::default() };
        let (mut grid, mut hyphens, mut others) = (false, false, false);
        for content in lines.map(line::bare) {
            let bars = content.chars().filter(|&c| is_bar(c)).count();
            let only_bars = content.chars().all(|c| is_bar(c) || c.is_whitespace());
            grid |= only_bars && bars > PARTING;
            if line::kind(content) != LineKind::Row {
                continue;
            }
            style.bars |= bars >= PARTING && fields(content).all(|field| points(field).count() < 2);
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
            let mut words = trimmed.split(|c: char| c.is_whitespace() || is_bar(c) || c == ':');
            style.margins[0].take(words.next().and_then(margin));
            style.margins[1].take(words.next_back().and_then(margin));
        }
        style.hyphens = grid && hyphens && !style.bars;
        style.minus = hyphens && !others && style.digits;
        style
    }

    /// The part of a line that holds the points: the bytes at which it begins
    /// and ends.
    fn body(&self, content: &str) -> (usize, usize) {
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

/// What arrays in code put around rows.
fn is_edge(c: char) -> bool {
    matches!(c, '[' | ']' | '{' | '}' | '(' | ')' | ',' | ';') || c.is_whitespace()
}

/// The number of a row, or the place of its letter.
fn margin(word: &str) -> Option<i64> {
    let letter = |byte: &u8| i64::from(byte.to_ascii_lowercase()) - i64::from(b'a');
    match word.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(letter(byte) + 1000),
        _ => word.parse().ok().filter(|&number: &i64| (0..=99).contains(&number)),
    }
}

/// What stands between the bars of a line, without its ends where they are
/// outside the bars.
fn fields(content: &str) -> impl Iterator<Item = &str> {
    let inner = content.trim().trim_matches(|c: char| c.is_ascii_digit()).trim();
    let outer = inner.starts_with(is_bar) && inner.ends_with(is_bar) && inner.chars().count() > 1;
    let inner = if outer { inner.trim_start_matches(is_bar) } else { inner };
    let cut = inner.char_indices().next_back().map_or(0, |(at, _)| at);
    inner[..if outer { cut } else { inner.len() }].split(is_bar)
}

/// The signs of a text that can be points.
fn points(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(narrow).filter(|&c| !c.is_whitespace() && !is_around(c))
}

/// A sign of a row.
#[derive(Copy, Clone)]
struct Sign {
    sign: char,
    column: usize,
    bracket: bool,
}

/// The board of a text.
///
/// # Errors
/// The text is no board; names the line and the sign.
pub fn read(text: &str) -> Result<Drawn, DiagramError> {
    let Some(Printed { heading, lines }) = Printed::of(text) else {
        return drawn((1..).zip(text.lines()));
    };
    let Drawn { mut board, mut notes, has_labels, .. } = drawn(lines.into_iter())?;
    board.to_move = heading.to_move;
    notes.extend(heading.doubt((board.width, board.height)));
    Ok(Drawn { variant: Some(heading.variant), board, has_labels, notes })
}

/// The board of some lines with their numbers.
fn drawn<'a>(lines: impl Iterator<Item = (usize, &'a str)> + Clone) -> Result<Drawn, DiagramError> {
    let style = Style::of(lines.clone().map(|(_, content)| content));
    let mut drawing = Drawing { style, ..Drawing::default() };
    for (line, content) in lines {
        drawing.take(line, content)?;
    }
    drawing.finish()
}

/// A drawing in the making.
#[derive(Default)]
struct Drawing {
    style: Style,
    /// The signs of the rows, as many as a board can have, and their lines.
    rows: Vec<(usize, Vec<Sign>)>,
    width: usize,
    height: usize,
    counts: BTreeMap<char, usize>,
    legend: BTreeMap<char, Color>,
    to_move: Option<Color>,
    notes: Notes,
}

impl Drawing {
    fn take(&mut self, line: usize, content: &str) -> Result<(), DiagramError> {
        let bare = line::bare(content);
        let bars = bare.chars().filter(|&c| is_bar(c)).count();
        match line::kind(bare) {
            LineKind::Hyphens if self.style.hyphen_points == Some(points(bare).count()) => {
                self.row(line, content)
            }
            // Where bars part the points, a row may have no sign at all.
            LineKind::Ornament | LineKind::Row | LineKind::Text
                if self.style.bars && bars >= PARTING =>
            {
                self.row(line, content)
            }
            LineKind::Row if self.style.bars && bars == 0 && is_border(bare) => Ok(()),
            LineKind::Row if self.is_row(bare) => self.row(line, content),
            LineKind::Ornament | LineKind::Hyphens => Ok(()),
            LineKind::Head { without_i } => {
                if without_i {
                    let text =
                        "the columns at the margin are lettered without I; here they are not";
                    self.notes.remark(Place::Line(line), text);
                }
                Ok(())
            }
            LineKind::ToMove(color) => {
                self.to_move = Some(color);
                Ok(())
            }
            LineKind::Legend(signs) => {
                self.legend.extend(signs);
                Ok(())
            }
            LineKind::Row | LineKind::Text => {
                self.text(line, bare);
                Ok(())
            }
        }
    }

    /// Whether a line that could be a row is one.
    fn is_row(&self, content: &str) -> bool {
        if self.style.bars {
            return false;
        }
        let has_sign = points(content).any(|c| !c.is_ascii_digit());
        let is_number = content.trim().len() <= 2 && !has_sign;
        // Dates and the like.
        let digit = |c: char| c.is_ascii_digit();
        let inner = content.trim().trim_matches(digit);
        let has_number = inner.split(|c: char| !digit(c)).any(|part| part.len() > 1);
        self.style.digits && !is_number || has_sign && !has_number
    }

    /// A line that is no part of the board.
    fn text(&mut self, line: usize, content: &str) {
        let text = format!("not used: {:?}", excerpt(content.trim()));
        let captures = content.to_lowercase().contains("captur");
        let weight = if captures { Weight::Doubt } else { Weight::Remark };
        self.notes.push(Note { weight, ..Note::remark(Place::Line(line), text) });
    }

    /// Takes in a row below those there are.
    fn row(&mut self, line: usize, content: &str) -> Result<(), DiagramError> {
        let mut row = Vec::new();
        let mut width = 0;
        let mut put = |sign: Option<Sign>| {
            // Beyond the largest board only the count matters, for the error.
            if width < MAX_SIDE
                && let Some(sign) = sign
            {
                row.push(sign);
            }
            width += 1;
        };
        if self.style.bars {
            parted(line, content, &mut put)?;
        } else {
            self.loose(line, content, &mut put)?;
        }
        for Sign { sign, .. } in &row {
            *self.counts.entry(*sign).or_default() += 1;
        }
        if self.height == 0 {
            self.width = width;
        }
        self.height += 1;
        if width != self.width {
            return Err(DiagramError::Ragged { line, expected: self.width, found: width });
        }
        if self.rows.len() < MAX_SIDE {
            self.rows.push((line, row));
        }
        Ok(())
    }

    /// The signs of a row in which blanks mean nothing.
    fn loose(
        &self,
        line: usize,
        content: &str,
        put: &mut dyn FnMut(Option<Sign>),
    ) -> Result<(), DiagramError> {
        let bare = line::bare(content);
        let offset = offset_in(bare, content);
        let (start, end) = self.style.body(bare);
        let (start, end) = (offset + start, offset + end);
        let before = content[..start].chars().count();
        let mut bracket = false;
        let mut signs = (before + 1..).zip(content[start..end].chars().map(narrow));
        while let Some((column, sign)) = signs.next() {
            match sign {
                // The digit 1 of -1 follows.
                '-' if self.style.minus => {
                    signs.next();
                    put(Some(Sign { sign: '2', column, bracket: false }));
                }
                '(' | '[' | '<' => bracket = !self.style.digits && !self.style.commas,
                '-' if self.style.hyphens => {}
                ',' | ';' if self.style.commas => {}
                c if c.is_whitespace() || is_around(c) || is_stroke(c) => {}
                _ if class(sign).is_none() => {
                    return Err(DiagramError::Sign { line, column, sign });
                }
                _ => put(Some(Sign { sign, column, bracket: std::mem::take(&mut bracket) })),
            }
        }
        Ok(())
    }

    /// The board, when all lines are in.
    fn finish(mut self) -> Result<Drawn, DiagramError> {
        let Drawing { width, height, .. } = self;
        if height == 0 {
            return Err(DiagramError::Empty);
        }
        let sides = MIN_SIDE..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(DiagramError::Size { width, height });
        }
        let meanings = Counted { counts: &self.counts, legend: &self.legend }.meanings();
        let mut board =
            Diagram { width, height, stones: Vec::new(), last: None, to_move: self.to_move };
        for (y, (line, row)) in self.rows.iter().enumerate() {
            let line = *line;
            for (x, &Sign { sign, column, bracket }) in row.iter().enumerate() {
                let (color, newest) = match meanings.of(sign) {
                    _ if sign == ' ' => continue,
                    Some(Meaning::Empty) => continue,
                    Some(Meaning::Stone(color)) => (color, bracket),
                    Some(Meaning::Newest(color)) => (color, true),
                    None => return Err(DiagramError::Sign { line, column, sign }),
                };
                let cell = Cell::new(x, y);
                board.stones.push((cell, color));
                if newest && board.last.replace(cell).is_some() {
                    return Err(DiagramError::TwoLast { line });
                }
            }
        }
        for (text, is_guess) in meanings.told {
            let weight = if is_guess { Weight::Doubt } else { Weight::Remark };
            let text = if self.style.minus { text.replace("2 as", "-1 as") } else { text };
            self.notes.push(Note { weight, ..Note::remark(Place::File, text) });
        }
        let margin = self.style.margins.iter().find(|margin| margin.is_there());
        if margin.is_some_and(|margin| margin.step > 0) {
            let text = "rows are numbered from the top there; here they count from the bottom";
            self.notes.remark(Place::File, text);
        }
        let has_labels = margin.is_some();
        Ok(Drawn { variant: None, board, has_labels, notes: self.notes.finish() })
    }
}

/// The byte at which a part of a text begins in it.
fn offset_in(part: &str, text: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Whether a line parts the rows above and below it.
fn is_border(content: &str) -> bool {
    let is_part = |c: char| matches!(c, '+' | '-' | '=') || matches!(c, '\u{2500}'..='\u{257f}');
    points(content).all(is_part)
}

/// The signs of a row whose points are parted by bars; a blank is one too.
fn parted(
    line: usize,
    content: &str,
    put: &mut dyn FnMut(Option<Sign>),
) -> Result<(), DiagramError> {
    for field in fields(content) {
        let column = content[..offset_in(field, content)].chars().count() + 1;
        let mut signs = points(field);
        let (first, second) = (signs.next(), signs.next());
        if let Some(sign) = second.or(first.filter(|&sign| class(sign).is_none())) {
            return Err(DiagramError::Sign { line, column, sign });
        }
        let bracket = field.contains(['(', '[', '<']);
        put(Some(Sign { sign: first.unwrap_or(' '), column, bracket }));
    }
    Ok(())
}
