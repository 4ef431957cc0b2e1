//! Source of moves for a growing tree: proven moves, advice, or the solvers.

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

/// Maximum number of the attacker's stones in a search for a win by fours.
pub(crate) const VCF_STONES: u64 = 2_000;
/// The same for a shortest win, which repeats the search with a growing limit of length.
pub(crate) const SHORTEST_VCF_STONES: u64 = 1_000_000;

/// Steps to the cells near a cell, the nearest first.
const NEARBY: [(isize, isize); 24] = [
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

/// Number of the defender's first stones of which each is shifted to find a similar position.
const MAX_SHIFTED: usize = 2;
/// Maximum number of confirmed moves that a thread does not share yet.
const MAX_UNSHARED: usize = 256;

/// Moves found by all threads.
pub(super) struct MoveStore {
    /// Proven moves.
    proof: RwLock<Proof>,
    /// Proven moves that are not in the file yet.
    unsaved: Mutex<Vec<(u64, Cell)>>,
    /// Total number of new moves.
    found: AtomicU64,
    /// Stops all searches.
    stop: Arc<Control>,
    /// Trees about other boards or rules.
    advice: Vec<Advice>,
}

impl MoveStore {
    pub(super) fn new(proof: Proof) -> MoveStore {
        MoveStore::with_stop(proof, Arc::default())
    }

    /// Creates a store whose solvers stop when `stop` says so.
    pub(super) fn with_stop(proof: Proof, stop: Arc<Control>) -> MoveStore {
        let (unsaved, found) = (Mutex::default(), AtomicU64::new(0));
        MoveStore { proof: RwLock::new(proof), unsaved, found, stop, advice: Vec::new() }
    }

    /// Adds trees whose moves are tried first.
    pub(super) fn with_advice(self, advice: Vec<Advice>) -> MoveStore {
        MoveStore { advice, ..self }
    }

    pub(super) fn proof(&self) -> RwLockReadGuard<'_, Proof> {
        self.proof.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn proof_mut(&self) -> RwLockWriteGuard<'_, Proof> {
        self.proof.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds proven moves; returns how many are new.
    fn add(&self, mut moves: Vec<(u64, Cell)>) -> u64 {
        // The lock is held throughout: a move reaches the file no later than moves depending on it.
        let mut unsaved = lock(&self.unsaved);
        let mut proof = self.proof_mut();
        moves.retain(|&(key, m)| proof.insert(key, m));
        let new = moves.len() as u64;
        self.found.fetch_add(new, Relaxed);
        unsaved.extend(moves);
        new
    }

    /// Takes the moves that are not in the file yet.
    pub(super) fn take_unsaved(&self) -> Vec<(u64, Cell)> {
        std::mem::take(&mut *lock(&self.unsaved))
    }

    /// Total number of new moves.
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

/// Source of moves for one thread: the shared moves and its own new ones.
pub(super) struct MoveFinder {
    /// The proven moves, shared by all threads.
    store: Arc<MoveStore>,
    /// Solvers of this thread.
    pub(super) solver: Box<dyn Solver>,
    /// Stones per search for a win by fours.
    pub(super) vcf_stones: u64,
    /// Positions per search for a win by threats.
    pub(super) threats: u64,
    /// Positions per search in which the defender passes.
    pub(super) passed: u64,
    /// Whether only shortest wins by fours are searched for.
    pub(super) shortest: bool,
    attacker: Color,
    /// Number of stones in the root position of the tree.
    stones: usize,
    /// Moves found by this thread and not shared yet, whether confirmed or not.
    recorded: FxHashMap<u64, Moves>,
    /// The confirmed moves among them, in order.
    confirmed: Vec<(u64, Cell)>,
    /// New moves shared since the last [`MoveFinder::publish`].
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
            vcf_stones: VCF_STONES,
            threats: 0,
            passed: 0,
            shortest: false,
            attacker,
            stones,
            recorded: FxHashMap::default(),
            confirmed: Vec::new(),
            new: 0,
        }
    }

    /// Shares the confirmed moves, and `more` moves that they prove, with all threads. Returns
    /// how many moves were new since the last call.
    pub(super) fn publish(&mut self, more: Vec<(u64, Cell)>) -> u64 {
        self.share();
        self.new += self.store.add(more);
        std::mem::take(&mut self.new)
    }

    /// Searches `nodes` nodes for the best move outside `excluded`; returns it with its score.
    pub(super) fn best(&mut self, nodes: u64, excluded: &[Cell]) -> Option<(Cell, Score)> {
        self.solver.best(nodes, excluded, &self.store.stop)
    }

    /// Returns a move of a tree about another board or rule, outside `excluded`.
    pub(super) fn advised_move(&self, board: &ProofBoard, excluded: &[Cell]) -> Option<Cell> {
        let mut moves = self.store.advice.iter().flat_map(|advice| advice.moves(board));
        moves.find(|m| !excluded.contains(m))
    }

    /// Whether all searches are stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.store.is_stopped()
    }

    fn share(&mut self) {
        let confirmed = std::mem::take(&mut self.confirmed);
        for (key, m) in &confirmed {
            if let Some(moves) = self.recorded.get_mut(key) {
                moves.retain(|other| other != m);
                if moves.is_empty() {
                    self.recorded.remove(key);
                }
            }
        }
        self.new += self.store.add(confirmed);
    }
}

impl Answers for MoveFinder {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        let mut moves = self.store.proof().get(canonical);
        moves.extend(self.recorded.get(&canonical.key()).into_iter().flatten().copied());
        moves
    }

    /// Suggests the move of another tree, or else the move that wins with the defender's first
    /// or second stone shifted by a point or two: the trees of neighbouring replies are much
    /// alike.
    fn suggest(&mut self, board: &ProofBoard) -> Option<Cell> {
        if self.store.is_stopped() {
            return None;
        }
        if let Some(advised) = self.advised_move(board, &[]) {
            return Some(advised);
        }
        let defender = !self.attacker;
        let replies = board.stones().iter().skip(self.stones);
        let replies = replies.filter(|(_, stone)| *stone == Stone::Of(defender)).take(MAX_SHIFTED);
        let (width, height) = (board.setup().width, board.setup().height);
        let proof = self.store.proof();
        { replies }.find_map(|&(reply, _)| {
            let without = board.toggled(board.keys(), reply, defender);
            NEARBY.iter().find_map(|&(dx, dy)| {
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
            let line = self.solver.shortest_vcf(SHORTEST_VCF_STONES, &self.store.stop)?;
            return line.first().copied();
        }
        let vcf = self.solver.vcf(self.vcf_stones, &self.store.stop);
        let found = match vcf {
            None if nodes > 0 => self.solver.vct_in_thread(nodes, 0, &self.store.stop),
            found => found,
        };
        found.map(|(m, _)| m)
    }

    fn learn(&mut self, canonical: &CanonicalKey, m: Cell) {
        self.recorded.entry(canonical.key()).or_default().push(m);
    }

    fn unlearn(&mut self, canonical: &CanonicalKey, m: Cell) {
        if let Entry::Occupied(mut moves) = self.recorded.entry(canonical.key()) {
            moves.get_mut().retain(|&mut other| other != m);
            // Drops empty entries: the failed moves of a run would not fit into memory.
            if moves.get().is_empty() {
                moves.remove();
            }
        }
    }

    fn confirm(&mut self, canonical: &CanonicalKey, m: Cell) {
        self.confirmed.push((canonical.key(), m));
        if self.confirmed.len() >= MAX_UNSHARED {
            self.share();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_engine::{Engine, TableHandle};
    use goren_proof::{Claim, Root};

    #[test]
    fn the_winning_move_against_a_nearby_reply_is_suggested() {
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
        let engine = Engine::with_hash(TableHandle::exactly(1 << 20));
        let solver = engine.solver(setup).unwrap();
        let store = Arc::new(MoveStore::new(proof));
        let mut finder = MoveFinder::new(store, solver, Color::Black);
        for reply in [Cell::new(4, 5), Cell::new(2, 4), Cell::new(1, 5)] {
            assert_eq!(finder.suggest(&after(reply)), Some(m), "{reply:?}");
        }
        // A reply too far away; then an additional stone on the board.
        assert_eq!(finder.suggest(&after(Cell::new(0, 0))), None);
        let mut board = after(Cell::new(4, 5));
        board.place(Cell::new(9, 9), Color::White).unwrap();
        assert_eq!(finder.suggest(&board), None);
        // A move known with a second extra stone is suggested if that stone is near.
        let mut known = after(Cell::new(12, 12));
        known.place(Cell::new(9, 8), Color::White).unwrap();
        let canonical = known.canonical(&known.keys());
        finder.learn(&canonical, known.to_image(&canonical, m));
        finder.confirm(&canonical, known.to_image(&canonical, m));
        assert_eq!(finder.publish(Vec::new()), 1);
        let mut board = after(Cell::new(12, 12));
        board.place(Cell::new(9, 9), Color::White).unwrap();
        assert_eq!(finder.suggest(&board), Some(m));
    }

    #[test]
    fn confirmed_moves_are_shared_during_the_work() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let root = Root { stones: Vec::new(), to_move: Color::Black };
        let store =
            Arc::new(MoveStore::new(Proof::new(Claim { setup, attacker: Color::Black, root })));
        let engine = Engine::with_hash(TableHandle::exactly(1 << 20));
        let solver = engine.solver(setup).unwrap();
        let mut finder = MoveFinder::new(store.clone(), solver, Color::Black);
        let mut board = ProofBoard::new(setup);
        let m = Cell::new(14, 14);
        let cells: Vec<Cell> = board.empty().iter().filter(|&cell| cell != m).collect();
        for number in 0..=MAX_UNSHARED {
            // A different pair each time.
            for cell in [cells[number % 20], cells[20 + number / 20]] {
                board.place(cell, Color::White).unwrap();
            }
            let canonical = board.canonical(&board.keys());
            let image = board.to_image(&canonical, m);
            finder.learn(&canonical, image);
            finder.confirm(&canonical, image);
            assert!(finder.known(&board, &canonical).contains(&image));
            board.take_back();
            board.take_back();
        }
        assert!(store.found() > 0);
        // A move that is only recorded stays with the thread.
        let canonical = board.canonical(&board.keys());
        finder.learn(&canonical, board.to_image(&canonical, m));
        finder.publish(Vec::new());
        assert!(store.proof().get(&canonical).is_empty());
        let mut unsaved = store.take_unsaved();
        unsaved.sort_unstable();
        assert_eq!(unsaved, store.proof().moves());
        assert_eq!(store.found(), unsaved.len() as u64);
        finder.unlearn(&canonical, board.to_image(&canonical, m));
        assert!(finder.known(&board, &canonical).is_empty());
        store.stop();
        assert_eq!((finder.suggest(&board), finder.seek(&board, 0)), (None, None));
    }
}
