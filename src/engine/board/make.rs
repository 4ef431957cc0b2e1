//! Placing stones and walls, and taking them back.
//!
//! The inner loops avoid branches that a processor would mispredict. A stone changes
//! about 22 of the 24 empty cells of its star, so all of them are rewritten. Rank changes
//! are rarer (one cell in four): the first loop only notes them, and a second one updates
//! the census. All windows are looked up before the first record is written.
//!
//! Two journals serve undo: every changed cell with its old record and new marks, and
//! every change of the census.

use super::cells::{CellInfo, Change, RankChange, places, spread};
use super::line::{flipped_bits, stretch};
use super::near;
use super::state::{Board, Past};
use crate::pattern::Marks;
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, DIRECTIONS, Stone, keys};

/// Cells of a star processed together, one bit of a mask each. Two directions share the
/// lower 32 lanes, two the upper 32; the lanes of a pair alternate.
const LANES: usize = 64;

/// Most changes in the census for one stone: each lane, for both colours.
const SHIFTS: usize = 2 * LANES;

/// Lane of the cell `k` of a direction, counted from the first cell of the star in that
/// direction.
const fn lane(dir: usize, k: usize) -> usize {
    32 * (dir / 2) + 2 * k + dir % 2
}

/// Direction of a lane.
#[inline]
pub(crate) const fn direction(lane: usize) -> usize {
    2 * (lane / 32) + lane % 2
}

/// Where the cell of a lane lies, and which bits of its record change.
#[derive(Copy, Clone)]
pub(crate) struct Lane {
    /// Difference of its cell index to that of the centre.
    pub(crate) offset: i32,
    /// Mask of the lane's direction; see [`places`].
    places: u32,
}

/// The lanes of a star that reaches `half` cells in each direction.
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

/// One bit for each empty cell of a star, at its lane, given the line words of the centre as
/// for [`Board::update_star`].
#[inline]
pub(crate) fn empty_lanes(half: usize, words: &[u64; 4]) -> u64 {
    // The lower bit of a cell's two already has the right lane; the odd direction of a pair
    // is shifted by one.
    let star = ((1 << (4 * half + 2)) - 1) & 0x5555_5555;
    let open = words.map(|word| {
        let word = word >> (2 * half);
        word & word >> 1 & star
    });
    open[0] | open[1] << 1 | (open[2] | open[3] << 1) << 32
}

/// The keys of the window of a lane's cell ([`Tables::window_number`]), in the word of the
/// lane's line, turned as for [`Board::update_star`].
///
/// [`Tables::window_number`]: crate::pattern::Tables::window_number
#[inline(always)]
pub(crate) fn window_keys(half: usize, word: u64, lane: usize) -> (usize, usize) {
    // Twice the number of the cell in its line of the star.
    let word = word >> (lane & 30);
    (stretch(half, word, 0), stretch(half, word, half + 1))
}

impl<R: Rule> Board<R> {
    pub(crate) const STAR: [Lane; LANES] = lanes(R::HALF);

    /// Places a stone on an empty cell. Does not check for fouls or a win.
    #[inline]
    pub fn make(&mut self, cell: Cell, color: Color) {
        self.place(cell, Stone::Of(color));
    }

    /// Turns an empty cell into a wall.
    pub fn make_wall(&mut self, cell: Cell) {
        self.place(cell, Stone::Wall);
    }

    #[inline]
    fn place(&mut self, cell: Cell, stone: Stone) {
        debug_assert!(self.empty.contains(cell));
        self.empty.remove(cell);
        let near = match stone {
            Stone::Of(_) => near::add(&mut self.near, cell),
            Stone::Wall => near::words(&self.near, cell),
        };
        self.key ^= keys::stone(stone, cell);
        let (journal, rank_changes) = (self.changed as u32, self.shifted as u32);
        self.past.push(Past { cell, stone, journal, rank_changes, near });
        let words = self.lines.flip_and_turn(cell, flipped_bits(stone), 2 * R::HALF);
        self.update_star(cell, &words);
    }

    /// Updates the record of a cell that is no longer empty, and those of its star.
    /// `words` are the four words of its lines, rotated so that the first cell of the
    /// windows involved is lowest.
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
        let mut open = empty_lanes(R::HALF, words);

        self.lengthen_journals();
        let Some(journal) = self.journal[self.changed..].first_chunk_mut::<LANES>() else { return };
        let (cells, tables) = (&mut *self.cells, self.tables.mark_tables::<R>());
        let old = cells[cell.index()];
        let new = Marks::STONE;
        cells[cell.index()].marks = new;
        journal[0] = Change { old, new, cell };
        let mut changes = 1;
        // The changes in which a rank changes, by their indices in the journal.
        let mut shifted = u64::from(old.marks.rank_changes(new) != 0);
        while open != 0 {
            let lane = open.trailing_zeros() as usize;
            open &= open - 1;
            let Lane { offset, places } = Self::STAR[lane];
            let at = Cell::from_index((cell.index() as i32 + offset) as usize);
            let old = cells[at.index()];
            let lines = old.lines ^ (old.lines ^ lines[lane]) & places;
            let new = tables.marks(lines);
            cells[at.index()] = CellInfo { lines, marks: new };
            journal[changes % LANES] = Change { old, new, cell: at };
            shifted |= u64::from(old.marks.rank_changes(new) != 0) << (changes % LANES);
            changes += 1;
        }
        self.changed += changes;
        let Some(room) = self.rank_changes[self.shifted..].first_chunk_mut::<SHIFTS>() else {
            return;
        };
        let mut count = 0;
        while shifted != 0 {
            let change = &journal[shifted.trailing_zeros() as usize];
            shifted &= shifted - 1;
            let ranks = change.old.marks.rank_changes(change.new);
            let color = (ranks & 0xffff == 0) as usize;
            room[count % SHIFTS] = self.classes.shift(RankChange::new(change, color));
            count += 1;
            // Rarely do both colours' ranks change.
            if color == 0 && ranks >> 16 != 0 {
                room[count % SHIFTS] = self.classes.shift(RankChange::new(change, 1));
                count += 1;
            }
        }
        self.shifted += count;
    }

    /// Makes room in the journals for one more stone.
    #[inline]
    fn lengthen_journals(&mut self) {
        if self.journal.len() < self.changed + LANES
            || self.rank_changes.len() < self.shifted + SHIFTS
        {
            self.lengthen();
        }
    }

    #[cold]
    fn lengthen(&mut self) {
        self.journal.resize((self.changed + LANES).next_power_of_two(), Change::NONE);
        self.rank_changes.resize((self.shifted + SHIFTS).next_power_of_two(), RankChange::NONE);
    }

    /// Takes back the last stone or wall. Does nothing on an empty board.
    #[inline]
    pub fn unmake(&mut self) {
        let Some(past) = self.past.pop() else { return };
        let cells = &mut *self.cells;
        for change in &self.journal[past.journal as usize..self.changed] {
            cells[change.cell.index()] = change.old;
        }
        self.changed = past.journal as usize;
        for shift in &self.rank_changes[past.rank_changes as usize..self.shifted] {
            let _ = self.classes.shift(shift.reverse());
        }
        self.shifted = past.rank_changes as usize;
        near::restore(&mut self.near, past.cell, &past.near);
        self.empty.insert(past.cell);
        self.key ^= keys::stone(past.stone, past.cell);
        self.lines.flip(past.cell, flipped_bits(past.stone));
    }
}
