//! Converts cells of a library's board from and to bytes.

use crate::types::Cell;

/// Number of columns and rows of a library's board.
pub const SIDE: usize = 15;

/// Returns the cell of a place; `None` for 0, and for bytes that [`is_place`] refuses.
pub(super) fn cell(place: u8) -> Option<Cell> {
    let (x, y) = (usize::from(place & 15), usize::from(place >> 4));
    (x >= 1 && y < SIDE).then(|| Cell::new(x - 1, y))
}

/// Whether a byte is a cell, or 0 for no cell.
pub(super) fn is_place(byte: u8) -> bool {
    byte == 0 || cell(byte).is_some()
}

/// Returns the place of a cell; `None` if the cell is off the board.
pub(super) fn place(cell: Cell) -> Option<u8> {
    let on_board = cell.x() < SIDE && cell.y() < SIDE;
    on_board.then(|| (16 * cell.y() + cell.x() + 1) as u8)
}
