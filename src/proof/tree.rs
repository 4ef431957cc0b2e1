//! A winning tree in memory.

use std::collections::hash_map::Entry;

use fxhash::FxHashMap;

use super::check::{Answers, Moves};
use super::claim::Claim;
use super::proof_board::{CanonicalKey, ProofBoard};
use goren_core::types::Cell;

/// A winning tree: a move for each position of the attacker, all images of a
/// position in one. A position may have more moves than one, where trees were
/// joined: any that wins will do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// What it is about.
    pub claim: Claim,
    /// The first move of each position.
    moves: FxHashMap<u64, Cell>,
    /// The others.
    others: FxHashMap<u64, Vec<Cell>>,
}

impl Proof {
    /// A tree without a move.
    pub fn new(claim: Claim) -> Proof {
        Proof { claim, moves: FxHashMap::default(), others: FxHashMap::default() }
    }

    /// Number of positions with a move.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move at all.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The moves of a position, in the image of the canonical key.
    pub fn get(&self, canonical: &CanonicalKey) -> Moves {
        let key = canonical.key();
        let others = self.others.get(&key).into_iter().flatten();
        self.moves.get(&key).into_iter().chain(others).copied().collect()
    }

    /// Keeps a move, given by the key of its position and in the image of its
    /// canonical key; whether it was not known.
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

    /// Forgets the moves of a position; whether there were any.
    pub fn remove(&mut self, key: u64) -> bool {
        self.others.remove(&key);
        self.moves.remove(&key).is_some()
    }

    /// All moves with the keys of their positions, in order.
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
