//! Live lines: lines with stones of one colour only, or of none. Their numbers are stored
//! by the stones on them, for a cell or a board.

use std::ops::{AddAssign, Sub};

use goren_core::types::Color;

/// Longest winning length.
pub const LONGEST: usize = 7;

/// Bits of a counter in [`Live`]: a cell is on at most
/// [`MAX_LINES`](super::geometry::MAX_LINES) lines, so a counter never overflows.
const COUNT_BITS: usize = 8;
/// 128 in each byte. Added to eight sums from -128 to 127 it makes them bytes that do not
/// borrow from each other.
const BIAS: u64 = u64::from_ne_bytes([128; LONGEST + 1]);

/// The live lines of a colour through a cell, those without an opponent's stone, counted
/// by the colour's stones on them: byte `n` counts the lines with `n` stones.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Live(u64);

impl Live {
    /// Creates the counters of this many lines, all empty.
    pub(super) fn empty(lines: usize) -> Live {
        Live(lines as u64 * line(0))
    }

    /// Returns the number of lines with this many stones.
    #[inline]
    pub fn of(self, stones: usize) -> usize {
        (self.0 >> (COUNT_BITS * stones)) as usize & ((1 << COUNT_BITS) - 1)
    }

    /// Returns the number of lines with 0, 1, ... stones.
    #[inline]
    pub fn counts(self) -> [u8; LONGEST + 1] {
        self.0.to_le_bytes()
    }

    /// Returns the number of stones on the fullest line; 0 if there is no live line.
    #[inline]
    pub fn most(self) -> usize {
        (u64::BITS - 1).saturating_sub(self.0.leading_zeros()) as usize / COUNT_BITS
    }

    /// Adds (`MORE`) or subtracts a change from [`LiveChange::of`].
    #[inline(always)]
    pub(super) fn change<const MORE: bool>(&mut self, change: u64) {
        self.0 = if MORE { self.0.wrapping_add(change) } else { self.0.wrapping_sub(change) };
    }
}

/// Returns the word of [`Live`] that counts one line with this many stones.
const fn line(stones: usize) -> u64 {
    1 << (COUNT_BITS * stones)
}

/// Numbers of live lines of a board, by their stones.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Levels([u16; LONGEST + 1]);

impl Levels {
    /// Creates the numbers for this many lines, all empty.
    pub(super) fn empty(lines: usize) -> Levels {
        let mut levels = [0; LONGEST + 1];
        levels[0] = lines as u16;
        Levels(levels)
    }

    /// Returns the number of lines with this many stones.
    #[inline]
    pub(super) fn of(&self, stones: usize) -> usize {
        usize::from(self.0[stones])
    }

    /// Adds (`MORE`) or subtracts a change from [`LiveChange::of`], of at most 127 lines.
    #[inline(always)]
    pub(super) fn change<const MORE: bool>(&mut self, change: u64) {
        let biased = change.wrapping_add(BIAS).to_le_bytes();
        for (lines, more) in self.0.iter_mut().zip(biased) {
            let more = u16::from(more).wrapping_sub(128);
            *lines = if MORE { lines.wrapping_add(more) } else { lines.wrapping_sub(more) };
        }
    }
}

/// The change that a stone makes in the [`Live`] words of Black and White, or a sum of such
/// changes.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct LiveChange([u64; 2]);

impl LiveChange {
    /// Returns the change for a colour, by its index.
    #[inline(always)]
    pub(super) fn of(self, color: usize) -> u64 {
        self.0[color]
    }
}

impl AddAssign for LiveChange {
    #[inline(always)]
    fn add_assign(&mut self, more: LiveChange) {
        self.0 = [0, 1].map(|c| self.0[c].wrapping_add(more.0[c]));
    }
}

impl Sub for LiveChange {
    type Output = LiveChange;

    #[inline(always)]
    fn sub(self, less: LiveChange) -> LiveChange {
        LiveChange([0, 1].map(|c| self.0[c].wrapping_sub(less.0[c])))
    }
}

/// The stones on a line: eight times Black's number plus White's.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct LineStones(u8);

/// Number of values of [`LineStones`].
const COMBINATIONS: usize = (LONGEST + 1) * (LONGEST + 1);

/// The change that a stone makes, by its colour and the stones on a line.
static CHANGES: [[LiveChange; COMBINATIONS]; 2] = changes();

const fn changes() -> [[LiveChange; COMBINATIONS]; 2] {
    let mut changes = [[LiveChange([0; 2]); COMBINATIONS]; 2];
    let mut i = 0;
    while i < 2 * COMBINATIONS {
        let (c, stones) = (i / COMBINATIONS, i % COMBINATIONS);
        let by_color = LineStones(stones as u8).by_color();
        let (own, others) = (by_color[c], by_color[1 - c]);
        if others == 0 && own < LONGEST {
            changes[c][stones].0[c] = line(own + 1).wrapping_sub(line(own));
        }
        if own == 0 {
            changes[c][stones].0[1 - c] = 0u64.wrapping_sub(line(others));
        }
        i += 1;
    }
    changes
}

impl LineStones {
    /// Returns the stones of Black and White.
    #[inline(always)]
    pub(super) const fn by_color(self) -> [usize; 2] {
        let stones = self.0 as usize;
        [stones / (LONGEST + 1), stones % (LONGEST + 1)]
    }

    /// Returns the stones of a colour.
    #[inline(always)]
    pub(super) fn of(self, color: Color) -> usize {
        self.by_color()[color.index()]
    }

    /// Adds a stone.
    #[inline(always)]
    #[must_use]
    pub(super) fn with(self, color: Color) -> LineStones {
        LineStones(self.0 + one(color))
    }

    /// Removes a stone.
    #[inline(always)]
    #[must_use]
    pub(super) fn without(self, color: Color) -> LineStones {
        LineStones(self.0 - one(color))
    }

    /// Returns the change that one more stone makes in the numbers of live lines.
    #[inline(always)]
    pub(super) fn change(self, color: Color) -> LiveChange {
        CHANGES[color.index()][usize::from(self.0) % COMBINATIONS]
    }
}

/// Returns the value that a stone adds to a [`LineStones`].
#[inline(always)]
const fn one(color: Color) -> u8 {
    match color {
        Color::Black => LONGEST as u8 + 1,
        Color::White => 1,
    }
}
