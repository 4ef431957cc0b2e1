//! The records kept for each cell, and the census of their classes.

use crate::pattern::{Class, Code, Line, Mark};
use crate::types::{Cell, CellSet, Color, Direction};

/// What is known of a cell: eight bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CellInfo {
    /// Line class in each direction: Black's in the low half, White's in the
    /// high half, four bits a direction. Not kept up to date under a stone.
    pub(super) lines: u32,
    /// Marks of the four classes for Black and White; [`Mark::STONE`] if a
    /// stone or wall is there.
    pub(super) marks: [Mark; 2],
}

impl CellInfo {
    /// A cell that can never be played.
    pub const WALL: CellInfo = CellInfo { lines: 0, marks: [Mark::STONE; 2] };

    /// Codes of the four line classes for Black and White;
    /// [`STONE`](crate::pattern::STONE) if a stone or wall is there.
    #[inline]
    pub const fn codes(&self) -> [Code; 2] {
        [self.marks[0].code(), self.marks[1].code()]
    }

    /// The line classes with those of one direction replaced.
    #[inline]
    pub fn with_line(&self, dir: usize, byte: u8) -> u32 {
        self.lines ^ (self.lines ^ spread(dir, byte)) & places(dir)
    }

    /// Line class in one direction for a colour.
    #[inline]
    pub const fn line(&self, dir: Direction, color: Color) -> Line {
        let shift = 4 * dir as u32 + 16 * color.index() as u32;
        Line::from_index((self.lines >> shift & 15) as usize)
    }
}

/// The bits of one direction in the line classes of a cell.
#[inline]
pub const fn places(dir: usize) -> u32 {
    0x000f_000f << (4 * dir)
}

/// A byte of line classes at the places of one direction. Bits elsewhere mean
/// nothing.
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
pub const fn line_of(byte: u8, color: Color) -> Line {
    Line::from_index((byte >> (4 * color.index()) & 15) as usize)
}

/// What a stone did to a cell.
#[derive(Copy, Clone, Debug)]
pub struct Change {
    pub(super) old: CellInfo,
    pub(super) new: [Mark; 2],
    pub(super) cell: Cell,
}

impl Change {
    pub(super) const NONE: Change =
        Change { old: CellInfo::WALL, new: [Mark::STONE; 2], cell: Cell::from_index(0) };

    /// Codes for Black and White before.
    #[inline]
    pub const fn before(&self) -> [Code; 2] {
        self.old.codes()
    }

    /// Codes for Black and White after; [`STONE`](crate::pattern::STONE) for
    /// the cell the stone was placed on.
    #[inline]
    pub const fn after(&self) -> [Code; 2] {
        [self.new[0].code(), self.new[1].code()]
    }
}

/// How the ranks of a cell went for Black and White.
#[derive(Copy, Clone, Debug)]
pub(super) struct Shift {
    cell: Cell,
    /// From the lowest four bits on: from and to for Black, for White.
    ranks: u16,
}

impl Shift {
    pub(super) const NONE: Shift = Shift { cell: Cell::from_index(0), ranks: 0 };

    #[inline]
    pub(super) fn new(change: &Change) -> Shift {
        let (from, to) = (change.old.marks, change.new);
        let [a, b, c, d] = [from[0], to[0], from[1], to[1]].map(|mark| mark.rank() as u16);
        Shift { cell: change.cell, ranks: a | b << 4 | c << 8 | d << 12 }
    }

    /// The way back.
    #[inline]
    pub(super) fn reverse(self) -> Shift {
        let ranks = self.ranks >> 4 & 0x0f0f | (self.ranks & 0x0f0f) << 4;
        Shift { ranks, ..self }
    }
}

/// How many cells of each rank there are, and where. Those of rank 0 are not
/// kept apart: theirs are a sum and a set of which only changes matter.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Classes {
    counts: [[u16; Mark::RANKS]; 2],
    sets: [[CellSet; Mark::RANKS]; 2],
}

impl Classes {
    pub(super) fn new() -> Classes {
        Classes { counts: [[0; Mark::RANKS]; 2], sets: [[CellSet::EMPTY; Mark::RANKS]; 2] }
    }

    #[inline]
    pub(super) fn count(&self, of: Color, class: Class) -> u16 {
        debug_assert!(class >= Class::Three);
        self.counts[of.index()][Mark::rank_of(class)]
    }

    #[inline]
    pub(super) fn cells(&self, of: Color, class: Class) -> &CellSet {
        debug_assert!(class >= Class::Three);
        &self.sets[of.index()][Mark::rank_of(class)]
    }

    /// Counts a cell that was not counted.
    pub(super) fn add(&mut self, cell: Cell, marks: [Mark; 2]) {
        for (i, mark) in marks.iter().enumerate() {
            self.counts[i][mark.rank()] += 1;
            self.sets[i][mark.rank()].toggle(cell);
        }
    }

    /// Moves a cell from its ranks to others. Without a branch: whether a
    /// colour's rank changes cannot be guessed.
    #[inline]
    pub(super) fn shift(&mut self, shift: Shift) {
        for i in 0..2 {
            let from = (shift.ranks >> (8 * i) & 15) as usize;
            let to = (shift.ranks >> (8 * i + 4) & 15) as usize;
            let (counts, sets) = (&mut self.counts[i], &mut self.sets[i]);
            counts[from] -= 1;
            counts[to] += 1;
            sets[from].toggle(shift.cell);
            sets[to].toggle(shift.cell);
        }
    }
}
