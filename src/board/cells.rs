//! The records kept for each cell, and the census of their classes.

use crate::pattern::{Class, Code, Line, STONE};
use crate::types::{Cell, CellSet, Color, Direction};

/// What is known of a cell: eight bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CellInfo {
    /// Line class in each direction, Black's in the low four bits, White's in
    /// the high four. Not kept up to date under a stone.
    pub lines: [u8; 4],
    /// Code of the four classes for Black and White; [`STONE`] if a stone or
    /// wall is there.
    pub codes: [Code; 2],
}

impl CellInfo {
    /// A cell that can never be played.
    pub const WALL: CellInfo = CellInfo { lines: [0; 4], codes: [STONE; 2] };

    /// The line classes with those of one direction replaced. Done in a
    /// register: a byte written to memory and read back as part of a word
    /// would stall.
    #[inline]
    pub fn with_line(&self, dir: usize, byte: u8) -> [u8; 4] {
        let shift = 8 * dir as u32;
        let lines = u32::from_le_bytes(self.lines) & !(0xff << shift) | (byte as u32) << shift;
        lines.to_le_bytes()
    }

    /// Line class in one direction for a colour.
    #[inline]
    pub const fn line(&self, dir: Direction, color: Color) -> Line {
        line_of(self.lines[dir as usize], color)
    }
}

/// A colour's half of a byte of line classes.
#[inline]
pub const fn line_of(byte: u8, color: Color) -> Line {
    Line::from_index((byte >> (4 * color.index()) & 15) as usize)
}

/// What a cell was before a stone changed it, and how its classes went for
/// Black and White.
#[derive(Copy, Clone, Debug)]
pub(super) struct Change {
    pub(super) cell: Cell,
    pub(super) old: CellInfo,
    pub(super) from: [Class; 2],
    pub(super) to: [Class; 2],
}

/// First class whose cells are counted and kept as a set. Most changes are
/// among the weaker ones and cost nothing here.
const FIRST: usize = Class::Three as usize;
const SETS: usize = Class::COUNT - FIRST;

/// How many cells of each strong class there are, and where.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Classes {
    counts: [[u16; SETS]; 2],
    sets: [[CellSet; SETS]; 2],
}

impl Classes {
    pub(super) fn new() -> Classes {
        Classes { counts: [[0; SETS]; 2], sets: [[CellSet::EMPTY; SETS]; 2] }
    }

    #[inline]
    pub(super) fn count(&self, of: Color, class: Class) -> u16 {
        debug_assert!(class >= Class::Three);
        self.counts[of.index()][(class as usize).saturating_sub(FIRST)]
    }

    #[inline]
    pub(super) fn cells(&self, of: Color, class: Class) -> &CellSet {
        debug_assert!(class >= Class::Three);
        &self.sets[of.index()][(class as usize).saturating_sub(FIRST)]
    }

    #[inline]
    pub(super) fn add(&mut self, of: Color, class: Class, cell: Cell) {
        if class as usize >= FIRST {
            self.counts[of.index()][class as usize - FIRST] += 1;
            self.sets[of.index()][class as usize - FIRST].toggle(cell);
        }
    }

    /// Moves a cell from one class to another.
    #[inline]
    pub(super) fn change(&mut self, of: Color, from: Class, to: Class, cell: Cell) {
        if from != to {
            if from as usize >= FIRST {
                self.counts[of.index()][from as usize - FIRST] -= 1;
                self.sets[of.index()][from as usize - FIRST].toggle(cell);
            }
            self.add(of, to, cell);
        }
    }
}
