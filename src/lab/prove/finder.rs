//! Where the moves of a growing tree come from: from what is proven already,
//! or from the solvers.

use std::sync::{Arc, PoisonError, RwLock};

use fxhash::FxHashMap;

use crate::proof::{Answers, Ground, Proof, Spot};
use crate::search::Seeker;
use crate::types::{Cell, Color};

/// Stones of the attacker that a win by fours may take.
const FOURS: u64 = 2_000;

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
    attacker: Color,
    /// Moves that were found and not handed over yet.
    fresh: FxHashMap<u64, Cell>,
}

impl Finder {
    pub(super) fn new(
        proof: Arc<RwLock<Proof>>,
        seeker: Box<dyn Seeker>,
        attacker: Color,
    ) -> Finder {
        Finder { proof, seeker, threats: 0, passed: 0, attacker, fresh: FxHashMap::default() }
    }

    /// Makes known to all threads what was found, and `more` that was proven
    /// by it. What is new of it.
    pub(super) fn publish(&mut self, more: Vec<(u64, Cell)>) -> Vec<(u64, Cell)> {
        let mut proof = self.proof.write().unwrap_or_else(PoisonError::into_inner);
        let mut facts: Vec<(u64, Cell)> = self.fresh.drain().chain(more).collect();
        facts.retain(|&(key, m)| proof.insert(key, m));
        facts
    }
}

impl Answers for Finder {
    fn known(&self, spot: &Spot) -> Option<Cell> {
        let fresh = self.fresh.get(&spot.key()).copied();
        fresh.or_else(|| self.proof.read().unwrap_or_else(PoisonError::into_inner).get(spot))
    }

    fn seek(&mut self, ground: &Ground, spare: usize) -> Option<Cell> {
        self.seeker.set_up(ground.stones(), self.attacker);
        let nodes = if spare > 0 { self.passed } else { self.threats };
        let fours = self.seeker.by_fours(FOURS);
        let found = fours.or_else(|| (nodes > 0).then(|| self.seeker.by_threats(nodes)).flatten());
        found.map(|(m, _)| m)
    }

    fn learn(&mut self, spot: &Spot, m: Cell) {
        self.fresh.insert(spot.key(), m);
    }

    fn unlearn(&mut self, spot: &Spot) {
        self.fresh.remove(&spot.key());
    }
}
