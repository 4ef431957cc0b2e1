//! Cache of the checker: results of the positions it has visited.
//!
//! Wins are kept for good, relevance cells for up to seven million positions, and
//! failures until the next question, as more moves may be known by then.

use fxhash::FxHashMap;

use super::check::{Measure, Win};
use super::flaw::{Flaw, FlawKind};
use super::proof_board::CanonicalKey;
use goren_core::types::{Cell, CellSet};

/// Number of failures after which all are forgotten: a hash table holds seven eighths of a
/// power of two before it doubles. The number is part of the format of packed trees, as
/// forgotten positions are visited again: after a change, check all shipped trees.
const MAX_FAILURES: usize = 7 << 17;
/// The same for relevance cells. With an eighth of it, the checker went through large renju
/// trees repeatedly.
const MAX_RELEVANT: usize = 7 << 20;

/// A position and how it was checked: keys of the stones on the board and of those known to
/// the tree (the base), and the number of extra stones.
pub(super) type Key = (u128, u128, usize);

/// Flaw of a position, and the path from the position to it if the caller needs paths.
type Failure = (FlawKind, Option<Box<[Option<Cell>]>>);

/// Relevance cells by position. As there are millions of entries, a key is reduced to 128
/// mixed bits, and a set to the rows of the board.
struct Relevant<M> {
    /// Offset of the cells of a position in `words`, and length of the win.
    places: FxHashMap<[u64; 2], (u32, M)>,
    /// All sets, concatenated.
    words: Vec<u64>,
    /// Number of words of a set, two rows each.
    set_words: usize,
}

impl<M: Measure> Relevant<M> {
    fn new(height: usize) -> Relevant<M> {
        let set_words = height.div_ceil(2);
        Relevant { places: FxHashMap::default(), words: Vec::new(), set_words }
    }

    /// Mixes a key. Its parts are random, so a sum of odd multiples of them is as good.
    fn mixed(&(own, base, extra): &Key) -> [u64; 2] {
        const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let sum = base.wrapping_mul(ODD).wrapping_add(extra as u128).wrapping_mul(ODD);
        let mixed = own.wrapping_add(sum);
        [(mixed >> 64) as u64, mixed as u64]
    }

    fn get(&self, key: &Key) -> Option<Win<M>> {
        let &(place, length) = self.places.get(&Self::mixed(key))?;
        let place = place as usize;
        let mut relevant = CellSet::EMPTY;
        for (i, &word) in self.words[place..place + self.set_words].iter().enumerate() {
            *relevant.word_mut(i) = word;
        }
        Some(Win { relevant, length })
    }

    fn insert(&mut self, key: &Key, win: &Win<M>) {
        if self.places.len() >= MAX_RELEVANT {
            self.places.clear();
            self.words.clear();
        }
        let new = (self.words.len() as u32, win.length);
        let known = self.places.entry(Self::mixed(key)).or_insert(new);
        known.1 = win.length;
        let place = known.0 as usize;
        self.words.resize(self.words.len().max(place + self.set_words), 0);
        for (i, word) in self.words[place..place + self.set_words].iter_mut().enumerate() {
            *word = win.relevant.word(i);
        }
    }
}

/// The memory of a checker: results by position.
pub(super) struct Memory<M> {
    /// Lengths of the wins of checked positions, by whole key.
    proven: FxHashMap<u128, M>,
    /// Wins of positions with a base or extra stones, with the relevance cells.
    relevant: Relevant<M>,
    /// Positions in which no win was found, without and with seeking.
    failed: [FxHashMap<Key, Failure>; 2],
}

impl<M: Measure> Memory<M> {
    /// Creates the memory for a board of `height` rows.
    pub(super) fn new(height: usize) -> Memory<M> {
        let (proven, failed) = (FxHashMap::default(), Default::default());
        Memory { proven, relevant: Relevant::new(height), failed }
    }

    pub(super) fn proven(&self, canonical: &CanonicalKey) -> Option<M> {
        self.proven.get(&canonical.whole).copied()
    }

    pub(super) fn note_proven(&mut self, canonical: &CanonicalKey, length: M) {
        self.proven.insert(canonical.whole, length);
    }

    pub(super) fn relevant(&self, key: &Key) -> Option<Win<M>> {
        self.relevant.get(key)
    }

    pub(super) fn note_relevant(&mut self, key: Key, win: &Win<M>) {
        self.relevant.insert(&key, win);
    }

    /// Returns the flaw that was noted for the position at the end of `path`. `with_path` asks
    /// for the whole path; `None` if that is unknown.
    pub(super) fn failure(
        &self,
        key: &Key,
        seek: bool,
        path: &[Option<Cell>],
        with_path: bool,
    ) -> Option<Flaw> {
        let (kind, rest) = self.failed[usize::from(seek)].get(key)?;
        let path = match rest {
            _ if !with_path => Vec::new(),
            Some(rest) => [path, rest].concat(),
            None => return None,
        };
        Some(Flaw { path, kind: *kind })
    }

    /// Notes the flaw of a position, whose path begins with `before` steps to the position;
    /// `None` if the path is not recorded. After an unfinished check, the position may still
    /// win.
    pub(super) fn note_failure(
        &mut self,
        key: Key,
        seek: bool,
        flaw: &Flaw,
        before: Option<usize>,
    ) {
        if matches!(flaw.kind, FlawKind::Unfinished | FlawKind::OutOfTime) {
            return;
        }
        let failed = &mut self.failed[usize::from(seek)];
        if failed.len() >= MAX_FAILURES {
            failed.clear();
        }
        let rest = before.map(|before| flaw.path.get(before..).unwrap_or_default().into());
        failed.insert(key, (flaw.kind, rest));
    }

    /// Forgets all failures, as more moves may be known now.
    pub(super) fn forget_failures(&mut self) {
        self.failed.iter_mut().for_each(FxHashMap::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Plies;
    use goren_core::types::{Cell, keys};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Compares with a plain map.
    #[test]
    fn relevance_cells_are_those_that_were_noted() {
        let mut rng = SmallRng::seed_from_u64(8);
        for (width, height) in [(15, 15), (5, 9), (26, 26)] {
            let key = |number: u64| u128::from(keys::mix(number)) << 64 | u128::from(number);
            let mut relevant: Relevant<Plies> = Relevant::new(height);
            let mut expected: FxHashMap<Key, Win<Plies>> = FxHashMap::default();
            for _ in 0..3_000 {
                let [own, base] = [(); 2].map(|()| key(rng.random_range(0..40)));
                let key = (own, base, rng.random_range(0..3));
                if rng.random_bool(0.5) {
                    let mut cell =
                        || Cell::new(rng.random_range(0..width), rng.random_range(0..height));
                    let cells: CellSet = (0..6).map(|_| cell()).collect();
                    let win = Win::five(cells).after(rng.random_range(0..30));
                    relevant.insert(&key, &win);
                    expected.insert(key, win);
                }
                assert_eq!(relevant.get(&key), expected.get(&key).copied());
            }
            assert_eq!(relevant.places.len(), expected.len());
        }
    }
}
