//! Placing stones and taking them back.
//!
//! The loops have no branches that a processor could mispredict. About 22 of
//! the 24 empty cells of a star change with a stone, so all are rewritten. Rank
//! changes are rare (one cell in four): the first loop only notes them, a
//! second loop updates the census. All windows are read before any record is
//! written.
//!
//! Undo is a journal of each stone: every changed cell with its old record and
//! its new marks, and the changes of the census.

use super::cells::{CellInfo, Change, Shift, places, spread};
use super::line::{stone_bits, stretch};
use super::near;
use super::state::{Board, Past};
use crate::pattern::Marks;
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, DIRECTIONS, Stone, keys};

/// Cells of a star processed together: two directions in the lower 32 lanes, two in
/// the upper, interleaved cell by cell.
const LANES: usize = 64;

/// Most moves in the census for one stone: each cell for both colours.
const SHIFTS: usize = 2 * LANES;

/// Which of the lanes a cell of the star is in, by direction and by how far it
/// is from the first one of its line.
const fn lane(dir: usize, k: usize) -> usize {
    32 * (dir / 2) + 2 * k + dir % 2
}

/// Direction of a lane.
const fn direction(lane: usize) -> usize {
    2 * (lane / 32) + lane % 2
}

/// Where the cell of a lane lies, and what of its line classes changes.
#[derive(Copy, Clone)]
struct Lane {
    /// Distance from the centre, as cell indices.
    offset: i32,
    /// The bits of the lane's direction.
    places: u32,
}

/// The lanes of a star of `half` cells to each side.
const fn lanes(half: usize) -> [Lane; LANES] {
    let mut lanes = [Lane { offset: 0, places: 0 }; LANES];
    let mut i = 0;
    while i < LANES {
        let (dir, k) = (direction(i), (i % 32 / 2) as i32);
        let offset = DIRECTIONS[dir].delta() * (k - half as i32);
        lanes[i] = Lane { offset, places: places(dir) };
        i += 1;
    }
    lanes
}

impl<R: Rule> Board<R> {
    const STAR: [Lane; LANES] = lanes(R::HALF);

    /// Places a stone of a colour on an empty cell, without judging it.
    #[inline]
    pub fn make(&mut self, cell: Cell, color: Color) {
        self.place(cell, Stone::Of(color), stone_bits(color));
    }

    /// Makes an empty cell a wall.
    pub fn make_wall(&mut self, cell: Cell) {
        self.place(cell, Stone::Wall, 0b11);
    }

    #[inline]
    fn place(&mut self, cell: Cell, stone: Stone, bits: u64) {
        debug_assert!(self.empty.contains(cell));
        self.empty.remove(cell);
        let near = match stone {
            Stone::Of(_) => near::add(&mut self.near, cell),
            Stone::Wall => near::words(&self.near, cell),
        };
        self.key ^= keys::stone(stone, cell);
        let (journal, shifts) = (self.changed as u32, self.shifted as u32);
        self.past.push(Past { cell, stone, journal, shifts, near });
        let words = self.lines.flip_and_turn(cell, bits, 2 * R::HALF);
        self.update_star(cell, &words);
    }

    /// Updates a cell that is no longer empty and the cells of its star, given the
    /// words of its lines with the first cell of all their windows lowest.
    ///
    /// Nearly all empty cells of a star change, and which do not is unpredictable, so
    /// all are written in a branch-free loop. All windows are read before it.
    #[inline]
    fn update_star(&mut self, cell: Cell, words: &[u64; 4]) {
        let mut lines = [0; LANES];
        for (dir, &word) in words.iter().enumerate() {
            for k in 0..R::HALF {
                for k in [k, k + R::HALF + 1] {
                    let back = stretch(R::HALF, word, k);
                    let front = stretch(R::HALF, word, k + R::HALF + 1);
                    lines[lane(dir, k)] = spread(dir, self.tables.window(back, front));
                }
            }
        }
        // One bit for each empty cell; the lower of its two is in the right
        // lane already.
        let star = ((1 << (4 * R::HALF + 2)) - 1) & 0x5555_5555;
        let open = words.map(|word| {
            let word = word >> (2 * R::HALF);
            word & word >> 1 & star
        });
        let mut open = open[0] | open[1] << 1 | (open[2] | open[3] << 1) << 32;

        self.lengthen_journals();
        let Some(journal) = self.journal[self.changed..].first_chunk_mut::<LANES>() else { return };
        let old = self.cells[cell.index()];
        let new = Marks::STONE;
        self.cells[cell.index()].marks = new;
        journal[0] = Change { old, new, cell };
        let tables = self.tables;
        let mut changes = 1;
        // The changes where a rank changes too.
        let mut shifted = [0u8; LANES];
        let mut shifts = (old.marks.rank_changes(new) != 0) as usize;
        while open != 0 {
            let lane = open.trailing_zeros() as usize;
            open &= open - 1;
            let Lane { offset, places } = Self::STAR[lane];
            let at = Cell::from_index((cell.index() as i32 + offset) as usize);
            let old = self.cells[at.index()];
            let lines = old.lines ^ (old.lines ^ lines[lane]) & places;
            let new = tables.marks::<R>(lines);
            self.cells[at.index()] = CellInfo { lines, marks: new };
            journal[changes % LANES] = Change { old, new, cell: at };
            shifted[shifts % LANES] = changes as u8;
            shifts += (old.marks.rank_changes(new) != 0) as usize;
            changes += 1;
        }
        self.changed += changes;
        let Some(room) = self.shifts[self.shifted..].first_chunk_mut::<SHIFTS>() else { return };
        let mut count = 0;
        for &i in &shifted[..shifts % LANES] {
            let change = &journal[i as usize % LANES];
            let ranks = change.old.marks.rank_changes(change.new);
            let color = (ranks & 0xffff == 0) as usize;
            room[count % SHIFTS] = self.classes.shift(Shift::new(change, color));
            count += 1;
            // Both rarely change.
            if color == 0 && ranks >> 16 != 0 {
                room[count % SHIFTS] = self.classes.shift(Shift::new(change, 1));
                count += 1;
            }
        }
        self.shifted += count;
    }

    /// Makes room for the changes of one more stone.
    #[inline]
    fn lengthen_journals(&mut self) {
        if self.journal.len() < self.changed + LANES || self.shifts.len() < self.shifted + SHIFTS {
            self.lengthen();
        }
    }

    #[cold]
    fn lengthen(&mut self) {
        self.journal.resize((self.changed + LANES).next_power_of_two(), Change::NONE);
        self.shifts.resize((self.shifted + SHIFTS).next_power_of_two(), Shift::NONE);
    }

    /// Takes back the last stone or wall. Does nothing on an empty board.
    #[inline]
    pub fn unmake(&mut self) {
        let Some(past) = self.past.pop() else { return };
        for change in &self.journal[past.journal as usize..self.changed] {
            self.cells[change.cell.index()] = change.old;
        }
        self.changed = past.journal as usize;
        for shift in &self.shifts[past.shifts as usize..self.shifted] {
            let _ = self.classes.shift(shift.reverse());
        }
        self.shifted = past.shifts as usize;
        near::restore(&mut self.near, past.cell, &past.near);
        self.empty.insert(past.cell);
        self.key ^= keys::stone(past.stone, past.cell);
        let bits = match past.stone {
            Stone::Of(color) => stone_bits(color),
            Stone::Wall => 0b11,
        };
        self.lines.flip(past.cell, bits);
    }
}
