//! Hash keys: one random word for each colour on each cell.

use super::{Cell, FRAME, Stone};

static STONES: [[u64; FRAME]; 3] = make_keys();

/// Key of a stone on a cell.
#[inline]
pub fn stone(stone: Stone, cell: Cell) -> u64 {
    match stone {
        Stone::Of(color) => STONES[color.index()][cell.index()],
        Stone::Wall => STONES[2][cell.index()],
    }
}

/// A well mixed word for a small number, by the finaliser of SplitMix64
/// (Steele, Lea and Flood, 2014).
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn make_keys() -> [[u64; FRAME]; 3] {
    let mut keys = [[0; FRAME]; 3];
    let mut i = 0;
    while i < 3 * FRAME {
        keys[i / FRAME][i % FRAME] = mix(i as u64 + 1);
        i += 1;
    }
    keys
}
