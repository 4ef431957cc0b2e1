//! Table of the solver: bounds of scores by exact keys, one word per slot.

use bytemuck::allocation::try_zeroed_slice_box;

use super::word::Word;

/// Slots of a bucket: a key may be in any slot of its bucket.
const WAYS: usize = 4;
/// Bits of a slot for the binary logarithm of its node count.
const WORK: u32 = 5;

/// The table could not be allocated.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct NoMemory {
    /// Requested size in bytes.
    pub bytes: usize,
}

/// Known bounds of the score of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub lower: i32,
    pub upper: i32,
}

/// The table. A key of `n` bits is mixed and multiplied by an odd number modulo `2^n`,
/// which is a bijection: the upper bits of the product are the number of the bucket, and
/// the slot holds the other bits, the tag. So every hit is the same position.
///
/// A slot consists of, from the top: the tag, the upper bound, the lower bound, and the
/// binary logarithm of the nodes searched for it. A bias keeps the stored bounds above 0,
/// because a stored lower bound of 0 marks an empty slot. The slot of least work is
/// replaced.
pub(super) struct BoundTable<W> {
    slots: Box<[W]>,
    /// Bits of a key, and of the number of a bucket.
    key_bits: u32,
    bucket_bits: u32,
}

impl<W: Word> BoundTable<W> {
    /// Creates a table for keys of `key_bits` bits, of about `bytes` bytes, but large enough
    /// that the tag fits a slot.
    ///
    /// # Errors
    /// The table cannot be allocated.
    pub fn new(key_bits: u32, bytes: usize) -> Result<BoundTable<W>, NoMemory> {
        let tag_bits = W::BITS - 2 * W::BOUND - WORK;
        let buckets = (bytes / (WAYS * size_of::<W>())).max(1);
        // Rounded down to a power of two.
        let bucket_bits = buckets.ilog2().max(key_bits.saturating_sub(tag_bits)).min(key_bits);
        let slots = WAYS << bucket_bits;
        let slots = try_zeroed_slice_box(slots)
            .map_err(|()| NoMemory { bytes: slots.saturating_mul(size_of::<W>()) })?;
        Ok(BoundTable { slots, key_bits, bucket_bits })
    }

    /// Returns the index of the first slot of a key's bucket, and its tag.
    #[inline]
    fn place(&self, key: W) -> (usize, W) {
        let key_mask = !W::ZERO >> (W::BITS - self.key_bits);
        // A product carries upwards only: without the shift, the columns to the right,
        // in the upper bits, would change few bits of the bucket number.
        let mixed = (key ^ (key >> (self.key_bits / 2))).times(W::MIX) & key_mask;
        let tag_bits = self.key_bits - self.bucket_bits;
        if tag_bits == 0 {
            return (mixed.low() as usize * WAYS, W::ZERO);
        }
        let bucket = if self.bucket_bits == 0 { 0 } else { (mixed >> tag_bits).low() as usize };
        (bucket * WAYS, mixed & (!W::ZERO >> (W::BITS - tag_bits)))
    }

    /// Returns the known bounds of a position.
    #[inline]
    pub fn get(&self, key: W) -> Option<Bounds> {
        let (start, tag) = self.place(key);
        let slots = &self.slots[start..start + WAYS];
        let slot = slots.iter().copied().find(|&slot| slot >> (2 * W::BOUND + WORK) == tag)?;
        bounds(slot)
    }

    /// Stores the bounds of a position that took `nodes` nodes.
    pub fn put(&mut self, key: W, known: Bounds, nodes: u64) {
        let (start, tag) = self.place(key);
        let work = u64::from(nodes.max(1).ilog2()).min((1 << WORK) - 1);
        let biased = |score: i32| W::of((score + (1 << (W::BOUND - 1))) as u64);
        let slot = tag << (2 * W::BOUND + WORK)
            | biased(known.upper) << (W::BOUND + WORK)
            | biased(known.lower) << WORK
            | W::of(work);
        let slots = &mut self.slots[start..start + WAYS];
        let same = |slot: &W| *slot >> (2 * W::BOUND + WORK) == tag && bounds(*slot).is_some();
        let least_work = |slots: &[W]| {
            let work = |&i: &usize| match bounds(slots[i]) {
                Some(_) => (slots[i].low() & ((1 << WORK) - 1)) + 1,
                None => 0,
            };
            (0..WAYS).min_by_key(work).unwrap_or(0)
        };
        let at = slots.iter().position(same).unwrap_or_else(|| least_work(slots));
        slots[at] = slot;
    }

    /// Returns the number of slots.
    #[cfg(test)]
    pub fn slots(&self) -> usize {
        self.slots.len()
    }
}

/// Returns the bounds in a slot; `None` if it is empty.
#[inline]
fn bounds<W: Word>(slot: W) -> Option<Bounds> {
    let mask = (1 << W::BOUND) - 1;
    let low = slot.low() >> WORK;
    let unbiased = |bound: u64| (bound & mask) as i32 - (1 << (W::BOUND - 1));
    let known = Bounds { lower: unbiased(low), upper: unbiased(low >> W::BOUND) };
    (low & mask != 0).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::keys::mix;
    use std::collections::HashMap;

    fn check_hits<W: Word>(key_bits: u32, bytes: usize, reach: i32) {
        let mut table = BoundTable::<W>::new(key_bits, bytes).unwrap();
        let mut truth: HashMap<u64, Bounds> = HashMap::new();
        let mut seed = u64::from(key_bits);
        let mut found = 0;
        for _ in 0..20_000 {
            seed = mix(seed);
            // Few distinct keys, some of which differ in the upper bits only.
            let (number, place) = (seed % 3000, key_bits - 12);
            let key = W::of(number % 64) | W::of(number / 64) << place;
            if let Some(known) = table.get(key) {
                assert_eq!(Some(&known), truth.get(&number));
                found += 1;
            }
            let lower = (seed >> 20) as i32 % (reach + 1);
            let known = Bounds { lower: -lower.abs(), upper: (seed >> 45) as i32 % (reach + 1) };
            table.put(key, known, seed >> 50);
            truth.insert(number, known);
            assert_eq!(table.get(key), Some(known));
        }
        // A table with room for all keys replaces few entries.
        let expected = if table.slots() > 8_000 { 15_000 } else { 10 };
        assert!(found > expected, "{found} of {key_bits} bits");
        assert!(table.slots() * size_of::<W>() >= bytes / 2);
    }

    #[test]
    fn a_hit_returns_the_stored_bounds() {
        for bytes in [0, 1 << 10, 1 << 15, 1 << 18] {
            check_hits::<u64>(49, bytes, 21);
            check_hits::<u64>(20, bytes.min(1 << 15), 31);
            check_hits::<u128>(72, bytes, 32);
        }
        // The tag alone needs a larger table than requested.
        check_hits::<u64>(64, 0, 31);
        check_hits::<u128>(120, 0, 63);
        assert!(BoundTable::<u64>::new(49, usize::MAX / 4).is_err());
    }
}
