//! The cells of a library's board and the bytes that stand for them.

use crate::types::Cell;

/// Columns and rows of a library's board.
pub const SIDE: usize = 15;

/// The cell of a place; `None` for no cell, and for what [`is_place`] refuses.
pub(super) fn cell(place: u8) -> Option<Cell> {
    let (x, y) = (usize::from(place & 15), usize::from(place >> 4));
    (x >= 1 && y < SIDE).then(|| Cell::new(x - 1, y))
}

/// Whether a byte is a cell or the 0 of none.
pub(super) fn is_place(byte: u8) -> bool {
    byte == 0 || cell(byte).is_some()
}

/// The place of a cell of the board.
pub(super) fn place(cell: Cell) -> Option<u8> {
    let on_board = cell.x() < SIDE && cell.y() < SIDE;
    on_board.then(|| (16 * cell.y() + cell.x() + 1) as u8)
}
