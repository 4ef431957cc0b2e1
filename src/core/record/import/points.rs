//! Points with a letter for the column, on boards with and without a column I.

use std::fmt;

use super::{Columns, Note, Place, Question};
use crate::types::Cell;

/// Index of I in the alphabet, from 0.
const I: usize = 8;

/// A point as written: index of its letter in the alphabet, from 0, and row, from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::record) struct WrittenPoint {
    pub(in crate::record) letter: usize,
    pub(in crate::record) row: usize,
}

impl fmt::Display for WrittenPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.letter.min(25) as u8), self.row)
    }
}

/// Parses a point such as `h8`.
pub(in crate::record) fn point(text: &str) -> Option<WrittenPoint> {
    crate::types::read_point(text).map(|(letter, row)| WrittenPoint { letter, row })
}

/// Returns the column of a letter, from 0.
fn column(letter: usize, columns: Columns) -> Option<usize> {
    match columns {
        Columns::WithI => Some(letter),
        Columns::WithoutI if letter == I => None,
        Columns::WithoutI => Some(letter - usize::from(letter > I)),
    }
}

impl WrittenPoint {
    /// Whether the point is in column I on a board without one.
    pub(in crate::record) fn lacks_column(self, columns: Columns) -> bool {
        column(self.letter, columns).is_none()
    }

    /// Returns the cell of the point; `None` if it is off the board.
    pub(in crate::record) fn cell(
        self,
        columns: Columns,
        (width, height): (usize, usize),
        from_top: bool,
    ) -> Option<Cell> {
        let x = column(self.letter, columns).filter(|&x| x < width)?;
        let on_board = (1..=height).contains(&self.row);
        let y = if from_top { self.row.wrapping_sub(1) } else { height.wrapping_sub(self.row) };
        on_board.then(|| Cell::new(x, y))
    }
}

/// Guesses how the columns of a game's points are lettered, if the user does not specify it.
/// Returns a note if the guess makes a difference. `usual` is the lettering of the format;
/// `always`: whether it is binding.
pub(in crate::record) fn guess(
    points: &[WrittenPoint],
    (width, height): (usize, usize),
    usual: Columns,
    always: bool,
) -> (Columns, Option<Note>) {
    let fits = |columns| {
        let inside =
            |point: &WrittenPoint| column(point.letter, columns).is_some_and(|x| x < width);
        points.iter().all(inside)
    };
    let is_centre = |columns| {
        let first = points.first().filter(|point| point.row == height.div_ceil(2));
        first.and_then(|first| column(first.letter, columns)) == Some(width / 2)
    };
    let (with, without) = (Columns::WithI, Columns::WithoutI);
    let matters = points.iter().any(|point| point.letter >= I);
    let (columns, reason) = match (fits(with), fits(without)) {
        (true, true) if !always && is_centre(with) != is_centre(without) => {
            let columns = if is_centre(with) { with } else { without };
            (columns, "as the first stone is the centre then")
        }
        (true, false) => (with, "as it occurs"),
        (false, true) => (without, "as the last letter needs it"),
        _ => (usual, "as usual in such files"),
    };
    let how = if columns == with { "with" } else { "without" };
    let text = format!("columns are lettered {how} I, {reason}");
    // Otherwise a single misread letter could have led to this choice.
    let is_sure = columns == usual || is_centre(columns);
    let note = if is_sure { Note::remark } else { Note::doubt };
    let note = note(Place::File, text).asking(Question::Columns);
    (columns, Some(note).filter(|_| matters && (columns == without || columns != usual)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::import::Weight;

    fn points(text: &str) -> Vec<WrittenPoint> {
        text.split(' ').map(|word| point(word).unwrap()).collect()
    }

    #[test]
    fn the_column_after_h_is_i_or_j() {
        let cell = |text: &str, columns| point(text).unwrap().cell(columns, (19, 19), false);
        assert_eq!(cell("K10", Columns::WithoutI), Some(Cell::new(9, 9)));
        assert_eq!(cell("j10", Columns::WithI), Some(Cell::new(9, 9)));
        assert_eq!(cell("h1", Columns::WithoutI), cell("h1", Columns::WithI));
        assert_eq!(cell("T19", Columns::WithoutI), Some(Cell::new(18, 0)));
        for off in ["T1", "a0", "a20"] {
            assert_eq!(cell(off, Columns::WithI), None, "{off}");
        }
        assert_eq!(cell("i5", Columns::WithoutI), None);
        assert_eq!(
            point("h8").unwrap().cell(Columns::WithI, (15, 15), true),
            Some(Cell::new(7, 7))
        );
        assert_eq!(
            point("a2").unwrap().cell(Columns::WithI, (15, 15), true),
            Some(Cell::new(0, 1))
        );
    }

    #[test]
    fn letters_and_the_centre_decide_how_columns_are_lettered() {
        let of = |text: &str, usual, always| {
            let (columns, note) = guess(&points(text), (19, 19), usual, always);
            (columns, note.map_or(String::new(), |note| note.text))
        };
        let (with, without) = (Columns::WithI, Columns::WithoutI);
        let has = |(_, note): (Columns, String), reason: &str| note.contains(reason);
        assert_eq!(of("K10 L9", with, false).0, without);
        assert_eq!(of("J10 L9", without, false).0, with);
        // On a site that leaves out I, the first stone does not decide.
        assert_eq!(of("J10 L9", without, true).0, without);
        assert!(has(of("J10 L9", without, true), "as usual"));
        assert_eq!(of("K10 I9", without, true).0, with);
        assert!(has(of("K10 I9", without, true), "as it occurs"));
        let doubted = |text, usual| guess(&points(text), (19, 19), usual, false).1.unwrap().weight;
        assert_eq!(doubted("K10 I9", without), Weight::Doubt);
        assert_eq!(doubted("J10 I9", without), Weight::Remark);
        assert_eq!(doubted("K11 T9", with), Weight::Doubt);
        assert_eq!(doubted("K11 T9", without), Weight::Remark);
        assert_eq!(of("A1 T9", with, true).0, without);
        assert!(has(of("A1 T9", with, true), "as the last letter needs it"));
        // No letter after H: both readings are the same.
        assert_eq!(of("A1 H9", without, true), (without, String::new()));
        // The usual lettering is not noted.
        assert_eq!(of("J10 K9", with, true), (with, String::new()));
    }
}
