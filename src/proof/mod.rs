//! Winning trees: what the attacker plays in every position that the defender
//! can bring about, where they are kept, and the checker that goes through
//! them. Knows the referee and nothing of boards, searches and solvers.

mod check;
mod file;
mod ground;
#[cfg(test)]
mod tests;

pub use check::{Answers, Checker, Flaw, FlawKind};
pub use file::{Damage, Journal, ProofError, read, write};
pub use ground::{Ground, Keys, Spot};

use fxhash::FxHashMap;

use crate::rules::Setup;
use crate::types::{Cell, Color};

/// A position with the attacker or the defender to move, from which the
/// attacker is said to win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// The stones, in an order in which they can be placed.
    pub stones: Vec<(Cell, Color)>,
    /// Who is to move.
    pub to_move: Color,
}

/// What a tree is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The variant and the size.
    pub setup: Setup,
    /// Who is said to win.
    pub attacker: Color,
    /// From where.
    pub root: Root,
}

/// A winning tree: a move for each position of the attacker, all images of a
/// position in one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// What it is about.
    pub claim: Claim,
    moves: FxHashMap<u64, Cell>,
}

impl Proof {
    /// A tree without a move.
    pub fn new(claim: Claim) -> Proof {
        Proof { claim, moves: FxHashMap::default() }
    }

    /// Number of positions with a move.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move at all.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The move of a position, in the image of the spot.
    pub fn get(&self, spot: &Spot) -> Option<Cell> {
        self.moves.get(&spot.key()).copied()
    }

    /// Keeps a move, given by the key of its position and in the image of its
    /// spot, unless there is one already; whether there was none.
    pub fn insert(&mut self, key: u64, m: Cell) -> bool {
        let before = self.moves.len();
        self.moves.entry(key).or_insert(m);
        self.moves.len() > before
    }

    /// Forgets the move of a position; whether there was one.
    pub fn remove(&mut self, key: u64) -> bool {
        self.moves.remove(&key).is_some()
    }

    /// All moves with the keys of their positions, in order.
    pub fn moves(&self) -> Vec<(u64, Cell)> {
        let mut moves: Vec<(u64, Cell)> = self.moves.iter().map(|(&key, &m)| (key, m)).collect();
        moves.sort_unstable();
        moves
    }
}

impl Answers for &Proof {
    fn known(&self, spot: &Spot) -> Option<Cell> {
        self.get(spot)
    }
}
