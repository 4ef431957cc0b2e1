//! The stones of the board as line words: one word for each row, column and diagonal, two
//! bits for each cell.
//!
//! Bit 0 of a cell is set if Black can still use it, bit 1 if White can: wall 00, black
//! stone 01, white stone 10, empty 11. Placing a stone clears the other colour's bit;
//! removing it flips the same bit back. Diagonals 32 apart share a word; at least six
//! wall cells separate them, and as many separate the end of any line from its beginning
//! when the word is rotated. So a window can be read from a rotated word without bounds
//! checks.

use goren_core::types::{Cell, CellSet, Color, DIRECTIONS, Direction, Stone};

/// All line words of a board.
#[derive(Clone, PartialEq, Eq)]
pub struct Lines {
    words: [[u64; 32]; 4],
}

/// Returns the index of the word of a cell's line, and the cell's place in it: bits
/// `2 * place` and `2 * place + 1`.
#[inline]
fn place(dir: Direction, cell: Cell) -> (usize, u32) {
    let (x, y) = (cell.x(), cell.y());
    match dir {
        Direction::Row => (y, x as u32),
        Direction::Column => (x, y as u32),
        Direction::Diagonal => (x.wrapping_sub(y) & 31, x as u32),
        Direction::AntiDiagonal => ((x + y) & 31, x as u32),
    }
}

impl Lines {
    /// Creates the lines of an empty board with these cells; all others are walls.
    pub fn new(cells: &CellSet) -> Lines {
        let mut lines = Lines { words: [[0; 32]; 4] };
        for cell in cells.iter() {
            lines.flip(cell, 3);
        }
        lines
    }

    /// Flips bits of a cell in its four words: the bits from [`flipped_bits`] place or remove
    /// a stone or a wall.
    #[inline]
    pub fn flip(&mut self, cell: Cell, bits: u64) {
        for dir in DIRECTIONS {
            let (word, at) = place(dir, cell);
            self.words[dir as usize][word] ^= bits << (2 * at);
        }
    }

    /// Places or removes a stone.
    #[inline]
    pub fn flip_stone(&mut self, cell: Cell, color: Color) {
        self.flip(cell, stone_bits(color));
    }

    /// Returns the word of a cell's line, rotated so that the cell has the lowest bits.
    #[inline]
    pub fn turned_to(&self, dir: Direction, cell: Cell) -> u64 {
        let (word, at) = place(dir, cell);
        self.words[dir as usize][word].rotate_right(2 * at)
    }

    /// Returns the two bits of a cell.
    #[inline]
    pub fn at(&self, cell: Cell) -> u64 {
        self.words[0][cell.y()] >> (2 * cell.x()) & 3
    }

    /// Flips bits of a cell and returns the new words of its four lines, rotated so that the
    /// cell is `height` cells above the lowest.
    #[inline]
    pub fn flip_and_turn(&mut self, cell: Cell, bits: u64, height: usize) -> [u64; 4] {
        DIRECTIONS.map(|dir| {
            let (word, at) = place(dir, cell);
            let word = &mut self.words[dir as usize][word];
            *word ^= bits << (2 * at);
            word.rotate_right(2 * at).rotate_left(2 * height as u32)
        })
    }

    /// Returns the keys (`2 * half` bits each) of the `half` cells before and after a cell.
    #[inline]
    pub fn halves(&self, half: usize, dir: Direction, cell: Cell) -> (usize, usize) {
        halves(half, self.turned_to(dir, cell))
    }
}

/// Returns the bits that a stone of a colour flips in a cell.
#[inline]
pub fn stone_bits(color: Color) -> u64 {
    0b10 >> color.index()
}

/// Returns the bits that a stone or a wall flips in a cell.
#[inline(always)]
pub fn flipped_bits(stone: Stone) -> u64 {
    match stone {
        Stone::Of(color) => stone_bits(color),
        Stone::Wall => 0b11,
    }
}

/// Returns the keys of the `half` cells before and after the lowest cell of a rotated line word.
#[inline]
pub fn halves(half: usize, word: u64) -> (usize, usize) {
    let word = word.rotate_left(2 * half as u32);
    (stretch(half, word, 0), stretch(half, word, half + 1))
}

/// Returns the key of the `half` cells of a line word that begin at cell `from`.
#[inline]
pub fn stretch(half: usize, word: u64, from: usize) -> usize {
    (word >> (2 * from) & ((1 << (2 * half)) - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the same keys cell by cell.
    fn slow(half: usize, dir: Direction, cell: Cell, at: impl Fn(Cell) -> u64) -> (usize, usize) {
        let mut key = 0;
        for i in 0..2 * half {
            let step = if i < half { i as i32 - half as i32 } else { (i - half + 1) as i32 };
            key |= (at(cell.step(dir, step)) as usize) << (2 * i);
        }
        (key & ((1 << (2 * half)) - 1), key >> (2 * half))
    }

    #[test]
    fn words_agree_with_cells_on_every_size() {
        for (w, h) in [(5, 5), (15, 15), (26, 26), (5, 26), (26, 5), (20, 13)] {
            let cells = CellSet::board(w, h);
            let mut lines = Lines::new(&cells);
            let mut bits = [0u64; 1024];
            for (i, cell) in cells.iter().enumerate() {
                bits[cell.index()] = 3;
                match i * 7 % 5 {
                    0 => lines.flip_stone(cell, Color::Black),
                    1 => lines.flip_stone(cell, Color::White),
                    _ => continue,
                }
                bits[cell.index()] = if i * 7 % 5 == 0 { 1 } else { 2 };
            }
            for cell in cells.iter() {
                assert_eq!(lines.at(cell), bits[cell.index()]);
                for dir in DIRECTIONS {
                    for half in [4, 5] {
                        let slow = slow(half, dir, cell, |c| bits[c.index()]);
                        assert_eq!(lines.halves(half, dir, cell), slow, "{w}x{h} {cell:?} {dir:?}");
                    }
                }
            }
        }
    }
}
