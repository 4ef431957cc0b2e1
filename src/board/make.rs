//! Placing stones and taking them back.

use super::cells::{CellInfo, Change};
use super::line::halves;
use super::{Board, Watcher, near};
use crate::pattern::{Class, STONE};
use crate::rules::Rule;
use crate::types::{Cell, Color, DIRECTIONS, Stone, keys};

/// Bits and bytes for the window of one direction.
const LANE: usize = 16;

/// What is needed to take a stone back.
#[derive(Clone)]
pub(super) struct Past {
    pub(super) cell: Cell,
    pub(super) stone: Stone,
    journal: usize,
    near: [u32; near::ROWS],
}

impl<R: Rule> Board<R> {
    /// Places a stone of a colour on an empty cell. Does not judge it.
    #[inline]
    pub fn make(&mut self, cell: Cell, color: Color, watcher: &mut impl Watcher) {
        self.place(cell, Stone::Of(color), 0b10 >> color.index(), watcher);
    }

    /// Makes an empty cell a wall.
    pub fn make_wall(&mut self, cell: Cell, watcher: &mut impl Watcher) {
        self.place(cell, Stone::Wall, 0b11, watcher);
    }

    #[inline]
    fn place(&mut self, cell: Cell, stone: Stone, bits: u64, watcher: &mut impl Watcher) {
        debug_assert!(self.empty.contains(cell));
        let near = near::rows(&self.near, cell);
        self.past.push(Past { cell, stone, journal: self.journal.len(), near });
        self.lines.flip(cell, bits);
        self.empty.remove(cell);
        if stone != Stone::Wall {
            near::add(&mut self.near, cell);
        }
        self.key ^= keys::stone(stone, cell);

        let old = self.cells[cell.index()];
        let new = CellInfo { lines: old.lines, codes: [STONE; 2] };
        self.update(cell, old, new, watcher);

        self.reclassify_around(cell, watcher);
    }

    /// Brings the line classes of the cells around a changed one up to date.
    ///
    /// All windows are read before any record is written: which classes change
    /// cannot be guessed, and a loop that asked at each cell would stumble at
    /// every other one.
    #[inline]
    fn reclassify_around(&mut self, cell: Cell, watcher: &mut impl Watcher) {
        let centre = R::HALF as i32;
        let mut bytes = [[0u8; LANE]; 4];
        // One bit for each cell whose class changes, a lane for each direction.
        let mut changed = 0u64;
        for dir in DIRECTIONS {
            let d = dir as usize;
            let word = self.lines.turned_to(dir, cell).rotate_left(2 * R::HALF as u32);
            let mut lane = 0u64;
            for (k, new) in bytes[d].iter_mut().enumerate().take(2 * R::HALF + 1) {
                if k == R::HALF {
                    continue;
                }
                let turned = word.rotate_right(2 * k as u32);
                let (back, front) = halves(R::HALF, turned);
                let byte = self.tables.window(back, front);
                *new = byte;
                let old = &self.cells[cell.step(dir, k as i32 - centre).index()];
                let differs = byte != old.lines[d] && turned & 3 == 3;
                lane |= (differs as u64) << k;
            }
            changed |= lane << (d * LANE);
        }
        while changed != 0 {
            let bit = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            let (d, k) = (bit / LANE % 4, bit % LANE);
            let at = cell.step(DIRECTIONS[d], k as i32 - centre);
            let old = self.cells[at.index()];
            let lines = old.with_line(d, bytes[d][k]);
            let new = CellInfo { lines, codes: self.tables.codes(lines) };
            self.update(at, old, new, watcher);
        }
    }

    /// Writes a cell's record and all that follows from it.
    #[inline(always)]
    fn update(&mut self, cell: Cell, old: CellInfo, new: CellInfo, watcher: &mut impl Watcher) {
        debug_assert!(Self::is_open(&old));
        let mut from = [Class::None; 2];
        let mut to = [Class::None; 2];
        for color in Color::ALL {
            let i = color.index();
            if old.codes[i] != new.codes[i] {
                from[i] = self.tables.class(color, old.codes[i]);
                to[i] = self.tables.class(color, new.codes[i]);
                self.classes.change(color, from[i], to[i], cell);
            }
        }
        self.journal.push(Change { cell, old, from, to });
        self.cells[cell.index()] = new;
        watcher.cell(cell, old, new);
    }

    /// Takes back what was placed last. Does nothing on an empty board.
    #[inline]
    pub fn unmake(&mut self) {
        let Some(past) = self.past.pop() else { return };
        while self.journal.len() > past.journal {
            let Some(Change { cell, old, from, to }) = self.journal.pop() else { break };
            self.cells[cell.index()] = old;
            for color in Color::ALL {
                self.classes.change(color, to[color.index()], from[color.index()], cell);
            }
        }
        near::restore(&mut self.near, past.cell, &past.near);
        self.empty.insert(past.cell);
        self.key ^= keys::stone(past.stone, past.cell);
        let bits = match past.stone {
            Stone::Of(color) => 0b10 >> color.index(),
            Stone::Wall => 0b11,
        };
        self.lines.flip(past.cell, bits);
    }
}
