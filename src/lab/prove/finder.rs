//! Where the moves of a growing tree come from: from what is proven already,
//! or from the solvers.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use fxhash::FxHashMap;

use crate::proof::{Answers, Ground, Moves, Proof, Spot};
use crate::search::Seeker;
use crate::types::{Cell, Color, Stone};

/// Stones of the attacker that a win by fours may take.
const FOURS: u64 = 2_000;
/// The same where it is to be the shortest: longer and longer ones are sought
/// from the start.
pub(in crate::lab) const SHORTEST: u64 = 1_000_000;

/// Steps to the cells beside one, the nearest first.
const BESIDE: [(isize, isize); 24] = [
    (0, 1),
    (0, -1),
    (1, 0),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
    (0, 2),
    (0, -2),
    (2, 0),
    (-2, 0),
    (1, 2),
    (1, -2),
    (-1, 2),
    (-1, -2),
    (2, 1),
    (2, -1),
    (-2, 1),
    (-2, -1),
    (2, 2),
    (2, -2),
    (-2, 2),
    (-2, -2),
];

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
    /// Whether only shortest wins by fours are sought.
    pub(super) shortest: bool,
    attacker: Color,
    /// Stones of the position that the tree is about.
    stones: usize,
    /// Moves that were found and not handed over yet.
    fresh: FxHashMap<u64, Moves>,
}

impl Finder {
    pub(super) fn new(
        proof: Arc<RwLock<Proof>>,
        seeker: Box<dyn Seeker>,
        attacker: Color,
    ) -> Finder {
        let stones = read(&proof).claim.root.stones.len();
        let (shortest, fresh) = (false, FxHashMap::default());
        Finder { proof, seeker, threats: 0, passed: 0, shortest, attacker, stones, fresh }
    }

    /// Makes known to all threads what was found, and `more` that was proven
    /// by it; what is new of it is `noted` for the disk.
    pub(super) fn publish(&mut self, more: Vec<(u64, Cell)>, noted: &mut Vec<(u64, Cell)>) {
        let fresh =
            self.fresh.drain().flat_map(|(key, moves)| moves.into_iter().map(move |m| (key, m)));
        let mut facts: Vec<(u64, Cell)> = fresh.chain(more).collect();
        let mut proof = self.proof.write().unwrap_or_else(PoisonError::into_inner);
        facts.retain(|&(key, m)| proof.insert(key, m));
        noted.extend(facts);
    }
}

fn read(proof: &RwLock<Proof>) -> RwLockReadGuard<'_, Proof> {
    proof.read().unwrap_or_else(PoisonError::into_inner)
}

impl Answers for Finder {
    fn known(&mut self, _ground: &Ground, spot: &Spot) -> Moves {
        let mut moves = read(&self.proof).get(spot);
        moves.extend(self.fresh.get(&spot.key()).into_iter().flatten().copied());
        moves
    }

    /// What wins if the defender's first reply lay a point or two beside where
    /// it is: the trees of neighbouring replies are much alike.
    fn suggest(&mut self, ground: &Ground) -> Option<Cell> {
        let defender = !self.attacker;
        let replies = ground.stones().iter().skip(self.stones);
        let &(reply, _) = { replies }.find(|(_, stone)| *stone == Stone::Of(defender))?;
        let without = ground.toggled(ground.keys(), reply, defender);
        let (width, height) = (ground.setup().width, ground.setup().height);
        let proof = read(&self.proof);
        BESIDE.iter().find_map(|&(dx, dy)| {
            let (x, y) = (reply.x().wrapping_add_signed(dx), reply.y().wrapping_add_signed(dy));
            let other = (x < width && y < height).then(|| Cell::new(x, y))?;
            if !ground.empty().contains(other) {
                return None;
            }
            let spot = ground.spot(&ground.toggled(without, other, defender));
            let moves = proof.get(&spot).into_iter().map(|image| ground.from_image(&spot, image));
            { moves }.find(|&m| ground.empty().contains(m))
        })
    }

    fn seek(&mut self, ground: &Ground, spare: usize) -> Option<Cell> {
        self.seeker.set_up(ground.stones(), self.attacker);
        let nodes = if spare > 0 { self.passed } else { self.threats };
        if self.shortest {
            return self.seeker.shortest(SHORTEST)?.first().copied();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{Claim, Root};
    use crate::rules::{RuleId, Setup};
    use crate::search::new_seeker;
    use crate::tt::Table;

    #[test]
    fn what_wins_beside_a_reply_is_suggested() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let (center, m) = (Cell::new(7, 7), Cell::new(9, 6));
        let root = Root { stones: vec![(center, Color::Black)], to_move: Color::White };
        let mut proof = Proof::new(Claim { setup, attacker: Color::Black, root });
        let after = |reply: Cell| {
            let mut ground = Ground::new(setup);
            ground.place(center, Color::Black).unwrap();
            ground.place(reply, Color::White).unwrap();
            ground
        };
        let known = after(Cell::new(3, 5));
        let spot = known.spot(&known.keys());
        proof.insert(spot.key(), known.to_image(&spot, m));
        let table = Arc::new(Table::with_bytes(1 << 20).unwrap());
        let proof = Arc::new(RwLock::new(proof));
        let mut finder = Finder::new(proof, new_seeker(setup, table), Color::Black);
        for reply in [Cell::new(4, 5), Cell::new(2, 4), Cell::new(1, 5)] {
            assert_eq!(finder.suggest(&after(reply)), Some(m), "{reply:?}");
        }
        // Too far away; and with another stone on the board.
        assert_eq!(finder.suggest(&after(Cell::new(0, 0))), None);
        let mut ground = after(Cell::new(4, 5));
        ground.place(Cell::new(9, 9), Color::White).unwrap();
        assert_eq!(finder.suggest(&ground), None);
    }
}
