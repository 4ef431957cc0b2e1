//! The symmetries of a board.

use super::{Cell, Stone};

/// A symmetry of a board: up to eight on a square, four on a rectangle.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    width: usize,
    height: usize,
    flip_x: bool,
    flip_y: bool,
    transpose: bool,
}

impl Symmetry {
    /// All symmetries of a board, the identity first.
    pub fn all(width: usize, height: usize) -> impl Iterator<Item = Symmetry> {
        let count = if width == height { 8 } else { 4 };
        (0..count).map(move |bits| Symmetry {
            width,
            height,
            flip_x: bits & 1 != 0,
            flip_y: bits & 2 != 0,
            transpose: bits & 4 != 0,
        })
    }

    /// The symmetries of a board that map these stones to themselves, the identity first.
    pub fn keeping(
        width: usize,
        height: usize,
        stones: &[(Cell, Stone)],
    ) -> impl Iterator<Item = Symmetry> {
        let keeps = move |symmetry: &Symmetry| {
            stones.iter().all(|&(cell, stone)| stones.contains(&(symmetry.apply(cell), stone)))
        };
        Symmetry::all(width, height).filter(keeps)
    }

    /// The image of a cell of the board.
    pub fn apply(&self, cell: Cell) -> Cell {
        let x = if self.flip_x { self.width - 1 - cell.x() } else { cell.x() };
        let y = if self.flip_y { self.height - 1 - cell.y() } else { cell.y() };
        if self.transpose { Cell::new(y, x) } else { Cell::new(x, y) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn symmetries_permute_the_board_and_keep_neighbours() {
        for (width, height, count) in [(15, 15, 8), (20, 15, 4), (5, 26, 4)] {
            let mut images = HashSet::new();
            for symmetry in Symmetry::all(width, height) {
                let cells = || (0..width * height).map(|i| Cell::new(i % width, i / width));
                let image: HashSet<Cell> = cells().map(|c| symmetry.apply(c)).collect();
                assert!(cells().all(|c| image.contains(&c)));
                let distance = |a: Cell, b: Cell| a.x().abs_diff(b.x()) + a.y().abs_diff(b.y());
                let (a, b) = (Cell::new(1, 2), Cell::new(3, 4));
                assert_eq!(distance(symmetry.apply(a), symmetry.apply(b)), distance(a, b));
                images.insert(symmetry.apply(Cell::new(1, 3)));
            }
            assert_eq!(images.len(), count);
        }
    }
}
