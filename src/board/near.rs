//! Which cells lie near a stone: two points away in every direction, three
//! along the lines.

use crate::types::{Cell, CellSet, STRIDE};

/// Column offsets -3..=3 of the stencil for each row offset -3..=3.
const STENCIL: [u32; 7] =
    [0b1001001, 0b0111110, 0b0111110, 0b1111111, 0b0111110, 0b0111110, 0b1001001];

/// Rows a stencil touches.
pub(super) const ROWS: usize = STENCIL.len();

/// The `i`th row around a cell. Row offsets wrap into the walls below.
#[inline]
fn row_at(cell: Cell, i: usize) -> usize {
    (cell.y() + STRIDE - ROWS / 2 + i) % STRIDE
}

/// Adds the cells near `cell`. Cells beyond the edge may be added as well.
#[inline]
pub(super) fn add(set: &mut CellSet, cell: Cell) {
    for (i, row) in STENCIL.iter().enumerate() {
        set.or_row(row_at(cell, i), row.rotate_left(cell.x() as u32).rotate_right(3));
    }
}

/// The rows that [`add`] may change, as they are.
#[inline]
pub(super) fn rows(set: &CellSet, cell: Cell) -> [u32; ROWS] {
    std::array::from_fn(|i| set.row(row_at(cell, i)))
}

/// Undoes [`add`], given the rows from before.
#[inline]
pub(super) fn restore(set: &mut CellSet, cell: Cell, rows: &[u32; ROWS]) {
    for (i, &row) in rows.iter().enumerate() {
        set.set_row(row_at(cell, i), row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stencil_is_the_square_and_the_lines() {
        let board = CellSet::board(15, 15);
        for (x, y) in [(7usize, 7usize), (0, 0), (14, 14), (0, 13)] {
            let mut set = CellSet::EMPTY;
            add(&mut set, Cell::new(x, y));
            for cell in board.iter() {
                let (dx, dy) = (cell.x().abs_diff(x), cell.y().abs_diff(y));
                let far = dx.max(dy);
                let on_line = dx == 0 || dy == 0 || dx == dy;
                let expected = far <= 2 || far == 3 && on_line;
                assert_eq!(set.contains(cell), expected, "{cell:?}");
            }
        }
    }
}
