//! The cells near a stone: within two steps in each coordinate, or three along a line.

use goren_core::types::{Cell, CellSet, STRIDE};

/// Rows -3..=3 of the stencil around a stone; bits are columns -3..=3.
const STENCIL: [u64; 7] =
    [0b1001001, 0b0111110, 0b0111110, 0b1111111, 0b0111110, 0b0111110, 0b1001001];

/// Words of a set that the stencil touches: seven rows, two in a word.
pub(super) const WORDS: usize = 4;

/// The stencil packed two rows to a word: first with its first row in the low half of a
/// word, then in the high half.
const PAIRS: [[u64; WORDS]; 2] = {
    let mut pairs = [[0; WORDS]; 2];
    let mut row = 0;
    while row < 2 * STENCIL.len() {
        let (odd, i) = (row % 2, row / 2);
        let at = i + odd;
        pairs[odd][at / 2] |= STENCIL[i] << (at % 2 * 32);
        row += 1;
    }
    pairs
};

/// Returns the index of the first word that the stencil around a cell touches, and 1 if the
/// stencil begins in its high half. Rows above the board wrap to the wall rows below it.
#[inline]
fn start(cell: Cell) -> (usize, usize) {
    let first = cell.y() + STRIDE - STENCIL.len() / 2;
    (first / 2, first % 2)
}

/// Returns the words around a cell that [`add`] may change.
#[inline]
pub(super) fn words(set: &CellSet, cell: Cell) -> [u64; WORDS] {
    let (first, _) = start(cell);
    std::array::from_fn(|i| set.word(first + i))
}

/// Adds the cells near `cell`, and returns the previous contents of the words it changed.
/// May also add cells off the board.
#[inline]
pub(super) fn add(set: &mut CellSet, cell: Cell) -> [u64; WORDS] {
    let (first, odd) = start(cell);
    std::array::from_fn(|i| {
        let word = set.word_mut(first + i);
        let old = *word;
        // Bits beyond the last column fall on the walls between rows.
        *word |= PAIRS[odd][i] << cell.x() >> 3;
        old
    })
}

/// Undoes [`add`], given the words it returned.
#[inline]
pub(super) fn restore(set: &mut CellSet, cell: Cell, words: &[u64; WORDS]) {
    let (first, _) = start(cell);
    for (i, &word) in words.iter().enumerate() {
        *set.word_mut(first + i) = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stencil_covers_the_square_and_the_lines() {
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
