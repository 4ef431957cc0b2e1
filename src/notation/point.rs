//! Points as users write them: a column letter and the row from the bottom.

use anyhow::{Result, bail};

use goren_core::types::{Cell, read_point};

/// Reads the cell of a text on a board of `width` columns and `height` rows.
///
/// # Errors
/// The text is not a point, or the point is not on the board.
pub fn cell(text: &str, (width, height): (usize, usize)) -> Result<Cell> {
    match read_point(text) {
        Some((x, row)) if x < width && (1..=height).contains(&row) => {
            Ok(Cell::new(x, height - row))
        }
        Some(_) => bail!("{text} is outside the board"),
        None => bail!("{text:?} is no point; a point is a letter and a number, such as h8"),
    }
}

/// Names of cells, separated by blanks, with rows from the bottom of a board of `height` rows.
pub fn labels(cells: &[Cell], height: usize) -> String {
    cells.iter().map(|cell| cell.label(height)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_count_rows_from_the_bottom() {
        let board = (20, 15);
        assert_eq!(cell("a1", board).unwrap(), Cell::new(0, 14));
        assert_eq!(cell("T15", board).unwrap(), Cell::new(19, 0));
        for outside in ["u1", "a0", "a16", "z99"] {
            assert!(cell(outside, board).unwrap_err().to_string().contains("outside"));
        }
        for bad in ["", "a", "a01", "7", "a1x", "é1", "a-1", "a+1", "hint", "a99999999999999999999"]
        {
            assert!(read_point(bad).is_none(), "{bad}");
        }
    }
}
