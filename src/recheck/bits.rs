//! Sets of cells as words. A row takes `S` bits, of which the last is no cell, so that a shift
//! along any line never joins two rows.

use std::array::from_fn;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

/// A set of up to `64 * W` cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Self([0; W])
    }
}

impl<const W: usize> Bits<W> {
    /// Returns the set of one cell.
    pub fn of(cell: usize) -> Self {
        let mut set = Self::default();
        set.add(cell);
        set
    }

    /// Whether the cell is in the set. Cells beyond the words are not.
    pub fn has(&self, cell: usize) -> bool {
        cell < 64 * W && self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Adds a cell below `64 * W`.
    pub fn add(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Removes a cell.
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// Whether no cell is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the lowest cell.
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// Iterates over the cells in ascending order.
    pub fn cells(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let cell = self.first()?;
            self.0[cell / 64] &= self.0[cell / 64] - 1;
            Some(cell)
        })
    }

    /// Moves each cell `n` bits down (1 to 63); cells shifted out are lost.
    #[inline(always)]
    pub fn down(self, n: usize) -> Self {
        Self(from_fn(|i| self.0[i] >> n | if i + 1 < W { self.0[i + 1] << (64 - n) } else { 0 }))
    }

    /// Moves each cell `n` bits up (1 to 63); cells shifted out are lost.
    #[inline(always)]
    pub fn up(self, n: usize) -> Self {
        Self(from_fn(|i| self.0[i] << n | if i > 0 { self.0[i - 1] >> (64 - n) } else { 0 }))
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const W: usize> BitXor for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(from_fn(|i| !self.0[i]))
    }
}
