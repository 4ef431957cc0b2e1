//! The records kept for each cell, and the census of their classes.
//!
//! A record has 8 bytes: the line classes of four directions, four bits each,
//! Black's in one half word and White's in the other; and the marks, sixteen
//! bits per colour: a code and a rank. A code numbers the multiset of a
//! colour's four classes (there are 3,060). Everything else (class, evaluation,
//! policy score) is a table indexed by a code. The rank is that of the class
//! among those the census keeps, from open three upwards, and 0 for all weaker
//! ones. The marks are one lookup of a colour's half word.

use crate::pattern::{Class, Code, LineClass, Marks, RANKS, rank_of};
use goren_core::types::{Cell, CellSet, Color, Direction};

/// The record of a cell: eight bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CellInfo {
    /// Line class in each direction: Black's in the low half, White's in the
    /// high half, four bits a direction. Not kept up to date under a stone.
    pub(super) lines: u32,
    /// Codes and ranks of the four classes; [`Marks::STONE`] for a stone or wall.
    pub(super) marks: Marks,
}

impl CellInfo {
    /// A cell that can never be played.
    pub const WALL: CellInfo = CellInfo { lines: 0, marks: Marks::STONE };

    /// Codes of the four line classes for Black and White;
    /// [`STONE`](crate::pattern::STONE) if a stone or wall is there.
    #[inline]
    pub const fn codes(&self) -> [Code; 2] {
        self.marks.codes()
    }

    /// The line classes with those of one direction replaced.
    #[inline]
    pub fn with_line(&self, dir: usize, byte: u8) -> u32 {
        self.lines ^ (self.lines ^ spread(dir, byte)) & places(dir)
    }

    /// Line class in one direction for a colour.
    #[inline]
    pub const fn line(&self, dir: Direction, color: Color) -> LineClass {
        let shift = 4 * dir as u32 + 16 * color.index() as u32;
        LineClass::from_index((self.lines >> shift & 15) as usize)
    }
}

/// The bits of one direction in the line classes of a cell.
#[inline]
pub const fn places(dir: usize) -> u32 {
    0x000f_000f << (4 * dir)
}

/// A byte of line classes, moved to the bits of one direction; other bits are
/// undefined.
#[inline]
pub fn spread(dir: usize, byte: u8) -> u32 {
    (byte as u32).wrapping_mul((1 << 12 | 1) << (4 * dir))
}

/// The line classes of a cell from the bytes of its directions.
#[inline]
pub fn lines_of(bytes: [u8; 4]) -> u32 {
    (0..4).map(|dir| spread(dir, bytes[dir]) & places(dir)).sum()
}

/// A colour's half of a byte of line classes.
#[inline]
pub const fn line_of(byte: u8, color: Color) -> LineClass {
    LineClass::from_index((byte >> (4 * color.index()) & 15) as usize)
}

/// The change of a cell by a stone.
#[derive(Copy, Clone, Debug)]
pub struct Change {
    pub(super) old: CellInfo,
    pub(super) new: Marks,
    pub(super) cell: Cell,
}

impl Change {
    pub(super) const NONE: Change =
        Change { old: CellInfo::WALL, new: Marks::STONE, cell: Cell::from_index(0) };

    /// Codes for Black and White before.
    #[inline]
    pub const fn before(&self) -> [Code; 2] {
        self.old.codes()
    }

    /// Codes for Black and White after; [`STONE`](crate::pattern::STONE) for
    /// the cell the stone was placed on.
    #[inline]
    pub const fn after(&self) -> [Code; 2] {
        self.new.codes()
    }
}

/// A cell that moved in the census.
#[derive(Copy, Clone, Debug)]
pub(super) struct Shift {
    cell: Cell,
    from: u8,
    to: u8,
}

impl Shift {
    pub(super) const NONE: Shift = Shift { cell: Cell::from_index(0), from: 0, to: 0 };

    /// The move of a cell for Black, 0, or White, 1.
    #[inline]
    pub(super) fn new(change: &Change, color: usize) -> Shift {
        let slot = |marks: Marks| (RANKS * color + marks.rank(color)) as u8;
        Shift { cell: change.cell, from: slot(change.old.marks), to: slot(change.new) }
    }

    /// The reverse move.
    #[inline]
    pub(super) fn reverse(self) -> Shift {
        Shift { cell: self.cell, from: self.to, to: self.from }
    }
}

const SLOTS: usize = 2 * RANKS;

/// The census: number and set of cells of each rank, Black's ranks, then White's.
/// Rank 0 is not meaningful.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Classes {
    counts: [u16; SLOTS],
    sets: [CellSet; SLOTS],
}

impl Classes {
    pub(super) fn new() -> Classes {
        Classes { counts: [0; SLOTS], sets: [CellSet::EMPTY; SLOTS] }
    }

    #[inline]
    pub(super) fn count(&self, of: Color, class: Class) -> u16 {
        debug_assert!(class >= Class::Three);
        self.counts[RANKS * of.index() + rank_of(class)]
    }

    #[inline]
    pub(super) fn cells(&self, of: Color, class: Class) -> &CellSet {
        debug_assert!(class >= Class::Three);
        &self.sets[RANKS * of.index() + rank_of(class)]
    }

    /// Counts a cell that was not counted.
    pub(super) fn add(&mut self, cell: Cell, marks: Marks) {
        for color in 0..2 {
            let slot = RANKS * color + marks.rank(color);
            self.counts[slot] += 1;
            self.sets[slot].toggle(cell);
        }
    }

    /// Moves a cell, and returns the move.
    #[inline]
    pub(super) fn shift(&mut self, shift: Shift) -> Shift {
        let Shift { cell, from, to } = shift;
        let (from, to) = (from as usize % SLOTS, to as usize % SLOTS);
        self.counts[from] -= 1;
        self.counts[to] += 1;
        self.sets[from].toggle(cell);
        self.sets[to].toggle(cell);
        shift
    }
}
