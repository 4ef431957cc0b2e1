//! Codes of tuples and windows: neighbouring cells of a line, two bits a cell, the first
//! cell lowest: wall 00, black stone 01, white stone 10, empty 11.

use crate::board::WINDOW_CELLS;

/// Number of codes of a window.
pub const WINDOW_CODES: usize = 1 << (2 * WINDOW_CELLS);

/// The canonical code of a window, as [`canonical`] of a tuple.
pub fn canonical_window(code: u16) -> u16 {
    canonical(code, WINDOW_CELLS)
}

/// The canonical code: the smaller of a code and its reverse.
pub fn canonical(code: u16, span: usize) -> u16 {
    code.min(reversed(code, span))
}

/// A code with its cells in the opposite order.
pub fn reversed(code: u16, span: usize) -> u16 {
    (0..span).fold(0, |turned, k| turned << 2 | code >> (2 * k) & 3)
}

/// A code with Black and White exchanged.
pub fn exchanged(code: u16) -> u16 {
    (code & 0x5555) << 1 | (code & 0xaaaa) >> 1
}

/// Whether a code has a stone.
pub fn has_stones(code: u16, span: usize) -> bool {
    (0..span).any(|k| matches!(code >> (2 * k) & 3, 0b01 | 0b10))
}

/// Stones of each colour in the first `length` cells of a code; `None` if a
/// wall is among them.
pub(super) fn stones(code: u16, length: usize) -> Option<[usize; 2]> {
    let mut stones = [0; 2];
    for k in 0..length {
        match code >> (2 * k) & 3 {
            0b01 => stones[0] += 1,
            0b10 => stones[1] += 1,
            0b00 => return None,
            _ => {}
        }
    }
    Some(stones)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_reversed_and_exchanged() {
        let code = 0b11_01_10_00u16;
        assert_eq!(reversed(code, 4), 0b00_10_01_11);
        assert_eq!(exchanged(code), 0b11_10_01_00);
        assert_eq!(stones(0b11_01_10_01, 4), Some([2, 1]));
        assert_eq!(stones(0b00_01, 2), None);
    }
}
