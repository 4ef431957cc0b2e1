//! Sets of cells as bitboards over the frame.

use super::{Cell, FRAME};

const WORDS: usize = FRAME / 64;

/// A set of cells of the frame: one bit per cell, two rows per word.
///
/// In serde formats it is the list of its cells, in order of their indices. A list that is
/// read may be in any order and contain cells more than once.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Vec<Cell>", from = "Vec<Cell>"))]
pub struct CellSet([u64; WORDS]);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet([0; WORDS]);

    /// All cells of a board `width` columns wide and `height` rows high.
    pub fn board(width: usize, height: usize) -> CellSet {
        let mut set = CellSet::EMPTY;
        for y in 0..height {
            set.or_row(y, ((1u64 << width) - 1) as u32);
        }
        set
    }

    /// Whether the set contains the cell.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// Adds a cell.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    /// Removes a cell.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    /// Adds the cell if it is absent, removes it if it is present.
    #[inline]
    pub const fn toggle(&mut self, cell: Cell) {
        self.0[cell.index() / 64] ^= 1 << (cell.index() % 64);
    }

    /// Adds the columns `bits` of row `y`.
    #[inline]
    pub const fn or_row(&mut self, y: usize, bits: u32) {
        self.0[y / 2 % WORDS] |= (bits as u64) << (y % 2 * 32);
    }

    /// The 64 cells from row `2 * i` on, the lowest bit first; `i` is taken
    /// modulo the frame.
    #[inline]
    pub const fn word(&self, i: usize) -> u64 {
        self.0[i % WORDS]
    }

    /// The 64 cells from row `2 * i` on, the lowest bit first; `i` is taken
    /// modulo the frame.
    #[inline]
    pub const fn word_mut(&mut self, i: usize) -> &mut u64 {
        &mut self.0[i % WORDS]
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// Number of cells in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The cell with the lowest index.
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    /// The cells in both sets.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &CellSet) -> CellSet {
        self.combined(other, |a, b| a & b)
    }

    /// The cells in either set.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &CellSet) -> CellSet {
        self.combined(other, |a, b| a | b)
    }

    /// The cells of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &CellSet) -> CellSet {
        self.combined(other, |a, b| a & !b)
    }

    /// Combines the words of both sets by `join`.
    #[inline(always)]
    fn combined(&self, other: &CellSet, join: impl Fn(u64, u64) -> u64) -> CellSet {
        let mut set = *self;
        for (a, b) in set.0.iter_mut().zip(other.0) {
            *a = join(*a, b);
        }
        set
    }

    /// The cells in order of their indices.
    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        Iter { words: &self.0, word: 0, bits: self.0[0] }
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        let mut set = CellSet::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

#[cfg(feature = "serde")]
impl From<CellSet> for Vec<Cell> {
    fn from(set: CellSet) -> Vec<Cell> {
        set.iter().collect()
    }
}

#[cfg(feature = "serde")]
impl From<Vec<Cell>> for CellSet {
    fn from(cells: Vec<Cell>) -> CellSet {
        cells.into_iter().collect()
    }
}

/// Iterator over a [`CellSet`].
pub struct Iter<'a> {
    words: &'a [u64; WORDS],
    word: usize,
    bits: u64,
}

impl Iterator for Iter<'_> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.bits == 0 {
            self.word += 1;
            self.bits = *self.words.get(self.word)?;
        }
        let bit = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(Cell::from_index(self.word * 64 + bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_contains_its_cells_and_no_wall() {
        let set = CellSet::board(15, 7);
        assert_eq!(set.len(), 105);
        assert!(set.contains(Cell::new(14, 6)));
        assert!(!set.contains(Cell::new(15, 6)) && !set.contains(Cell::new(14, 7)));
        assert_eq!(set.iter().collect::<CellSet>(), set);
    }

    #[test]
    fn cells_are_inserted_removed_and_toggled() {
        let mut set = CellSet::EMPTY;
        let (a, b) = (Cell::new(3, 4), Cell::new(25, 25));
        set.insert(a);
        set.toggle(b);
        assert_eq!(set.iter().collect::<Vec<_>>(), [a, b]);
        set.remove(a);
        set.toggle(b);
        assert!(set.is_empty() && set.first().is_none());
    }
}
