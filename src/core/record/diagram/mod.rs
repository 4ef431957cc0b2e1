//! Boards drawn in text by people and programs, row by row from the top.
//!
//! ```text
//!    A B C D E
//!  5 . . . . . 5     row numbers and column letters are optional
//!  4 . X O . . 4     X x B b @ ● are Black, O o W w ○ White
//!  3 . .(X). . 3     brackets mark the newest stone
//!  2 . * . . . 2     . - _ + , * · and the crosses of a grid are empty
//!  1 . . . . . 1
//! white to move       if the stones do not say it; also `renju: white to move`
//! ```
//!
//! On a board of digits 0 is empty, 1 Black, 2 White; beside an X a 0 is an O. One of `* + #` is
//! Black if White has stones and Black has no other sign. A line such as `1=White 2=Black`
//! overrides this. Blanks between the signs do not matter, but if bars separate the points, as in
//! `| X |   |`, a blank is a point.

mod line;
mod margin;
mod printed;
mod said;
mod signs;
mod style;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::import::notes::Notes;
use super::import::{Note, Place, Question, Weight};
use super::lines::lines;
use super::quote::excerpt;
use crate::rules::Variant;
use crate::types::{Cell, Color, MAX_SIDE, MIN_SIDE};
use line::{LineKind, is_around, is_stroke, points_in_text};
use printed::Printed;
use said::{LineInfo, Mover, size_doubt};
use signs::{Meaning, SignCounts, class, narrow};
use style::{Style, fields, points};

/// A drawn board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Stones, row by row from the top.
    pub stones: Vec<(Cell, Color)>,
    /// Newest stone, if known.
    pub last: Option<Cell>,
    /// Side to move, if the drawing states it.
    pub to_move: Option<Color>,
}

/// A drawn board, its game, and notes on the drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The game, if a heading names it.
    pub variant: Option<Variant>,
    /// The board.
    pub board: Diagram,
    /// Whether the rows are labelled with numbers or letters.
    pub has_labels: bool,
    /// What was guessed or not used.
    pub notes: Vec<Note>,
}

/// Why a text is no board. Lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DiagramError {
    /// There is no row.
    #[error("no row of a board was found")]
    Empty,
    /// A sign that is neither a stone nor an empty point.
    #[error("line {line}, column {column}: {sign:?} is neither a stone nor an empty point")]
    Sign {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The sign.
        sign: char,
    },
    /// A row that is longer or shorter than the first.
    #[error("line {line}: a row of {found} points, but the first has {expected}")]
    Ragged {
        /// The line.
        line: usize,
        /// Number of points in the first row.
        expected: usize,
        /// Number of points in this row.
        found: usize,
    },
    /// A second stone in brackets.
    #[error("line {line}: a second stone in brackets")]
    TwoLast {
        /// The line.
        line: usize,
    },
    /// A board of an unsupported size.
    #[error("a board of {width}x{height} is not supported; sides must be {MIN_SIDE} to {MAX_SIDE}")]
    Size {
        /// Number of columns.
        width: usize,
        /// Number of rows.
        height: usize,
    },
}

/// Maximum number of text lines searched for the name of a game: headings are near the board.
const MAX_HEADINGS: usize = 64;

/// A sign of a row.
#[derive(Copy, Clone)]
struct Sign {
    sign: char,
    column: usize,
    bracket: bool,
}

/// Reads the board of a text.
///
/// # Errors
/// The text is no board; the error names the line and the sign.
pub fn read(text: &str) -> Result<Drawn, DiagramError> {
    let Some(Printed { heading, lines }) = Printed::of(text) else {
        return drawn(lines(text));
    };
    let Drawn { mut board, mut notes, has_labels, .. } = drawn(lines.into_iter())?;
    board.to_move = heading.to_move;
    notes.extend(size_doubt(Place::File, heading.size, (board.width, board.height)));
    Ok(Drawn { variant: Some(heading.variant), board, has_labels, notes })
}

/// Reads the board of numbered lines.
fn drawn<'a>(lines: impl Iterator<Item = (usize, &'a str)> + Clone) -> Result<Drawn, DiagramError> {
    let style = Style::of(lines.clone());
    let mut drawing = Drawing { style, ..Drawing::default() };
    for (line, content) in lines.clone() {
        drawing.take(line, content)?;
    }
    drawing.check()?;
    for (line, content) in lines {
        drawing.around(line, content);
    }
    drawing.finish()
}

/// A drawing while it is being read.
#[derive(Default)]
struct Drawing {
    style: Style,
    /// Line number and signs of each row, for at most [`MAX_SIDE`] rows.
    rows: Vec<(usize, Vec<Sign>)>,
    width: usize,
    height: usize,
    counts: BTreeMap<char, usize>,
    legend: BTreeMap<char, Color>,
    variant: Option<Variant>,
    to_move: Option<Color>,
    /// Number of text lines so far.
    texts: usize,
    notes: Notes,
}

impl Drawing {
    /// Reads a line if it is a row or a legend.
    fn take(&mut self, line: usize, content: &str) -> Result<(), DiagramError> {
        let bare = line::bare(content);
        match line::kind(bare) {
            kind if self.style.is_row(&kind, bare) => self.row(line, content)?,
            LineKind::Legend(signs) => self.legend.extend(signs),
            _ => {}
        }
        Ok(())
    }

    /// Reads a line around the rows, after all rows have been read.
    fn around(&mut self, line: usize, content: &str) {
        let bare = line::bare(content);
        match line::kind(bare) {
            kind if self.style.is_row(&kind, bare) => {}
            LineKind::Row if self.style.is_border(bare) => {}
            LineKind::Head { without_i: true } => {
                let text = "the drawing letters its columns without I, Goren with I";
                self.notes.remark(Place::Line(line), text);
            }
            LineKind::Row | LineKind::Text => self.text(Place::Line(line), bare),
            LineKind::Ornament
            | LineKind::Hyphens
            | LineKind::Head { .. }
            | LineKind::Legend(_) => {}
        }
    }

    /// Reads a line that is no part of the board but may state something about it.
    fn text(&mut self, place: Place, content: &str) {
        self.texts += 1;
        let info = LineInfo::of(content, self.texts <= MAX_HEADINGS).unwrap_or_default();
        let is_used = self.apply(place, &info);
        if is_used && !info.has_others {
            return;
        }
        let quote = excerpt(content.trim());
        let points = points_in_text(content, |c| self.counts.contains_key(&c), self.style.digits);
        let is_other_game = info.game.is_some_and(|game| Some(game.variant) != self.variant);
        self.notes.push(if points >= MIN_SIDE && 2 * points >= self.width {
            Note::doubt(place, format!("not used: {quote:?}, which looks like a row of the board"))
        } else if content.to_lowercase().contains("captur") {
            Note::doubt(place, format!("not used: {quote:?}"))
        } else if info.is_unclear_game || is_other_game {
            let what = format!("not used: {quote:?}, which seems to name a rule");
            Note::doubt(place, what).asking(Question::Game)
        } else if is_used {
            Note::remark(place, format!("of {quote:?}, only the side to move is used"))
        } else {
            Note::remark(place, format!("not used: {quote:?}"))
        });
    }

    /// Applies side to move, game and size from a line of text. Returns whether any of them is
    /// used. Next to other words, game and size are ignored, as they may refer to something else.
    fn apply(&mut self, place: Place, info: &LineInfo) -> bool {
        let mut is_used = false;
        if let Some(Mover { color, sign }) = info.to_move {
            let signed = self.legend.iter().find(|&(&of, _)| Some(of.to_ascii_lowercase()) == sign);
            let color = signed.map_or(color, |(_, &color)| color);
            if info.are_two_sides || self.to_move.is_some_and(|other| other != color) {
                self.notes.doubt(place, "the side to move is not the one named elsewhere");
            }
            self.to_move = Some(color);
            is_used = true;
        }
        if info.has_others || info.is_unclear_game {
            return is_used;
        }
        if let Some(game) = info.game {
            if self.variant.is_some_and(|other| other != game.variant) {
                let what = "the game named here is not the one named elsewhere";
                self.notes.push(Note::doubt(place, what).asking(Question::Game));
            }
            self.variant = Some(game.variant);
            let hint = game.hint.map(|hint| Note::remark(place, hint).asking(Question::Game));
            hint.into_iter().for_each(|note| self.notes.push(note));
            is_used = true;
        }
        if let Some(size) = info.size {
            let doubt = size_doubt(place, size, (self.width, self.height));
            doubt.into_iter().for_each(|note| self.notes.push(note));
            is_used = true;
        }
        is_used
    }

    /// Reads the next row.
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
            barred_row(line, content, &mut put)?;
        } else {
            self.loose_row(line, content, &mut put)?;
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

    /// Reads the signs of a row in which blanks mean nothing.
    fn loose_row(
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
                // This is `-1`: skip the digit.
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

    /// Checks that there are rows and that the size of the board is supported.
    fn check(&self) -> Result<(), DiagramError> {
        let Drawing { width, height, .. } = *self;
        if height == 0 {
            return Err(DiagramError::Empty);
        }
        let is_side = |side: usize| (MIN_SIDE..=MAX_SIDE).contains(&side);
        let is_board = is_side(width) && is_side(height);
        if is_board { Ok(()) } else { Err(DiagramError::Size { width, height }) }
    }

    /// Returns the board, after all lines have been read.
    fn finish(mut self) -> Result<Drawn, DiagramError> {
        let Drawing { width, height, variant, .. } = self;
        let meanings = SignCounts { counts: &self.counts, legend: &self.legend }.meanings();
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
        for (text, is_guess) in meanings.messages {
            let weight = if is_guess { Weight::Doubt } else { Weight::Remark };
            let text = if self.style.minus { text.replace("2 as", "-1 as") } else { text };
            self.notes.push(Note { weight, ..Note::remark(Place::File, text) });
        }
        let Style { margins, digits, .. } = self.style;
        for doubt in margins.iter().filter_map(|margin| margin.doubt(digits)) {
            self.notes.push(doubt);
        }
        let margin = margins.iter().find(|margin| margin.is_there());
        if margin.is_some_and(|margin| margin.is_from_top()) {
            let text = "the drawing numbers its rows from the top, Goren from the bottom";
            self.notes.remark(Place::File, text);
        }
        let has_labels = margin.is_some();
        Ok(Drawn { variant, board, has_labels, notes: self.notes.finish() })
    }
}

/// Returns the byte at which a part of a text begins.
fn offset_in(part: &str, text: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Reads the signs of a row whose points are separated by bars; a blank is a point too.
fn barred_row(
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
