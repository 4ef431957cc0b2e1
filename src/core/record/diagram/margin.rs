//! Row labels: numbers or letters at an end of the rows.

use super::line::is_bar;
use crate::record::import::{Note, Place};
use crate::types::MIN_SIDE;

/// Value of the row letter A, so that letters never continue numbers.
const LETTERS: i64 = 1000;

/// The labels at one end of the rows, from top to bottom.
#[derive(Copy, Clone, Default)]
pub(super) struct Margin {
    first: Option<i64>,
    last: Option<i64>,
    /// Difference between the labels of the first two rows.
    step: i64,
    rows: usize,
    /// Whether a row has no label.
    bare: bool,
    rises: bool,
    falls: bool,
    /// First row whose label does not continue the row above: its line, the label above, its own.
    gap: Option<(usize, [i64; 2])>,
}

impl Margin {
    /// Adds the label of the next row.
    pub(super) fn take(&mut self, line: usize, label: Option<i64>) {
        self.bare |= label.is_none();
        if let (Some(last), Some(label)) = (self.last, label) {
            let step = label - last;
            self.rises |= step >= 0;
            self.falls |= step <= 0;
            if self.rows == 1 {
                self.step = step;
            }
            if step.abs() != 1 || step != self.step {
                self.gap.get_or_insert((line, [last, label]));
            }
        }
        self.first = if self.rows == 0 { label } else { self.first };
        self.last = label;
        self.rows += 1;
    }

    /// Whether every row has a label, and the labels go up or down by one.
    pub(super) fn is_there(self) -> bool {
        !self.bare && self.gap.is_none() && self.rows >= MIN_SIDE
    }

    /// Whether the rows are labelled from the top.
    pub(super) fn is_from_top(self) -> bool {
        self.is_there() && self.step > 0
    }

    /// Returns a doubt if labels are missing between rows, or where counting begins. `digits`:
    /// whether a number can be a point too.
    pub(super) fn doubt(self, digits: bool) -> Option<Note> {
        let ([first, last], true) = ([self.first?, self.last?], self.rows >= MIN_SIDE) else {
            return None;
        };
        let is_number = |label: i64| label < LETTERS;
        if let Some((line, [above, label])) = self.gap.filter(|_| !self.bare) {
            // Points at the ends of rows do not rise or fall for long.
            let is_label = self.rises != self.falls || !digits && is_number(above.max(label));
            let what = format!(
                "the row below {} is labelled {}: rows may be missing",
                shown(above),
                shown(label)
            );
            return is_label.then(|| Note::doubt(Place::Line(line), what));
        }
        if !self.is_there() {
            return None;
        }
        let least = first.min(last);
        let is_first = if is_number(least) { least <= 1 } else { least == LETTERS };
        (!is_first).then(|| {
            let what = format!("the least label of a row is {}: rows may be missing", shown(least));
            Note::doubt(Place::File, what)
        })
    }
}

/// Returns the labels at the left and right end of a row, which is given without the brackets and
/// commas of arrays.
pub(super) fn labels(row: &str) -> [Option<i64>; 2] {
    let mut words = row.split(|c: char| c.is_whitespace() || is_bar(c) || c == ':');
    let left = words.next().and_then(label);
    [left, words.next_back().and_then(label)]
}

/// Parses a row number or a row letter.
fn label(word: &str) -> Option<i64> {
    let word = word.trim_end_matches(')');
    match word.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => {
            Some(i64::from(byte.to_ascii_lowercase() - b'a') + LETTERS)
        }
        _ => word.parse().ok().filter(|&number: &i64| (0..=99).contains(&number)),
    }
}

/// Writes a label for a message.
fn shown(label: i64) -> String {
    let letter = u8::try_from(label - LETTERS).ok().filter(|&place| place < 26);
    letter.map_or_else(|| label.to_string(), |place| char::from(b'a' + place).to_string())
}
