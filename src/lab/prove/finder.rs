//! Where the moves of a growing tree come from: from what is proven already,
//! or from the solvers.

use std::sync::{Arc, PoisonError, RwLock};

use fxhash::FxHashMap;

use crate::proof::{Answers, Ground, Moves, Proof, Spot};
use crate::search::Seeker;
use crate::types::{Cell, Color};

/// Stones of the attacker that a win by fours may take.
const FOURS: u64 = 2_000;
/// The same where it is to be the shortest: longer and longer ones are sought
/// from the start.
pub(in crate::lab) const SHORTEST: u64 = 1_000_000;

/// The moves of a tree that all threads work on, and new ones beside them.
pub(super) struct Finder {
    /// What is proven, for all threads.
    pub(super) proof: Arc<RwLock<Proof>>,
    /// Solvers of this thread.
    pub(super) seeker: Box<dyn Seeker>,
    /// Positions looked at for a win by threats.
    pub(super) threats: u64,
    /// The same where the defender is thought to pass.
    pub(super) passed: u64,
    /// Whether wins by fours must be the shortest.
    pub(super) shortest: bool,
    attacker: Color,
    /// Moves that were found and not handed over yet.
    fresh: FxHashMap<u64, Moves>,
}

impl Finder {
    pub(super) fn new(
        proof: Arc<RwLock<Proof>>,
        seeker: Box<dyn Seeker>,
        attacker: Color,
    ) -> Finder {
        let (shortest, fresh) = (false, FxHashMap::default());
        Finder { proof, seeker, threats: 0, passed: 0, shortest, attacker, fresh }
    }

    /// Makes known to all threads what was found, and `more` that was proven
    /// by it; what is new of it is `noted` for the disk before anybody can build
    /// on it.
    pub(super) fn publish(&mut self, more: Vec<(u64, Cell)>, noted: &mut Vec<(u64, Cell)>) {
        let fresh =
            self.fresh.drain().flat_map(|(key, moves)| moves.into_iter().map(move |m| (key, m)));
        let mut facts: Vec<(u64, Cell)> = fresh.chain(more).collect();
        let mut proof = self.proof.write().unwrap_or_else(PoisonError::into_inner);
        facts.retain(|&(key, m)| proof.insert(key, m));
        noted.extend(facts);
    }
}

impl Answers for Finder {
    fn known(&self, spot: &Spot) -> Moves {
        let mut moves = self.proof.read().unwrap_or_else(PoisonError::into_inner).get(spot);
        moves.extend(self.fresh.get(&spot.key()).into_iter().flatten().copied());
        moves
    }

    fn seek(&mut self, ground: &Ground, spare: usize) -> Option<Cell> {
        self.seeker.set_up(ground.stones(), self.attacker);
        let nodes = if spare > 0 { self.passed } else { self.threats };
        if self.shortest
            && let Some(&first) = self.seeker.shortest(SHORTEST).as_deref().and_then(<[_]>::first)
        {
            return Some(first);
        }
        let fours = self.seeker.by_fours(FOURS);
        let found = fours.or_else(|| (nodes > 0).then(|| self.seeker.by_threats(nodes)).flatten());
        found.map(|(m, _)| m)
    }

    fn learn(&mut self, spot: &Spot, m: Cell) {
        self.fresh.entry(spot.key()).or_default().push(m);
    }

    fn unlearn(&mut self, spot: &Spot, m: Cell) {
        if let Some(moves) = self.fresh.get_mut(&spot.key()) {
            moves.retain(|&mut other| other != m);
        }
    }
}
