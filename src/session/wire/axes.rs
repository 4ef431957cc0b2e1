//! Order of the two numbers of a coordinate.

use goren_protocol::Point;

use goren_core::rules::Setup;
use goren_core::types::Cell;

/// Which of the two numbers of a coordinate comes first.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Axes {
    /// Column, then row: the Gomocup protocol, gomocalc included.
    #[default]
    ColumnFirst,
    /// Row, then column: both Yixin-Boards.
    RowFirst,
}

impl Axes {
    /// The cell of a point, if it is on the board.
    pub fn cell(self, at: Point, setup: &Setup) -> Option<Cell> {
        let (x, y) = match self {
            Axes::ColumnFirst => (at.x, at.y),
            Axes::RowFirst => (at.y, at.x),
        };
        let x = usize::try_from(x).ok().filter(|&x| x < setup.width)?;
        let y = usize::try_from(y).ok().filter(|&y| y < setup.height)?;
        Some(Cell::new(x, y))
    }

    /// The point of a cell.
    pub fn point(self, cell: Cell) -> Point {
        let (x, y) = (cell.x() as i32, cell.y() as i32);
        match self {
            Axes::ColumnFirst => Point::new(x, y),
            Axes::RowFirst => Point::new(y, x),
        }
    }
}

/// The cell with column and row exchanged.
pub fn turned(cell: Cell) -> Cell {
    Cell::new(cell.y(), cell.x())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;

    const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 20, height: 10 };

    #[test]
    fn axes() {
        let at = Point::new(15, 3);
        assert_eq!(Axes::ColumnFirst.cell(at, &SETUP), Some(Cell::new(15, 3)));
        assert_eq!(Axes::RowFirst.cell(at, &SETUP), None);
        assert_eq!(Axes::RowFirst.cell(Point::new(3, 15), &SETUP), Some(Cell::new(15, 3)));
        assert_eq!(Axes::RowFirst.point(Cell::new(15, 3)), Point::new(3, 15));
        for bad in [Point::PASS, Point::new(20, 0), Point::new(0, 10), Point::new(i32::MAX, 0)] {
            assert_eq!(Axes::ColumnFirst.cell(bad, &SETUP), None);
        }
    }
}
