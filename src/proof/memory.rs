//! Cache of the checker: results of the positions it has visited.
//!
//! Wins are kept for good, relevance cells for up to seven million positions, and
//! failures until the next question, as more moves may be known by then.

use fxhash::{FxHashMap, FxHashSet};

use super::flaw::{Flaw, FlawKind};
use super::proof_board::CanonicalKey;
use goren_core::types::{Cell, CellSet};

/// Failures before they are forgotten. A table has room for seven eighths of a
/// power of two before it doubles. As what is forgotten is gone through again,
/// who changes these numbers checks all trees that are shipped.
const MOST: usize = 7 << 17;
/// The same of relevance cells: with an eighth, large trees by renju were gone
/// through again and again.
const MOST_RELEVANT: usize = 7 << 20;

/// A position as it was gone through: the keys of the stones, those of the ones
/// known to the tree, and the number of stones that may lie anywhere.
pub(super) type Key = (u128, u128, usize);

/// What was wrong in a position, and the path to it from there if anybody asked.
type Failure = (FlawKind, Option<Box<[Option<Cell>]>>);

/// What a checker remembers.
#[derive(Default)]
pub(super) struct Memory {
    /// Positions that were gone through, by their whole keys.
    proven: FxHashSet<u128>,
    /// The same with stones that the tree does not know or that may lie
    /// anywhere, with the relevance cells.
    relevant: FxHashMap<Key, CellSet>,
    /// Positions that no win was found in, with and without seeking.
    failed: [FxHashMap<Key, Failure>; 2],
}

impl Memory {
    pub(super) fn is_proven(&self, canonical: &CanonicalKey) -> bool {
        self.proven.contains(&canonical.whole)
    }

    pub(super) fn note_proven(&mut self, canonical: &CanonicalKey) {
        self.proven.insert(canonical.whole);
    }

    pub(super) fn relevant(&self, key: &Key) -> Option<CellSet> {
        self.relevant.get(key).copied()
    }

    pub(super) fn note_relevant(&mut self, key: Key, relevant: CellSet) {
        if self.relevant.len() >= MOST_RELEVANT {
            self.relevant.clear();
        }
        self.relevant.insert(key, relevant);
    }

    /// What was wrong in a position to which `path` led, with the whole path if
    /// it is `asked` for; nothing where it is and is not known.
    pub(super) fn failure(
        &self,
        key: &Key,
        seek: bool,
        path: &[Option<Cell>],
        asked: bool,
    ) -> Option<Flaw> {
        let (kind, rest) = self.failed[usize::from(seek)].get(key)?;
        let path = match rest {
            _ if !asked => Vec::new(),
            Some(rest) => [path, rest].concat(),
            None => return None,
        };
        Some(Flaw { path, kind: *kind })
    }

    /// Notes a flaw whose path begins with `before` steps to the position, if
    /// that was asked for. What was not looked at to the end may still win.
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
        if failed.len() >= MOST {
            failed.clear();
        }
        let rest = before.map(|before| flaw.path.get(before..).unwrap_or_default().into());
        failed.insert(key, (flaw.kind, rest));
    }

    /// More is known than before.
    pub(super) fn forget_failures(&mut self) {
        self.failed.iter_mut().for_each(FxHashMap::clear);
    }
}
