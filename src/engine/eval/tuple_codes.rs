//! Codes of tuples and windows: neighbouring cells of a line, two bits for each, the first
//! cell lowest: wall 00, black stone 01, white stone 10, empty 11.

use crate::board::WINDOW_CELLS;

/// Number of codes of a window.
pub const WINDOW_CODES: usize = 1 << (2 * WINDOW_CELLS);

/// Returns the canonical code of a window, like [`canonical`] for a tuple.
pub fn canonical_window(code: u16) -> u16 {
    canonical(code, WINDOW_CELLS)
}

/// Returns the canonical code: the smaller of a code and its reverse.
pub fn canonical(code: u16, span: usize) -> u16 {
    code.min(reversed(code, span))
}

/// Reverses the order of the cells of a code.
pub fn reversed(code: u16, span: usize) -> u16 {
    (0..span).fold(0, |reverse, k| reverse << 2 | code >> (2 * k) & 3)
}

/// Exchanges Black and White in a code.
pub fn exchanged(code: u16) -> u16 {
    (code & 0x5555) << 1 | (code & 0xaaaa) >> 1
}

/// Whether a code has a stone.
pub fn has_stones(code: u16, span: usize) -> bool {
    (0..span).any(|k| matches!(code >> (2 * k) & 3, 0b01 | 0b10))
}

/// Counts the stones of each colour in the first `length` cells of a code; `None` if one
/// of the cells is a wall.
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
