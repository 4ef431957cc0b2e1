//! Boards as people and programs draw them in text, row by row from the top.
//!
//! ```text
//!    A B C D E
//!  5 . . . . . 5     row numbers and column letters may be there or not
//!  4 . X O . . 4     X x B b @ ● are Black, O o W w ○ White
//!  3 . .(X). . 3     brackets mark the newest stone
//!  2 . * . . . 2     . - _ + , * · and the crosses of a grid are empty
//!  1 . . . . . 1
//! white to move       if the stones do not say it; also `renju: white to move`
//! ```
//!
//! In a board of digits 0 is empty, 1 Black, 2 White; beside an X a 0 is an O.
//! One of `* + #` is Black where White has stones and Black has no other sign.
//! A line such as `1=White 2=Black` says otherwise. Blanks between the signs do
//! not matter; where bars part the points, `| X |   |`, a blank is one.

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
    /// The side to move, if the drawing tells it.
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

/// Lines of text in which games are looked for: a board has its headings near it.
const MOST_HEADINGS: usize = 64;

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
        return drawn(lines(text));
    };
    let Drawn { mut board, mut notes, has_labels, .. } = drawn(lines.into_iter())?;
    board.to_move = heading.to_move;
    notes.extend(size_doubt(Place::File, heading.size, (board.width, board.height)));
    Ok(Drawn { variant: Some(heading.variant), board, has_labels, notes })
}

/// The board of some lines with their numbers.
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

/// A drawing while it is read.
#[derive(Default)]
struct Drawing {
    style: Style,
    /// The signs of the rows, as many as a board can have, and their lines.
    rows: Vec<(usize, Vec<Sign>)>,
    width: usize,
    height: usize,
    counts: BTreeMap<char, usize>,
    legend: BTreeMap<char, Color>,
    variant: Option<Variant>,
    to_move: Option<Color>,
    /// Lines of text so far.
    texts: usize,
    notes: Notes,
}

impl Drawing {
    /// Takes in a line if it is a row or says which signs are whose.
    fn take(&mut self, line: usize, content: &str) -> Result<(), DiagramError> {
        let bare = line::bare(content);
        match line::kind(bare) {
            kind if self.style.is_row(&kind, bare) => self.row(line, content)?,
            LineKind::Legend(signs) => self.legend.extend(signs),
            _ => {}
        }
        Ok(())
    }

    /// Takes in a line around the rows, when those are in.
    fn around(&mut self, line: usize, content: &str) {
        let bare = line::bare(content);
        match line::kind(bare) {
            kind if self.style.is_row(&kind, bare) => {}
            LineKind::Row if self.style.is_border(bare) => {}
            LineKind::Head { without_i: true } => {
                let text = "the columns at the margin are lettered without I; here they are not";
                self.notes.remark(Place::Line(line), text);
            }
            LineKind::Row | LineKind::Text => self.text(Place::Line(line), bare),
            LineKind::Ornament
            | LineKind::Hyphens
            | LineKind::Head { .. }
            | LineKind::Legend(_) => {}
        }
    }

    /// A line that is no part of the board, and may say something of it.
    fn text(&mut self, place: Place, content: &str) {
        self.texts += 1;
        let said = LineInfo::of(content, self.texts <= MOST_HEADINGS).unwrap_or_default();
        let is_used = self.apply(place, &said);
        if is_used && !said.has_others {
            return;
        }
        let quote = excerpt(content.trim());
        let points = points_in_text(content, |c| self.counts.contains_key(&c), self.style.digits);
        let is_other_game = said.game.is_some_and(|game| Some(game.variant) != self.variant);
        self.notes.push(if points >= MIN_SIDE && 2 * points >= self.width {
            Note::doubt(place, format!("not used: {quote:?}, which looks like a row of the board"))
        } else if content.to_lowercase().contains("captur") {
            Note::doubt(place, format!("not used: {quote:?}"))
        } else if said.is_unclear_game || is_other_game {
            let what = format!("not used: {quote:?}, which seems to name a rule");
            Note::doubt(place, what).asking(Question::Game)
        } else if is_used {
            Note::remark(place, format!("only the side to move is used of {quote:?}"))
        } else {
            Note::remark(place, format!("not used: {quote:?}"))
        });
    }

    /// Applies what a line of text says: side to move, game and size. Whether it says any of
    /// these. Names of games and sizes beside other words may be those of something else.
    fn apply(&mut self, place: Place, said: &LineInfo) -> bool {
        let mut is_used = false;
        if let Some(Mover { color, sign }) = said.to_move {
            let signed = self.legend.iter().find(|&(&of, _)| Some(of.to_ascii_lowercase()) == sign);
            let color = signed.map_or(color, |(_, &color)| color);
            if said.are_two_sides || self.to_move.is_some_and(|other| other != color) {
                self.notes.doubt(place, "another side is to move than it says elsewhere");
            }
            self.to_move = Some(color);
            is_used = true;
        }
        if said.has_others || said.is_unclear_game {
            return is_used;
        }
        if let Some(game) = said.game {
            if self.variant.is_some_and(|other| other != game.variant) {
                let what = "another game is named than elsewhere";
                self.notes.push(Note::doubt(place, what).asking(Question::Game));
            }
            self.variant = Some(game.variant);
            let hint = game.hint.map(|hint| Note::remark(place, hint).asking(Question::Game));
            hint.into_iter().for_each(|note| self.notes.push(note));
            is_used = true;
        }
        if let Some(size) = said.size {
            let doubt = size_doubt(place, size, (self.width, self.height));
            doubt.into_iter().for_each(|note| self.notes.push(note));
            is_used = true;
        }
        is_used
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

    /// Checks the size of the board; a board without rows or of a size that is not played is
    /// refused.
    fn check(&self) -> Result<(), DiagramError> {
        let Drawing { width, height, .. } = *self;
        if height == 0 {
            return Err(DiagramError::Empty);
        }
        let is_side = |side: usize| (MIN_SIDE..=MAX_SIDE).contains(&side);
        let is_board = is_side(width) && is_side(height);
        if is_board { Ok(()) } else { Err(DiagramError::Size { width, height }) }
    }

    /// The board, when all lines are in.
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
        for (text, is_guess) in meanings.reported {
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
            let text = "rows are numbered from the top there; here they count from the bottom";
            self.notes.remark(Place::File, text);
        }
        let has_labels = margin.is_some();
        Ok(Drawn { variant, board, has_labels, notes: self.notes.finish() })
    }
}

/// The byte at which a part of a text begins in it.
fn offset_in(part: &str, text: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
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
