//! The record of each cell, and the census of cells by class.
//!
//! A record has 8 bytes: four bits of line class for each direction and colour (Black in
//! the low half word, White in the high one), and the marks, 16 bits per colour: a code
//! and a rank. The code numbers the multiset of a colour's four line classes (there are
//! 3,060 such multisets); class, evaluation and policy score are tables indexed by it.
//! The rank numbers the classes that the census counts, from [`Class::Three`] up; it is 0
//! for all weaker classes. One table lookup of a colour's half word gives its marks.

use crate::pattern::{Class, Code, LineClass, Marks, RANKS, rank_of};
use goren_core::types::{Cell, CellSet, Color, Direction};

/// The record of a cell.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CellInfo {
    /// Line class in each direction, four bits each: Black in the low half, White in the
    /// high half. Stale under a stone.
    pub(super) lines: u32,
    /// Codes and ranks of both colours; [`Marks::STONE`] for a stone or wall.
    pub(super) marks: Marks,
}

impl CellInfo {
    /// A cell off the board.
    pub const WALL: CellInfo = CellInfo { lines: 0, marks: Marks::STONE };

    /// Returns the codes for Black and White; [`STONE`](crate::pattern::STONE) on a stone or
    /// wall.
    #[inline]
    pub const fn codes(&self) -> [Code; 2] {
        self.marks.codes()
    }

    /// Returns the code for one colour.
    #[inline]
    pub const fn code(&self, color: Color) -> Code {
        self.marks.code(color)
    }

    /// Returns the line classes of the cell with those of direction `dir` replaced by `byte`.
    #[inline]
    pub fn with_line(&self, dir: usize, byte: u8) -> u32 {
        self.lines ^ (self.lines ^ spread(dir, byte)) & places(dir)
    }

    /// Returns the line class in a direction for a colour.
    #[inline]
    pub const fn line(&self, dir: Direction, color: Color) -> LineClass {
        let shift = 4 * dir as u32 + 16 * color.index() as u32;
        LineClass::from_index((self.lines >> shift & 15) as usize)
    }
}

/// Returns the mask of the bits of direction `dir` in the line classes of a cell.
#[inline]
pub const fn places(dir: usize) -> u32 {
    0x000f_000f << (4 * dir)
}

/// Moves a byte of line classes (Black's in the low half byte) to the bits of a
/// direction. The bits outside [`places`] are garbage.
#[inline]
pub fn spread(dir: usize, byte: u8) -> u32 {
    (byte as u32).wrapping_mul((1 << 12 | 1) << (4 * dir))
}

/// Joins the line classes of a cell from one byte for each direction.
#[inline]
pub fn lines_of(bytes: [u8; 4]) -> u32 {
    (0..4).map(|dir| spread(dir, bytes[dir]) & places(dir)).sum()
}

/// Returns the line class of a colour in a byte of line classes.
#[inline]
pub const fn line_of(byte: u8, color: Color) -> LineClass {
    LineClass::from_index((byte >> (4 * color.index()) & 15) as usize)
}

/// The change that a stone made in one cell.
#[derive(Copy, Clone, Debug)]
pub struct Change {
    pub(super) old: CellInfo,
    pub(super) new: Marks,
    pub(super) cell: Cell,
}

impl Change {
    pub(super) const NONE: Change =
        Change { old: CellInfo::WALL, new: Marks::STONE, cell: Cell::from_index(0) };

    /// Returns the codes for Black and White before the stone.
    #[inline]
    pub const fn before(&self) -> [Code; 2] {
        self.old.codes()
    }

    /// Returns the codes for Black and White after the stone;
    /// [`STONE`](crate::pattern::STONE) for the cell of the stone itself.
    #[inline]
    pub const fn after(&self) -> [Code; 2] {
        self.new.codes()
    }
}

/// The change of a cell's rank for one colour, as a move from one slot of the census to
/// another.
#[derive(Copy, Clone, Debug)]
pub(super) struct RankChange {
    cell: Cell,
    from: u8,
    to: u8,
}

impl RankChange {
    pub(super) const NONE: RankChange = RankChange { cell: Cell::from_index(0), from: 0, to: 0 };

    /// Extracts the change of rank for Black (`color` 0) or White (1).
    #[inline]
    pub(super) fn new(change: &Change, color: usize) -> RankChange {
        let slot = |marks: Marks| (RANKS * color + marks.rank(color)) as u8;
        RankChange { cell: change.cell, from: slot(change.old.marks), to: slot(change.new) }
    }

    /// Returns the opposite change, for unmaking.
    #[inline]
    pub(super) fn reverse(self) -> RankChange {
        RankChange { cell: self.cell, from: self.to, to: self.from }
    }
}

const SLOTS: usize = 2 * RANKS;

/// The census: number and set of the cells of each rank, Black's ranks first, then
/// White's. The slots of rank 0 are meaningless.
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
    pub(super) fn count(&self, color: Color, class: Class) -> u16 {
        debug_assert!(class >= Class::Three);
        self.counts[RANKS * color.index() + rank_of(class)]
    }

    #[inline]
    pub(super) fn cells(&self, color: Color, class: Class) -> &CellSet {
        debug_assert!(class >= Class::Three);
        &self.sets[RANKS * color.index() + rank_of(class)]
    }

    /// Counts a cell for the first time.
    pub(super) fn add(&mut self, cell: Cell, marks: Marks) {
        for color in 0..2 {
            let slot = RANKS * color + marks.rank(color);
            self.counts[slot] += 1;
            self.sets[slot].toggle(cell);
        }
    }

    /// Applies a change of rank and returns it.
    #[inline]
    pub(super) fn apply(&mut self, change: RankChange) -> RankChange {
        let RankChange { cell, from, to } = change;
        let (from, to) = (from as usize % SLOTS, to as usize % SLOTS);
        self.counts[from] -= 1;
        self.counts[to] += 1;
        self.sets[from].toggle(cell);
        self.sets[to].toggle(cell);
        change
    }
}
