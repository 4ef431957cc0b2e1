//! A winning tree in memory.

use std::collections::hash_map::Entry;

use fxhash::FxHashMap;

use super::check::{Answers, Moves};
use super::claim::Claim;
use super::proof_board::{CanonicalKey, ProofBoard};
use goren_core::types::Cell;

/// A winning tree: a move for each position with the attacker to move. All images of a
/// position share an entry. After trees were joined, a position may have several moves, of
/// which one must win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Claim of the tree.
    pub claim: Claim,
    /// First move of each position.
    moves: FxHashMap<u64, Cell>,
    /// Other moves of positions with several.
    others: FxHashMap<u64, Vec<Cell>>,
}

impl Proof {
    /// Creates a tree without moves.
    pub fn new(claim: Claim) -> Proof {
        Proof { claim, moves: FxHashMap::default(), others: FxHashMap::default() }
    }

    /// Returns the number of positions with a move.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move at all.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns the moves of a position, in the image of the canonical key.
    pub fn get(&self, canonical: &CanonicalKey) -> Moves {
        let key = canonical.key();
        let others = self.others.get(&key).into_iter().flatten();
        self.moves.get(&key).into_iter().chain(others).copied().collect()
    }

    /// Inserts a move, in the image of the canonical key of its position; returns whether it
    /// is new.
    pub fn insert(&mut self, key: u64, m: Cell) -> bool {
        match self.moves.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(m);
                true
            }
            Entry::Occupied(entry) if *entry.get() == m => false,
            Entry::Occupied(_) => {
                let others = self.others.entry(key).or_default();
                let new = !others.contains(&m);
                others.extend(new.then_some(m));
                new
            }
        }
    }

    /// Removes the moves of a position; returns whether there were any.
    pub fn remove(&mut self, key: u64) -> bool {
        self.others.remove(&key);
        self.moves.remove(&key).is_some()
    }

    /// Returns all moves with the keys of their positions, sorted.
    pub fn moves(&self) -> Vec<(u64, Cell)> {
        let others =
            self.others.iter().flat_map(|(&key, list)| list.iter().map(move |&m| (key, m)));
        let first = self.moves.iter().map(|(&key, &m)| (key, m));
        let mut moves: Vec<(u64, Cell)> = first.chain(others).collect();
        moves.sort_unstable();
        moves
    }
}

impl Answers for &Proof {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        self.get(canonical)
    }
}
