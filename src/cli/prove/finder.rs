//! Source of the moves of a growing tree: proven moves, or the solvers.

use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Instant;

use fxhash::FxHashMap;

use super::advice::Advice;
use crate::lock::lock;
use goren_core::types::{Cell, Color, Score, Stone};
use goren_engine::{Control, Solver};
use goren_proof::{Answers, CanonicalKey, Moves, Proof, ProofBoard};

/// Stones of the attacker that the search for a win by fours may place.
pub(crate) const FOURS: u64 = 2_000;
/// The same for a shortest win, where the limit of length grows and each search begins from
/// the start.
pub(crate) const SHORTEST: u64 = 1_000_000;

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

/// How many of the defender's stones are thought to lie elsewhere, each by itself.
const MOVED: usize = 2;
/// Moves that one thread keeps for itself, at most.
const KEPT: usize = 256;

/// The moves that all threads have found.
pub(super) struct MoveStore {
    /// The moves that are proven.
    proof: RwLock<Proof>,
    /// Moves that are proven and not on the disk yet.
    facts: Mutex<Vec<(u64, Cell)>>,
    /// How many were new, in all.
    found: AtomicU64,
    /// Stops all searches.
    stop: Arc<Control>,
    /// Trees about other boards or rules.
    advice: Vec<Advice>,
}

impl MoveStore {
    pub(super) fn new(proof: Proof) -> MoveStore {
        MoveStore::controlled(proof, Arc::default())
    }

    /// One whose solvers end when `stop` says so.
    pub(super) fn controlled(proof: Proof, stop: Arc<Control>) -> MoveStore {
        let (facts, found) = (Mutex::default(), AtomicU64::new(0));
        MoveStore { proof: RwLock::new(proof), facts, found, stop, advice: Vec::new() }
    }

    /// The same with trees whose moves are tried first.
    pub(super) fn advised(self, advice: Vec<Advice>) -> MoveStore {
        MoveStore { advice, ..self }
    }

    pub(super) fn proof(&self) -> RwLockReadGuard<'_, Proof> {
        self.proof.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn proof_mut(&self) -> RwLockWriteGuard<'_, Proof> {
        self.proof.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps proven moves; how many were new.
    fn add(&self, mut moves: Vec<(u64, Cell)>) -> u64 {
        // A move reaches the file no later than the moves that depend on it.
        let mut facts = lock(&self.facts);
        let mut proof = self.proof_mut();
        moves.retain(|&(key, m)| proof.insert(key, m));
        let new = moves.len() as u64;
        self.found.fetch_add(new, Relaxed);
        facts.extend(moves);
        new
    }

    /// The moves that were not handed out yet.
    pub(super) fn take_facts(&self) -> Vec<(u64, Cell)> {
        std::mem::take(&mut *lock(&self.facts))
    }

    /// How many moves were new, in all.
    pub(super) fn found(&self) -> u64 {
        self.found.load(Relaxed)
    }

    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_over(Instant::now())
    }
}

/// The moves of a tree that all threads work on, and new ones beside them.
pub(super) struct MoveFinder {
    /// The proven moves, shared by all threads.
    store: Arc<MoveStore>,
    /// Solvers of this thread.
    pub(super) solver: Box<dyn Solver>,
    /// Stones placed for a win by fours.
    pub(super) fours: u64,
    /// Positions looked at for a win by threats.
    pub(super) threats: u64,
    /// The same where the defender is thought to pass.
    pub(super) passed: u64,
    /// Whether only shortest wins by fours are searched for.
    pub(super) shortest: bool,
    attacker: Color,
    /// Stones of the position that the tree is about.
    stones: usize,
    /// Moves that were found and not handed over yet.
    fresh: FxHashMap<u64, Moves>,
    /// The proven ones among them, in order.
    sure: Vec<(u64, Cell)>,
    /// Moves handed over since this was asked for.
    new: u64,
}

impl MoveFinder {
    pub(super) fn new(
        store: Arc<MoveStore>,
        solver: Box<dyn Solver>,
        attacker: Color,
    ) -> MoveFinder {
        let stones = store.proof().claim.root.stones.len();
        MoveFinder {
            store,
            solver,
            fours: FOURS,
            threats: 0,
            passed: 0,
            shortest: false,
            attacker,
            stones,
            fresh: FxHashMap::default(),
            sure: Vec::new(),
            new: 0,
        }
    }

    /// Makes known to all threads what was found, and `more` that was proven by
    /// it; how many moves were new since this was called last.
    pub(super) fn publish(&mut self, more: Vec<(u64, Cell)>) -> u64 {
        self.hand_over();
        self.new += self.store.add(more);
        std::mem::take(&mut self.new)
    }

    /// The best move but for some, by a search of `nodes` nodes, and its score.
    pub(super) fn best(&mut self, nodes: u64, but: &[Cell]) -> Option<(Cell, Score)> {
        self.solver.best(nodes, but, &self.store.stop)
    }

    /// What a tree about another board or rule plays here, but for some moves.
    pub(super) fn advised(&self, board: &ProofBoard, but: &[Cell]) -> Option<Cell> {
        self.store.advice.iter().flat_map(|advice| advice.moves(board)).find(|m| !but.contains(m))
    }

    /// Whether all searches are stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.store.is_stopped()
    }

    fn hand_over(&mut self) {
        let sure = std::mem::take(&mut self.sure);
        for (key, m) in &sure {
            if let Some(moves) = self.fresh.get_mut(key) {
                moves.retain(|other| other != m);
                if moves.is_empty() {
                    self.fresh.remove(key);
                }
            }
        }
        self.new += self.store.add(sure);
    }
}

impl Answers for MoveFinder {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        let mut moves = self.store.proof().get(canonical);
        moves.extend(self.fresh.get(&canonical.key()).into_iter().flatten().copied());
        moves
    }

    /// What another tree plays; else what wins if the defender's first or second stone lay
    /// a point or two beside where it is: the trees of neighbouring replies are much alike.
    fn suggest(&mut self, board: &ProofBoard) -> Option<Cell> {
        if self.store.is_stopped() {
            return None;
        }
        if let Some(advised) = self.advised(board, &[]) {
            return Some(advised);
        }
        let defender = !self.attacker;
        let replies = board.stones().iter().skip(self.stones);
        let replies = replies.filter(|(_, stone)| *stone == Stone::Of(defender)).take(MOVED);
        let (width, height) = (board.setup().width, board.setup().height);
        let proof = self.store.proof();
        { replies }.find_map(|&(reply, _)| {
            let without = board.toggled(board.keys(), reply, defender);
            BESIDE.iter().find_map(|&(dx, dy)| {
                let (x, y) = (reply.x().wrapping_add_signed(dx), reply.y().wrapping_add_signed(dy));
                let other = (x < width && y < height).then(|| Cell::new(x, y))?;
                if !board.empty().contains(other) {
                    return None;
                }
                let canonical = board.canonical(&board.toggled(without, other, defender));
                let moves = proof
                    .get(&canonical)
                    .into_iter()
                    .map(|image| board.from_image(&canonical, image));
                { moves }.find(|&m| board.empty().contains(m))
            })
        })
    }

    fn seek(&mut self, board: &ProofBoard, extra_stones: usize) -> Option<Cell> {
        if self.store.is_stopped() {
            return None;
        }
        self.solver.set_up(board.stones(), self.attacker);
        let nodes = if extra_stones > 0 { self.passed } else { self.threats };
        if self.shortest {
            return self.solver.shortest_vcf(SHORTEST, &self.store.stop)?.first().copied();
        }
        let fours = self.solver.vcf(self.fours, &self.store.stop);
        let found = match fours {
            None if nodes > 0 => self.solver.vct_in_thread(nodes, 0, &self.store.stop),
            found => found,
        };
        found.map(|(m, _)| m)
    }

    fn learn(&mut self, canonical: &CanonicalKey, m: Cell) {
        self.fresh.entry(canonical.key()).or_default().push(m);
    }

    fn unlearn(&mut self, canonical: &CanonicalKey, m: Cell) {
        if let Entry::Occupied(mut moves) = self.fresh.entry(canonical.key()) {
            moves.get_mut().retain(|&mut other| other != m);
            // A run has more moves that fail than would fit into memory.
            if moves.get().is_empty() {
                moves.remove();
            }
        }
    }

    fn stands(&mut self, canonical: &CanonicalKey, m: Cell) {
        self.sure.push((canonical.key(), m));
        if self.sure.len() >= KEPT {
            self.hand_over();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_engine::{Engine, Hash};
    use goren_proof::{Claim, Root};

    #[test]
    fn what_wins_beside_a_reply_is_suggested() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let (center, m) = (Cell::new(7, 7), Cell::new(9, 6));
        let root = Root { stones: vec![(center, Color::Black)], to_move: Color::White };
        let mut proof = Proof::new(Claim { setup, attacker: Color::Black, root });
        let after = |reply: Cell| {
            let mut board = ProofBoard::new(setup);
            board.place(center, Color::Black).unwrap();
            board.place(reply, Color::White).unwrap();
            board
        };
        let known = after(Cell::new(3, 5));
        let canonical = known.canonical(&known.keys());
        proof.insert(canonical.key(), known.to_image(&canonical, m));
        let engine = Engine::with_hash(Hash::exactly(1 << 20));
        let solver = engine.solver(setup).unwrap();
        let store = Arc::new(MoveStore::new(proof));
        let mut finder = MoveFinder::new(store, solver, Color::Black);
        for reply in [Cell::new(4, 5), Cell::new(2, 4), Cell::new(1, 5)] {
            assert_eq!(finder.suggest(&after(reply)), Some(m), "{reply:?}");
        }
        // Too far away; and with another stone on the board.
        assert_eq!(finder.suggest(&after(Cell::new(0, 0))), None);
        let mut board = after(Cell::new(4, 5));
        board.place(Cell::new(9, 9), Color::White).unwrap();
        assert_eq!(finder.suggest(&board), None);
        // A move known with a second extra stone is suggested if that stone is near.
        let mut known = after(Cell::new(12, 12));
        known.place(Cell::new(9, 8), Color::White).unwrap();
        let canonical = known.canonical(&known.keys());
        finder.learn(&canonical, known.to_image(&canonical, m));
        finder.stands(&canonical, known.to_image(&canonical, m));
        assert_eq!(finder.publish(Vec::new()), 1);
        let mut board = after(Cell::new(12, 12));
        board.place(Cell::new(9, 9), Color::White).unwrap();
        assert_eq!(finder.suggest(&board), Some(m));
    }

    #[test]
    fn what_stands_is_handed_over_on_the_way() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let root = Root { stones: Vec::new(), to_move: Color::Black };
        let store =
            Arc::new(MoveStore::new(Proof::new(Claim { setup, attacker: Color::Black, root })));
        let engine = Engine::with_hash(Hash::exactly(1 << 20));
        let solver = engine.solver(setup).unwrap();
        let mut finder = MoveFinder::new(store.clone(), solver, Color::Black);
        let mut board = ProofBoard::new(setup);
        let m = Cell::new(14, 14);
        let cells: Vec<Cell> = board.empty().iter().filter(|&cell| cell != m).collect();
        for number in 0..=KEPT {
            // Another pair each time.
            for cell in [cells[number % 20], cells[20 + number / 20]] {
                board.place(cell, Color::White).unwrap();
            }
            let canonical = board.canonical(&board.keys());
            let image = board.to_image(&canonical, m);
            finder.learn(&canonical, image);
            finder.stands(&canonical, image);
            assert!(finder.known(&board, &canonical).contains(&image));
            board.take_back();
            board.take_back();
        }
        assert!(store.found() > 0);
        // What is only tried stays with the thread.
        let canonical = board.canonical(&board.keys());
        finder.learn(&canonical, board.to_image(&canonical, m));
        finder.publish(Vec::new());
        assert!(store.proof().get(&canonical).is_empty());
        let mut facts = store.take_facts();
        facts.sort_unstable();
        assert_eq!(facts, store.proof().moves());
        assert_eq!(store.found(), facts.len() as u64);
        finder.unlearn(&canonical, board.to_image(&canonical, m));
        assert!(finder.known(&board, &canonical).is_empty());
        store.stop();
        assert_eq!((finder.suggest(&board), finder.seek(&board, 0)), (None, None));
    }
}
