//! Placing stones and walls, and taking them back.
//!
//! The inner loops avoid branches that a processor would mispredict. A stone changes
//! about 22 of the 24 empty cells of its star, so all of them are rewritten. Rank changes
//! are rarer (one cell in four): the first loop only marks them, and a second one updates
//! the census. All windows are looked up before the first record is written.
//!
//! Two journals serve unmaking: one of every changed cell with its old record and new
//! marks, and one of every change of the census.

use super::cells::{CellInfo, Change, RankChange, places, spread};
use super::line::{flipped_bits, stretch};
use super::near;
use super::state::{Board, Past};
use crate::pattern::Marks;
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, DIRECTIONS, Stone, keys};

/// Number of cells of a star processed together, one bit of a mask each. Two directions
/// share the lower 32 lanes, two the upper 32; the lanes of a pair alternate.
const LANES: usize = 64;

/// Maximum number of census changes for one stone: each lane, for both colours.
const RANK_CHANGES: usize = 2 * LANES;

/// Returns the lane of the cell `k` of a direction, counted from the first cell of the star
/// in that direction.
const fn lane(dir: usize, k: usize) -> usize {
    32 * (dir / 2) + 2 * k + dir % 2
}

/// Returns the direction of a lane.
#[inline]
pub(crate) const fn direction(lane: usize) -> usize {
    2 * (lane / 32) + lane % 2
}

/// Where the cell of a lane lies, and which bits of its record change.
#[derive(Copy, Clone)]
pub(crate) struct Lane {
    /// Cell index relative to the centre.
    pub(crate) offset: i32,
    /// Mask of the lane's direction; see [`places`].
    places: u32,
}

/// Returns the lanes of a star that reaches `half` cells in each direction.
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

/// Returns one bit for each empty cell of a star, at its lane, given the line words of the
/// centre as for [`Board::update_star`].
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

/// Returns the keys of the window of a lane's cell ([`Tables::window_number`]), given the word
/// of the lane's line, rotated as for [`Board::update_star`].
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
        let (journal, rank_changes) = (self.journal_len as u32, self.rank_changes_len as u32);
        self.past.push(Past { cell, stone, journal, rank_changes, near });
        let words = self.lines.flip_and_turn(cell, flipped_bits(stone), 2 * R::HALF);
        self.update_star(cell, &words);
    }

    /// Updates the record of a cell that is no longer empty, and the records of its star.
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

        self.reserve_journals();
        let Some(journal) = self.journal[self.journal_len..].first_chunk_mut::<LANES>() else {
            return;
        };
        let (cells, tables) = (&mut *self.cells, self.tables.mark_tables::<R>());
        let old = cells[cell.index()];
        let new = Marks::STONE;
        cells[cell.index()].marks = new;
        journal[0] = Change { old, new, cell };
        let mut changes = 1;
        // Bit mask of the changes of rank, by index in the journal.
        let mut rank_changed = u64::from(old.marks.rank_changes(new) != 0);
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
            rank_changed |= u64::from(old.marks.rank_changes(new) != 0) << (changes % LANES);
            changes += 1;
        }
        self.journal_len += changes;
        let Some(entries) =
            self.rank_changes[self.rank_changes_len..].first_chunk_mut::<RANK_CHANGES>()
        else {
            return;
        };
        let mut count = 0;
        while rank_changed != 0 {
            let change = &journal[rank_changed.trailing_zeros() as usize];
            rank_changed &= rank_changed - 1;
            let ranks = change.old.marks.rank_changes(change.new);
            let color = (ranks & 0xffff == 0) as usize;
            entries[count % RANK_CHANGES] = self.classes.apply(RankChange::new(change, color));
            count += 1;
            // The ranks of both colours rarely change at once.
            if color == 0 && ranks >> 16 != 0 {
                entries[count % RANK_CHANGES] = self.classes.apply(RankChange::new(change, 1));
                count += 1;
            }
        }
        self.rank_changes_len += count;
    }

    /// Makes room in the journals for one more stone.
    #[inline]
    fn reserve_journals(&mut self) {
        if self.journal.len() < self.journal_len + LANES
            || self.rank_changes.len() < self.rank_changes_len + RANK_CHANGES
        {
            self.grow_journals();
        }
    }

    #[cold]
    fn grow_journals(&mut self) {
        self.journal.resize((self.journal_len + LANES).next_power_of_two(), Change::NONE);
        self.rank_changes
            .resize((self.rank_changes_len + RANK_CHANGES).next_power_of_two(), RankChange::NONE);
    }

    /// Takes back the last stone or wall. Does nothing on an empty board.
    #[inline]
    pub fn unmake(&mut self) {
        let Some(past) = self.past.pop() else { return };
        let cells = &mut *self.cells;
        for change in &self.journal[past.journal as usize..self.journal_len] {
            cells[change.cell.index()] = change.old;
        }
        self.journal_len = past.journal as usize;
        for change in &self.rank_changes[past.rank_changes as usize..self.rank_changes_len] {
            let _ = self.classes.apply(change.reverse());
        }
        self.rank_changes_len = past.rank_changes as usize;
        near::restore(&mut self.near, past.cell, &past.near);
        self.empty.insert(past.cell);
        self.key ^= keys::stone(past.stone, past.cell);
        self.lines.flip(past.cell, flipped_bits(past.stone));
    }
}
