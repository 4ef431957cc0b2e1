//! Placing stones and taking them back.

use super::cells::{CellInfo, Change, Shift};
use super::line::stretch;
use super::{Board, Watcher, near};
use crate::pattern::Mark;
use crate::rules::Rule;
use crate::types::{Cell, Color, DIRECTIONS, Stone, keys};

/// Cells of a star that are looked at together: two directions in the lower 32,
/// two in the upper, in turn cell by cell.
const LANES: usize = 64;

/// Which of the lanes a cell of the star is in, by direction and by how far it
/// is from the first one of its line.
const fn lane(dir: usize, k: usize) -> usize {
    32 * (dir / 2) + 2 * k + dir % 2
}

/// Direction of a lane.
const fn direction(lane: usize) -> usize {
    2 * (lane / 32) + lane % 2
}

/// Distances of the cells in the lanes from the centre, as cell indices, for a
/// star of `half` cells to each side.
const fn offsets(half: usize) -> [i16; LANES] {
    let mut offsets = [0; LANES];
    let mut i = 0;
    while i < LANES {
        let k = (i % 32 / 2) as i32;
        offsets[i] = (DIRECTIONS[direction(i)].delta() * (k - half as i32)) as i16;
        i += 1;
    }
    offsets
}

/// What is needed to take a stone back.
#[derive(Clone)]
pub(super) struct Past {
    pub(super) cell: Cell,
    pub(super) stone: Stone,
    /// Where its changes begin in the journals.
    journal: u32,
    shifts: u32,
    near: [u64; near::WORDS],
}

impl<R: Rule> Board<R> {
    const OFFSETS: [i16; LANES] = offsets(R::HALF);

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
        self.empty.remove(cell);
        let near = match stone {
            Stone::Of(_) => near::add(&mut self.near, cell),
            Stone::Wall => near::words(&self.near, cell),
        };
        self.key ^= keys::stone(stone, cell);
        let (journal, shifts) = (self.changed as u32, self.shifts.len() as u32);
        self.past.push(Past { cell, stone, journal, shifts, near });
        let words = self.lines.flip_and_turn(cell, bits, 2 * R::HALF);
        self.update_star(cell, &words, watcher);
    }

    /// Brings a cell that is no longer empty and the cells of its star up to
    /// date, given the words of its lines with the first cell of all their
    /// windows lowest.
    ///
    /// Nearly all empty cells of a star change, and which do not cannot be
    /// guessed: all are written, in a loop that has no other branch than its
    /// end. All windows are read before it.
    #[inline]
    fn update_star(&mut self, cell: Cell, words: &[u64; 4], watcher: &mut impl Watcher) {
        let mut bytes = [0u8; LANES];
        for (dir, &word) in words.iter().enumerate() {
            for k in 0..R::HALF {
                for k in [k, k + R::HALF + 1] {
                    let back = stretch(R::HALF, word, k);
                    let front = stretch(R::HALF, word, k + R::HALF + 1);
                    bytes[lane(dir, k)] = self.tables.window(back, front);
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

        if self.journal.len() < self.changed + LANES {
            self.journal.resize(self.changed + LANES, Change::NONE);
        }
        let journal = &mut self.journal[self.changed..][..LANES];
        let old = self.cells[cell.index()];
        let new = CellInfo { lines: old.lines, marks: [Mark::STONE; 2] };
        self.cells[cell.index()] = new;
        watcher.cell(cell, old, new);
        journal[0] = Change { cell, old };
        let mut changes = 1;
        // The changes where a rank changes too.
        let mut shifted = [0u8; LANES];
        let mut shifts = (Mark::ranks_differ(old.marks, new.marks)) as usize;
        while open != 0 {
            let lane = open.trailing_zeros() as usize;
            open &= open - 1;
            let at = Cell::from_index((cell.index() as i32 + Self::OFFSETS[lane] as i32) as usize);
            let dir = direction(lane);
            let old = self.cells[at.index()];
            let lines = old.with_line(dir, bytes[lane]);
            let new = CellInfo { lines, marks: self.tables.marks(lines) };
            self.cells[at.index()] = new;
            watcher.cell(at, old, new);
            journal[changes % LANES] = Change { cell: at, old };
            shifted[shifts % LANES] = changes as u8;
            shifts += Mark::ranks_differ(old.marks, new.marks) as usize;
            changes += 1;
        }
        for &i in &shifted[..shifts % LANES] {
            let Change { cell, old } = journal[i as usize % LANES];
            let shift = Shift::new(cell, old.marks, self.cells[cell.index()].marks);
            self.classes.shift(shift);
            self.shifts.push(shift);
        }
        self.changed += changes;
    }

    /// Takes back what was placed last. Does nothing on an empty board.
    #[inline]
    pub fn unmake(&mut self) {
        let Some(past) = self.past.pop() else { return };
        for change in &self.journal[past.journal as usize..self.changed] {
            self.cells[change.cell.index()] = change.old;
        }
        self.changed = past.journal as usize;
        for shift in self.shifts.drain(past.shifts as usize..) {
            self.classes.shift(shift.reverse());
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
