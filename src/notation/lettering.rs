//! Letters of columns on the screen and in typed moves.

use goren_core::record::import::Columns;
use goren_core::types::{Cell, read_point};

/// Maximum number of columns with letters if I is left out.
pub const MAX_WITHOUT_I: usize = 25;

/// Names of points on a board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Lettering {
    /// Number of columns of the board.
    pub width: usize,
    /// Number of rows of the board.
    pub height: usize,
    /// Whether there is a column I. A board with more than [`MAX_WITHOUT_I`] columns needs it.
    pub columns: Columns,
}

impl Lettering {
    /// The lettering of a board, with the letter I.
    pub fn of((width, height): (usize, usize)) -> Lettering {
        Lettering { width, height, columns: Columns::WithI }
    }

    /// The letter of a column, from 0.
    pub fn letter(self, x: usize) -> char {
        let skipped = self.columns == Columns::WithoutI && x >= usize::from(b'i' - b'a');
        char::from(b'a' + (x + usize::from(skipped)) as u8)
    }

    /// The column of a letter, from 0; `None` for I if it is left out.
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

    /// The point of a name; `None` if the name is not a point of the board.
    pub fn cell(self, name: &str) -> Option<Cell> {
        let (_, row) = read_point(name)?;
        let x = self.column(name.chars().next()?)?;
        let on_board = x < self.width && (1..=self.height).contains(&row);
        on_board.then(|| Cell::new(x, self.height - row))
    }

    /// Names of points, separated by commas.
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
