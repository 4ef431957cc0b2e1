//! How columns are lettered on the screen and in what people type.

use goren_core::record::import::Columns;
use goren_core::types::{Cell, read_point};

/// The most columns for which there are letters where I is left out.
pub const MOST_WITHOUT_I: usize = 25;

/// Names of points on a board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Lettering {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// Whether there is a column I. A board of more than [`MOST_WITHOUT_I`] columns needs it.
    pub columns: Columns,
}

impl Lettering {
    /// The letters of a board, I among them.
    pub fn of((width, height): (usize, usize)) -> Lettering {
        Lettering { width, height, columns: Columns::WithI }
    }

    /// The letter of a column, from 0.
    pub fn letter(self, x: usize) -> char {
        let skipped = self.columns == Columns::WithoutI && x >= usize::from(b'i' - b'a');
        char::from(b'a' + (x + usize::from(skipped)) as u8)
    }

    /// The column of a letter, from 0; `None` for I where there is none.
    pub fn column(self, letter: char) -> Option<usize> {
        let x = usize::from(u8::try_from(letter.to_ascii_lowercase()).ok()?.checked_sub(b'a')?);
        match (self.columns, x) {
            (Columns::WithI, x) | (Columns::WithoutI, x @ 0..8) => Some(x),
            (Columns::WithoutI, 8) => None,
            (Columns::WithoutI, x) => Some(x - 1),
        }
    }

    /// The name of a point.
    pub fn label(self, cell: Cell) -> String {
        format!("{}{}", self.letter(cell.x()), self.height as i64 - cell.y() as i64)
    }

    /// The point of a name; `None` where it is none, or not on the board.
    pub fn cell(self, name: &str) -> Option<Cell> {
        let (_, row) = read_point(name)?;
        let x = self.column(name.chars().next()?)?;
        let on_board = x < self.width && (1..=self.height).contains(&row);
        on_board.then(|| Cell::new(x, self.height - row))
    }

    /// Points with commas between them.
    pub fn labels(self, cells: &[Cell]) -> String {
        cells.iter().map(|&cell| self.label(cell)).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letter_i_may_be_left_out() {
        let with = Lettering::of((19, 19));
        let without = Lettering { columns: Columns::WithoutI, ..with };
        let centre = Cell::new(9, 9);
        assert_eq!((with.label(centre), without.label(centre)), ("j10".into(), "k10".into()));
        assert_eq!(without.cell("K10"), Some(centre));
        assert_eq!(without.cell("h1"), with.cell("h1"));
        for outside in ["i1", "u1", "a0", "a20", "1", "aa"] {
            assert_eq!(without.cell(outside), None, "{outside}");
        }
        for x in 0..19 {
            let cell = Cell::new(x, 3);
            assert_eq!(without.cell(&without.label(cell)), Some(cell));
        }
        assert_eq!(with.labels(&[centre, Cell::new(0, 18)]), "j10,a1");
    }
}
