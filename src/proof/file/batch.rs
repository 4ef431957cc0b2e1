//! Batches of moves, and the numbers in them.

use goren_core::rules::Setup;
use goren_core::types::Cell;

/// Exclusive upper limit of keys.
const KEY_LIMIT: u64 = 1 << 56;
/// Maximum number of moves to reserve memory for before any is read.
const MAX_RESERVED: usize = 1 << 16;
/// Cells of the largest board whose cell numbers fit into a byte.
const BYTE_CELLS: usize = 1 << 8;

/// A byte slice that is read from the front.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    pub(super) fn word(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// Reads a varint. Most are decoded in one step from eight bytes, as a lookup does
    /// little else than read numbers.
    fn number(&mut self) -> Option<u64> {
        const TOPS: u64 = 0x8080_8080_8080_8080;
        if let Some(&front) = self.0.first_chunk() {
            let word = u64::from_le_bytes(front);
            let ends = !word & TOPS;
            if ends != 0 {
                // Keep the bits up to the first clear top bit.
                let word = word & (ends ^ (ends - 1)) & !TOPS;
                // Merge groups of 7 bits to groups of 14, 28 and 56.
                let word = word & 0x007f_007f_007f_007f | (word & 0x7f00_7f00_7f00_7f00) >> 1;
                let word = word & 0x0000_3fff_0000_3fff | (word & 0x3fff_0000_3fff_0000) >> 2;
                let word = word & 0x0fff_ffff | (word & 0x0fff_ffff_0000_0000) >> 4;
                self.0 = &self.0[ends.trailing_zeros() as usize / 8 + 1..];
                return Some(word);
            }
        }
        self.number_bytewise()
    }

    /// Reads a varint byte by byte.
    fn number_bytewise(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

fn push_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Encoding of the moves of a file.
#[derive(Copy, Clone, Debug)]
pub(super) struct Coding {
    setup: Setup,
    /// Whether cells are varints, as in the first version.
    varint_cells: bool,
}

impl Coding {
    pub(super) fn new(setup: Setup, varint_cells: bool) -> Coding {
        Coding { setup, varint_cells }
    }

    /// Appends a move; `last` is the key of the move before it.
    pub(super) fn push(&self, last: u64, (key, cell): (u64, Cell), body: &mut Vec<u8>) {
        push_number(key - last, body);
        let number = cell.y() * self.setup.width + cell.x();
        if self.varint_cells {
            push_number(number as u64, body);
        } else if self.setup.area() <= BYTE_CELLS {
            body.push(number as u8);
        } else {
            body.extend((number as u16).to_le_bytes());
        }
    }

    /// Encodes a batch of moves, which are sorted by key.
    pub(super) fn batch(&self, moves: &[(u64, Cell)]) -> Vec<u8> {
        let mut body = Vec::with_capacity(8 * moves.len());
        let mut last = 0;
        for &(key, cell) in moves {
            self.push(last, (key, cell), &mut body);
            last = key;
        }
        framed(moves.len(), &body)
    }

    /// Reads the next move of a body: its key and the number of its cell. `last` is the key
    /// of the move before it.
    fn next(&self, last: u64, body: &mut Bytes<'_>) -> Option<(u64, u64)> {
        let key = last + body.number()?;
        let number = if self.varint_cells {
            body.number()?
        } else if self.setup.area() <= BYTE_CELLS {
            body.byte()?.into()
        } else {
            u16::from_le_bytes(body.take(2)?.try_into().ok()?).into()
        };
        (key < KEY_LIMIT).then_some((key, number))
    }

    /// Returns the cell with a number, if it is on the board.
    fn cell(&self, number: u64) -> Option<Cell> {
        let Setup { width, .. } = self.setup;
        let number = usize::try_from(number).ok().filter(|&number| number < self.setup.area())?;
        Some(Cell::new(number % width, number / width))
    }

    /// Reads the first key of a body or of a prefix of it.
    pub(super) fn first(&self, body: &[u8]) -> Option<u64> {
        self.next(0, &mut Bytes(body)).map(|(key, _)| key)
    }
}

/// Returns a body with its frame.
pub(super) fn framed(count: usize, body: &[u8]) -> Vec<u8> {
    let mut batch = Vec::with_capacity(Frame::BYTES + body.len());
    batch.extend((count as u32).to_le_bytes());
    batch.extend((body.len() as u32).to_le_bytes());
    batch.extend(crc32fast::hash(body).to_le_bytes());
    batch.extend(body);
    batch
}

/// The frame before the body of a batch.
#[derive(Copy, Clone, Debug)]
pub(super) struct Frame {
    /// Number of moves.
    pub(super) count: u32,
    /// Size of the body in bytes.
    pub(super) length: u32,
    sum: u32,
}

impl Frame {
    /// Size in bytes.
    pub(super) const BYTES: usize = 12;

    pub(super) fn take(bytes: &mut Bytes<'_>) -> Option<Frame> {
        Some(Frame { count: bytes.word()?, length: bytes.word()?, sum: bytes.word()? })
    }
}

/// An encoded batch.
#[derive(Copy, Clone)]
pub(super) struct Batch<'a> {
    frame: Frame,
    body: &'a [u8],
}

impl<'a> Batch<'a> {
    /// Takes the batch at the front; `None` if it is truncated.
    pub(super) fn take(bytes: &mut Bytes<'a>) -> Option<Batch<'a>> {
        let frame = Frame::take(bytes)?;
        Some(Batch { frame, body: bytes.take(frame.length as usize)? })
    }

    /// Whether the checksum is right and the body has exactly the number of moves that the
    /// frame says, all of them on the board.
    pub(super) fn is_sound(&self, coding: Coding) -> bool {
        let mut body = Bytes(self.body);
        let mut last = 0;
        let mut sound = || {
            let (key, number) = coding.next(last, &mut body)?;
            last = key;
            coding.cell(number)
        };
        crc32fast::hash(self.body) == self.frame.sum
            && (0..self.frame.count).all(|_| sound().is_some())
            && body.0.is_empty()
    }

    /// Decodes all moves; `None` if the batch is damaged.
    pub(super) fn moves(&self, coding: Coding) -> Option<Vec<(u64, Cell)>> {
        if crc32fast::hash(self.body) != self.frame.sum {
            return None;
        }
        let mut body = Bytes(self.body);
        let mut moves = Vec::with_capacity((self.frame.count as usize).min(MAX_RESERVED));
        let mut last = 0;
        for _ in 0..self.frame.count {
            let (key, number) = coding.next(last, &mut body)?;
            moves.push((key, coding.cell(number)?));
            last = key;
        }
        body.0.is_empty().then_some(moves)
    }

    /// Calls `on_move` with each move of a key; `None` if the batch is invalid up to there.
    /// The caller has checked that the batch is sound.
    pub(super) fn find(
        &self,
        coding: Coding,
        key: u64,
        mut on_move: impl FnMut(Cell),
    ) -> Option<()> {
        let mut body = Bytes(self.body);
        let mut last = 0;
        for _ in 0..self.frame.count {
            let (next, number) = coding.next(last, &mut body)?;
            if next > key {
                return Some(());
            } else if next == key {
                on_move(coding.cell(number)?);
            }
            last = next;
        }
        body.0.is_empty().then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_varint_readers_agree() {
        let mut written = Vec::new();
        let numbers = (0..63).flat_map(|bits| [1 << bits, (1 << bits) - 1, (1 << bits) + 5]);
        let numbers: Vec<u64> = numbers.filter(|&number| number < 1 << 63).collect();
        numbers.iter().for_each(|&number| push_number(number, &mut written));
        let (mut fast, mut slow) = (Bytes(&written), Bytes(&written));
        for &number in &numbers {
            assert_eq!((fast.number(), slow.number_bytewise()), (Some(number), Some(number)));
            assert_eq!(fast.0, slow.0);
        }
        assert!(fast.0.is_empty());
        // Truncated, or without a last byte.
        for bytes in [&[][..], &[0x80], &[0xff; 7], &[0xff; 8], &[0xff; 12]] {
            assert_eq!((Bytes(bytes).number(), Bytes(bytes).number_bytewise()), (None, None));
        }
        // With redundant zeros, and followed by other bytes.
        for length in 1..=9 {
            let mut bytes = [0x80; 12];
            bytes[0] = 0x85;
            bytes[length - 1] &= 0x7f;
            assert_eq!(Bytes(&bytes).number(), Some(5));
            assert_eq!(Bytes(&bytes).number_bytewise(), Some(5));
        }
    }
}
