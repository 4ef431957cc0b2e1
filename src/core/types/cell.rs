//! Points of the board in one flat frame, and moves.
//!
//! A cell is `32 * y + x` in a frame of 1,024 cells, taken modulo 1,024. Arrays
//! are `[T; 1024]` indexed by a masked cell, which needs no bounds check and no
//! unsafe code. Walls cost nothing as long as the board and the longest reach
//! of a line together stay below 32.

use std::fmt;

#[cfg(feature = "serde")]
use super::MAX_SIDE;

/// Cells in the frame; indices are taken modulo this.
pub const FRAME: usize = 1024;
/// Cells in one row of the frame.
pub const STRIDE: usize = 32;

/// A point of the frame: `32 * y + x`, `x` from the left, `y` from the top,
/// both from 0. Boards fill the upper left corner; all else is wall.
///
/// In serde formats it is `[x, y]`. Deserialising fails if the column or the row is not
/// below [`MAX_SIDE`](super::MAX_SIDE).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "[usize; 2]", try_from = "[usize; 2]"))]
pub struct Cell(u16);

/// One of the four line directions. `x` grows along all of them except the column.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Direction {
    /// Left to right.
    Row = 0,
    /// Top to bottom.
    Column = 1,
    /// Towards the lower right.
    Diagonal = 2,
    /// Towards the upper right.
    AntiDiagonal = 3,
}

/// All four directions, in the order of their indices.
pub const DIRECTIONS: [Direction; 4] =
    [Direction::Row, Direction::Column, Direction::Diagonal, Direction::AntiDiagonal];

impl Direction {
    /// Difference of the cell indices over one step.
    #[inline]
    pub const fn delta(self) -> i32 {
        match self {
            Direction::Row => 1,
            Direction::Column => 32,
            Direction::Diagonal => 33,
            Direction::AntiDiagonal => -31,
        }
    }
}

impl Direction {
    /// Columns to the right and rows down in one step.
    pub const fn steps(self) -> (i32, i32) {
        match self {
            Direction::Row => (1, 0),
            Direction::Column => (0, 1),
            Direction::Diagonal => (1, 1),
            Direction::AntiDiagonal => (1, -1),
        }
    }
}

impl Cell {
    /// The cell in column `x` and row `y`, both below 32.
    #[inline]
    pub const fn new(x: usize, y: usize) -> Cell {
        Cell(((y * STRIDE + x) & (FRAME - 1)) as u16)
    }

    /// The cell with a frame index, taken modulo the frame.
    #[inline]
    pub const fn from_index(index: usize) -> Cell {
        Cell((index & (FRAME - 1)) as u16)
    }

    /// Index into arrays of [`FRAME`] entries; always below it.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (FRAME - 1)
    }

    /// Column from the left.
    #[inline]
    pub const fn x(self) -> usize {
        self.index() % STRIDE
    }

    /// Row from the top.
    #[inline]
    pub const fn y(self) -> usize {
        self.index() / STRIDE
    }

    /// The cell `steps` away along a direction, modulo the frame.
    #[inline]
    pub const fn step(self, dir: Direction, steps: i32) -> Cell {
        Cell::from_index((self.0 as i32 + dir.delta() * steps) as usize)
    }

    /// Distance to another cell in steps: the larger of the distances in columns and in rows.
    #[inline]
    pub const fn steps_to(self, other: Cell) -> usize {
        let (columns, rows) = (self.x().abs_diff(other.x()), self.y().abs_diff(other.y()));
        if columns > rows { columns } else { rows }
    }

    /// The name of the point: a letter for the column from the left, and the row counted from
    /// the bottom of a board `height` rows high, such as `h8`. Goren uses this notation
    /// everywhere, except in the readers and writers of other programs' formats.
    pub fn label(self, height: usize) -> String {
        format!("{}{}", (b'a' + self.x() as u8) as char, height as i64 - self.y() as i64)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x(), self.y())
    }
}

#[cfg(feature = "serde")]
impl From<Cell> for [usize; 2] {
    /// Column from the left and row from the top.
    fn from(cell: Cell) -> [usize; 2] {
        [cell.x(), cell.y()]
    }
}

/// Coordinates of a cell that is on no board.
#[cfg(feature = "serde")]
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("[{x}, {y}] is no cell: columns and rows are 0 to {}", MAX_SIDE - 1)]
pub struct BadCell {
    /// Column from the left.
    pub x: usize,
    /// Row from the top.
    pub y: usize,
}

#[cfg(feature = "serde")]
impl TryFrom<[usize; 2]> for Cell {
    type Error = BadCell;

    /// The cell in a column from the left and a row from the top.
    fn try_from([x, y]: [usize; 2]) -> Result<Cell, BadCell> {
        if x < MAX_SIDE && y < MAX_SIDE { Ok(Cell::new(x, y)) } else { Err(BadCell { x, y }) }
    }
}

/// Reads column from the left (from 0) and row from the bottom (from 1) of a text like `h8` or
/// `H8`; `None` for any other text. The point may lie outside any board.
pub fn read_point(text: &str) -> Option<(usize, usize)> {
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let digits = chars.as_str();
    let well_formed = digits.bytes().all(|b| b.is_ascii_digit());
    if !well_formed || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let row = digits.parse().ok()?;
    Some((letter.to_ascii_lowercase() as usize - 'a' as usize, row))
}

/// A stone on a cell, or nothing. A wall cell stands for "no move", so that a
/// move always fits ten bits.
///
/// In serde formats it is its cell, or null for [`Move::NONE`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Option<Cell>", from = "Option<Cell>"))]
pub struct Move(Cell);

impl Move {
    /// No move.
    pub const NONE: Move = Move(Cell::from_index(FRAME - 1));

    /// A stone on `cell`.
    #[inline]
    pub const fn at(cell: Cell) -> Move {
        Move(cell)
    }

    /// The cell of the stone; a wall cell for [`Move::NONE`].
    #[inline]
    pub const fn cell(self) -> Cell {
        self.0
    }

    /// Whether there is a stone to place.
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0.0 != Move::NONE.0.0
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_some() { self.0.fmt(f) } else { f.write_str("none") }
    }
}

#[cfg(feature = "serde")]
impl From<Move> for Option<Cell> {
    /// Where the stone is placed, if there is one.
    fn from(m: Move) -> Option<Cell> {
        m.is_some().then_some(m.cell())
    }
}

#[cfg(feature = "serde")]
impl From<Option<Cell>> for Move {
    /// A stone on the cell, or no move.
    fn from(cell: Option<Cell>) -> Move {
        cell.map_or(Move::NONE, Move::at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_walk_the_four_directions_and_wrap() {
        let c = Cell::new(7, 7);
        assert_eq!(c.step(Direction::Row, 2), Cell::new(9, 7));
        assert_eq!(c.step(Direction::Column, -3), Cell::new(7, 4));
        assert_eq!(c.step(Direction::Diagonal, 4), Cell::new(11, 11));
        assert_eq!(c.step(Direction::AntiDiagonal, 2), Cell::new(9, 5));
        assert_eq!(Cell::new(0, 0).step(Direction::Column, -1), Cell::new(0, 31));
    }

    #[test]
    fn steps_are_the_larger_of_columns_and_rows() {
        let centre = Cell::new(7, 7);
        for (x, y, steps) in [(7, 7, 0), (8, 6, 1), (7, 11, 4), (2, 9, 5)] {
            assert_eq!(centre.steps_to(Cell::new(x, y)), steps);
            assert_eq!(Cell::new(x, y).steps_to(centre), steps);
        }
    }

    #[test]
    fn labels_count_rows_from_the_bottom() {
        assert_eq!(Cell::new(7, 7).label(15), "h8");
        assert_eq!(Cell::new(0, 14).label(15), "a1");
    }

    #[test]
    fn no_move_is_no_board_cell() {
        assert!(!Move::NONE.is_some());
        assert!(Move::NONE.cell().x() >= crate::types::MAX_SIDE);
    }
}
