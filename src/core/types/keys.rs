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

/// Mixes the bits of a number, by the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The seed of item `n` (a game, a pair, an iteration) of a run with a seed. The seeds of a run
/// are distinct, and unrelated to those of other runs.
pub const fn derive(seed: u64, n: u64) -> u64 {
    mix(mix(seed) ^ n)
}

/// The inverse of [`mix`].
pub const fn unmix(word: u64) -> u64 {
    // The inverses of the multipliers modulo 2^64.
    let z = (word ^ (word >> 31) ^ (word >> 62)).wrapping_mul(0x3196_42b2_d24d_8ec3);
    let z = (z ^ (z >> 27) ^ (z >> 54)).wrapping_mul(0x96de_1b17_3f11_9089);
    let z = z ^ (z >> 30) ^ (z >> 60);
    z.wrapping_sub(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xf1de_83e1_9937_733d)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_of_every_run_has_its_own_seed() {
        let seeds = (0..100).flat_map(|run| (0..100).map(move |n| derive(run, n)));
        assert_eq!(seeds.collect::<std::collections::HashSet<_>>().len(), 10_000);
        assert_eq!(unmix(derive(7, 3)) ^ mix(7), 3);
    }

    #[test]
    fn unmix_is_the_inverse_of_mix() {
        let mut seed = 1;
        for number in (0..1000).chain([u64::MAX, u64::MAX - 1, 1 << 63, 0x5555_5555_5555_5555]) {
            seed = mix(seed ^ number);
            assert_eq!(unmix(mix(number)), number);
            assert_eq!(mix(unmix(seed)), seed);
        }
    }
}
