//! Remembered results by position, within limits, each for a number of extra stones.

use fxhash::{FxHashMap, FxHashSet};

use crate::bits::Bits;

/// Maximum number of entries of `lost`, which is emptied when it is full.
const MAX_LOST: usize = 917_504;
/// Maximum number of entries of `relevant`, likewise.
const MAX_RELEVANT: usize = 7_340_032;

/// Key of a position: all stones, the stones that the tree is asked about, and the number of
/// extra stones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place(u128);

impl Place {
    /// Mixes the numbers of both sets of stones and `k`, the number of extra stones.
    pub fn new(board: u128, asked: u128, k: usize) -> Self {
        // Each step is invertible, so that two places differ if exactly one of the three differs.
        let mut mixed = board ^ (k as u128 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d_9e37_79b9);
        mixed = (mixed ^ mixed >> 67).wrapping_mul(0x94d0_49bb_1331_11eb_bf58_476d_1ce4_e5b9);
        mixed = mixed.wrapping_add(asked);
        mixed = (mixed ^ mixed >> 61).wrapping_mul(0xbf58_476d_1ce4_e5b9_94d0_49bb_1331_11eb);
        Self(mixed ^ mixed >> 64)
    }
}

/// Memory of one part of a tree.
pub struct Memory<const W: usize> {
    won: FxHashSet<u128>,
    relevant: FxHashMap<Place, Bits<W>>,
    lost: FxHashSet<Place>,
}

impl<const W: usize> Default for Memory<W> {
    fn default() -> Self {
        Self {
            won: FxHashSet::default(),
            relevant: FxHashMap::default(),
            lost: FxHashSet::default(),
        }
    }
}

impl<const W: usize> Memory<W> {
    /// Whether a position is won without extra stones, by its canonical number.
    pub fn is_won(&self, canonical: u128) -> bool {
        self.won.contains(&canonical)
    }

    /// Records a win without extra stones, which has no set of cells.
    pub fn add_won(&mut self, canonical: u128) {
        self.won.insert(canonical);
    }

    /// Returns the cells that a win at a place depends on.
    pub fn relevant(&self, place: Place) -> Option<Bits<W>> {
        self.relevant.get(&place).copied()
    }

    /// Records a win and the cells it depends on.
    pub fn add_relevant(&mut self, place: Place, cells: Bits<W>) {
        if self.relevant.len() >= MAX_RELEVANT {
            self.relevant.clear();
        }
        self.relevant.insert(place, cells);
    }

    /// Whether no win was found at a place.
    pub fn is_lost(&self, place: Place) -> bool {
        self.lost.contains(&place)
    }

    /// Records that no win was found.
    pub fn add_lost(&mut self, place: Place) {
        if self.lost.len() >= MAX_LOST {
            self.lost.clear();
        }
        self.lost.insert(place);
    }

    /// Returns the approximate memory use in bytes.
    pub fn bytes(&self) -> usize {
        let relevant = size_of::<(Place, Bits<W>)>() + 1;
        17 * (self.won.capacity() + self.lost.capacity()) * 8 / 7
            + relevant * self.relevant.capacity() * 8 / 7
    }
}
