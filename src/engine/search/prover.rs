//! VCT solver: depth-first proof-number search (df-pn; A. Nagai, "Df-pn algorithm
//! for searching AND/OR trees and its applications", 2002).
//!
//! The attacker plays threats only: first fours and open threes
//! (`GenType::Threats`), and if that finds no win, slower threats too
//! (`GenType::Attacks`). The defender tries every move that could stop a threat
//! (`GenType::Main` under a threat; tests check it against a prover that uses only
//! the referee). So a proof is a win against any defence, but a disproof does not
//! exclude a win with quiet moves.
//!
//! The root search spends a share of its nodes here, on its own position and on those of the PV
//! (`forced.rs`). The root move check, `Solver::vct` and `Searchable` call the prover too. Proof
//! numbers are kept in the transposition table, with `Bound::None` under salted keys, so that a
//! later call continues from them. Wins are also stored under the plain key, where the search finds
//! them.

use std::time::Duration;

use smallvec::SmallVec;

use super::worker::Worker;
use crate::game::{GenType, MoveList, Position, ThreatLevel};
use crate::threat::Verdict;
use crate::tt::{Bound, Entry};
use goren_core::rules::Outcome;
use goren_core::types::{Color, MAX_PLY, Move, loss_in, win_in};

/// An infinite proof or disproof number.
const INFINITE_NUMBER: i32 = 30_000;
/// Depth, in plies, with which proof numbers are stored: it decides how long the table keeps them.
const DEPTH: i32 = 6;
/// Depth, in plies, with which wins are stored, as they hold at any depth.
const PROVEN_DEPTH: i32 = 100;
/// Nodes of the VCF solver at each new position with the attacker to move.
const VCF_NODES: u64 = 24;
/// At this evaluation for the attacker or above, nothing is added to the initial proof number.
const SURE_LEAD: i32 = 400;
/// Below [`SURE_LEAD`], the initial proof number grows by one per this many points.
const LEAD_UNIT: i32 = 50;
/// Maximum that the evaluation adds to the initial proof number.
const MAX_LEAD_DEFICIT: i32 = 20;
/// Mixed into the keys of proof numbers.
const SALT: u64 = 0x6a09_e667_f3bc_c908;

/// Proof and disproof number of a position: estimates of how many leaves must be
/// proven to prove it, or disproven to disprove it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct ProofNumbers {
    proof: i32,
    disproof: i32,
    /// Length of the win in plies, if it is proven.
    plies: usize,
    /// The attacker's winning move, or the defender's longest defence.
    best: Move,
}

impl ProofNumbers {
    const DISPROVEN: ProofNumbers = ProofNumbers::new(INFINITE_NUMBER, 0);

    const fn new(proof: i32, disproof: i32) -> ProofNumbers {
        ProofNumbers { proof, disproof, plies: 0, best: Move::NONE }
    }

    const fn won(plies: usize) -> ProofNumbers {
        ProofNumbers { plies, ..ProofNumbers::new(0, INFINITE_NUMBER) }
    }

    /// Reads the numbers of an entry that [`Worker::store`] has stored.
    fn stored(entry: &Entry) -> ProofNumbers {
        let best = entry.best;
        match (entry.score, entry.eval) {
            (0, plies) => ProofNumbers { best, ..ProofNumbers::won(plies as usize) },
            (proof, disproof) => ProofNumbers { best, ..ProofNumbers::new(proof, disproof) },
        }
    }

    fn is_solved(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// One proof-number search.
struct ProofSearch {
    attacker: Color,
    /// Which moves the attacker plays when it need not answer a threat.
    attack_gen: GenType,
    /// Mixed into the keys of its proof numbers; depends on attacker and attempt.
    salt: u64,
    /// Nodes left; a node is a position that gets its numbers.
    left: u64,
    /// Time limit, counted from the start of the search.
    until: Duration,
    /// Number of the thread. All but thread 0 break near ties by it, so that threads
    /// which share a table expand different children.
    thread: u64,
}

impl ProofSearch {
    /// Returns the child to expand next (most-proving node): in thread 0 the first with the least
    /// number, in other threads one of those that are at most a quarter above it and below `bound`.
    fn choose(&self, children: &[Child], key: impl Fn(&Child) -> i32, bound: i32) -> Option<usize> {
        let least = children.iter().map(&key).min()?;
        if self.thread == 0 {
            return children.iter().position(|child| key(child) == least);
        }
        let limit = (least + least / 4).min(bound - 1).max(least);
        let candidates = (0..children.len()).filter(|&i| key(&children[i]) <= limit);
        let tie_break = |i: &usize| {
            let cell = children[*i].m.cell().index() as u64;
            (cell + 1).wrapping_mul(self.thread.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32
        };
        candidates.min_by_key(tie_break)
    }
}

/// Returns the salt of an attacker's proof-number keys, for its first attempt (threats only) or its
/// second (slower threats too).
fn salt(attempt: usize, attacker: Color) -> u64 {
    SALT.rotate_left(8 * (2 * attempt + attacker.index()) as u32)
}

struct Child {
    m: Move,
    numbers: ProofNumbers,
}

type Children = SmallVec<[Child; 24]>;

impl<P: Position> Worker<'_, P> {
    /// Searches for a VCT of the side to move within about `nodes` positions. Returns its first
    /// move and length in plies. Continues from the proof numbers that earlier calls left in the
    /// table.
    pub fn vct(&mut self, nodes: u64) -> Option<(Move, usize)> {
        self.vct_until(nodes, Duration::MAX)
    }

    /// As [`Worker::vct`], with a time limit counted from the start of the search.
    pub fn vct_until(&mut self, nodes: u64, until: Duration) -> Option<(Move, usize)> {
        self.vct_within(nodes, until, 0)
    }

    /// As [`Worker::vct`], in thread number `thread` of several that share a table.
    pub fn vct_in_thread(&mut self, nodes: u64, thread: u64) -> Option<(Move, usize)> {
        self.vct_within(nodes, Duration::MAX, thread)
    }

    fn vct_within(&mut self, nodes: u64, until: Duration, thread: u64) -> Option<(Move, usize)> {
        let attacker = self.position.to_move();
        let mut left = nodes;
        for (i, attack_gen) in [GenType::Threats, GenType::Attacks].into_iter().enumerate() {
            let salt = salt(i, attacker);
            let mut search = ProofSearch { attacker, attack_gen, salt, left, until, thread };
            let found = self.expand(&mut search, INFINITE_NUMBER, INFINITE_NUMBER, 0);
            if found.proof == 0 && found.best.is_some() {
                return Some((found.best, found.plies));
            }
            left = search.left;
            if left == 0 {
                break;
            }
        }
        None
    }

    /// The recursion of df-pn (multiple iterative deepening): expands the position
    /// until its proof number reaches the threshold `proof`, its disproof number the
    /// threshold `disproof`, it is proven or disproven, or the nodes are spent.
    fn expand(
        &mut self,
        search: &mut ProofSearch,
        proof: i32,
        disproof: i32,
        ply: usize,
    ) -> ProofNumbers {
        let attacker_moves = self.position.to_move() == search.attacker;
        let mut children = Children::new();
        let mut list = MoveList::new();
        let threat_level = self.position.threat_level();
        let under_threat = threat_level != ThreatLevel::None;
        // Length of the win if the defender has no legal move: by a five, or by an open
        // four or four-three.
        let undefended_plies =
            if threat_level == ThreatLevel::Immediate { self.plies_to_five() } else { 6 };
        let gen_type =
            if attacker_moves && !under_threat { search.attack_gen } else { GenType::Main };
        self.position.moves(gen_type, &mut list);
        list.sort_unstable_by_key(|entry| (-entry.score, entry.m));
        for (i, entry) in list.iter().enumerate() {
            if let Some(next) = list.get(i + 1) {
                let key = self.position.key_after(next.m) ^ search.salt;
                self.shared.table.prefetch(key);
            }
            if !self.position.is_legal(entry.m) {
                continue;
            }
            if self.is_late(search) {
                // Not all children have numbers, so the position stays undecided.
                // Clearing `left` ends the loops of the callers, which would otherwise
                // expand it again without end.
                search.left = 0;
                return ProofNumbers::new(1, 1);
            }
            let numbers = self.child_numbers(search, entry.m);
            children.push(Child { m: entry.m, numbers });
            if numbers.proof == 0 && attacker_moves || numbers.disproof == 0 && !attacker_moves {
                break;
            }
        }
        loop {
            let numbers = combine(&children, attacker_moves, undefended_plies);
            let enough = numbers.proof >= proof || numbers.disproof >= disproof;
            if enough || numbers.is_solved() || search.left == 0 || ply + 2 >= MAX_PLY {
                self.store(search, &numbers, attacker_moves);
                return numbers;
            }
            let key = |c: &Child| if attacker_moves { c.numbers.proof } else { c.numbers.disproof };
            let bound = if attacker_moves { proof } else { disproof };
            let Some(at) = search.choose(&children, key, bound) else { return numbers };
            let others = children.iter().enumerate().filter(|&(i, _)| i != at);
            let second = others.map(|(_, c)| key(c)).min().unwrap_or(INFINITE_NUMBER);
            let chosen = &children[at];
            let second = second.max(key(chosen));
            // Threshold half above the second-best child (1 + epsilon trick), so that
            // the search does not switch between children at every expansion.
            let next = second.saturating_add(1 + second / 2).min(INFINITE_NUMBER);
            let (m, old) = (chosen.m, chosen.numbers);
            let (child_proof, child_disproof) = if attacker_moves {
                (proof.min(next), disproof - numbers.disproof + old.disproof)
            } else {
                (proof - numbers.proof + old.proof, disproof.min(next))
            };
            self.position.make(m);
            let found = self.expand(search, child_proof, child_disproof, ply + 1);
            self.position.unmake();
            children[at].numbers = found;
        }
    }

    /// Returns the numbers of the position after a move, stored or initial ones. Counts a node.
    fn child_numbers(&mut self, search: &mut ProofSearch, m: Move) -> ProofNumbers {
        search.left = search.left.saturating_sub(1);
        let numbers = match self.open_numbers(search, m) {
            Some(numbers) => numbers,
            None => {
                self.position.make(m);
                let numbers = self.numbers_of(search);
                self.position.unmake();
                numbers
            }
        };
        self.count_node(0);
        if self.is_late(search) {
            search.left = 0;
        }
        numbers
    }

    /// Returns the stored numbers of the position after a move, unless they prove a win. They equal
    /// the result of [`Worker::numbers_of`] there: only expansions store numbers, and a position
    /// that the outcome, the verdict or the lack of a threat decides is not expanded, so none of
    /// these needs a check. (A root that the verdict decides may be expanded; if the nodes do not
    /// suffice to find the result, its numbers stay open.) A stored win is not returned, as it may
    /// be longer than that of the verdict.
    #[inline]
    fn open_numbers(&self, search: &ProofSearch, m: Move) -> Option<ProofNumbers> {
        if !P::KEY_AFTER_IS_EXACT {
            return None;
        }
        let entry = self.shared.table.probe(self.position.key_after(m) ^ search.salt)?;
        let numbers = ProofNumbers::stored(&entry);
        (numbers.proof > 0).then_some(numbers)
    }

    /// Whether the proof-number search must end although nodes are left.
    fn is_late(&self, search: &ProofSearch) -> bool {
        self.shared.stopped() || self.elapsed_at_check >= search.until
    }

    /// Returns the numbers of the position: by its outcome, by its static verdict, disproven if the
    /// defender is under no threat, the stored ones, by a VCF of the attacker, or else initial
    /// ones.
    fn numbers_of(&mut self, search: &ProofSearch) -> ProofNumbers {
        let attacker_moves = self.position.to_move() == search.attacker;
        match self.position.outcome() {
            Some(Outcome::Win(color)) if color == search.attacker => return ProofNumbers::won(0),
            Some(_) => return ProofNumbers::DISPROVEN,
            None => {}
        }
        match self.position.verdict() {
            Verdict::Win(plies) if attacker_moves => return ProofNumbers::won(plies),
            Verdict::Loss(plies) if !attacker_moves => return ProofNumbers::won(plies),
            Verdict::Win(_) | Verdict::Loss(_) => return ProofNumbers::DISPROVEN,
            Verdict::Unknown => {}
        }
        let threat_level = self.position.threat_level();
        if !attacker_moves && threat_level == ThreatLevel::None {
            return ProofNumbers::DISPROVEN;
        }
        let key = self.position.key() ^ search.salt;
        if let Some(entry) = self.shared.table.probe(key) {
            return ProofNumbers::stored(&entry);
        }
        if attacker_moves && let Some((m, plies)) = self.solve(VCF_NODES) {
            return ProofNumbers { best: m, ..ProofNumbers::won(plies) };
        }
        let gen_type = if attacker_moves && threat_level == ThreatLevel::None {
            search.attack_gen
        } else {
            GenType::Main
        };
        let count = self.position.count_moves(gen_type) as i32;
        if !attacker_moves {
            ProofNumbers::new(((count + 1) / 2).max(1), 1)
        } else if count == 0 {
            ProofNumbers::DISPROVEN
        } else {
            ProofNumbers::new(1 + self.lead_deficit(), count)
        }
    }

    /// Returns the addition to the initial proof number. It grows with the gap between
    /// [`SURE_LEAD`] and the evaluation for the attacker, who is to move.
    fn lead_deficit(&mut self) -> i32 {
        ((SURE_LEAD - self.evaluate()) / LEAD_UNIT).clamp(0, MAX_LEAD_DEFICIT)
    }

    /// Stores the numbers under the salted key, and a win under the plain key too.
    fn store(&mut self, search: &ProofSearch, numbers: &ProofNumbers, attacker_moves: bool) {
        let proven = numbers.proof == 0;
        let entry = Entry {
            best: numbers.best,
            score: numbers.proof,
            eval: if proven { numbers.plies as i32 } else { numbers.disproof },
            depth: DEPTH,
            bound: Bound::None,
            pv: false,
        };
        let key = self.position.key();
        self.shared.table.store(key ^ search.salt, entry);
        if !proven {
            return;
        }
        let (score, bound) = if attacker_moves {
            (win_in(numbers.plies), Bound::Lower)
        } else {
            (loss_in(numbers.plies), Bound::Upper)
        };
        let eval = if self.position.must_answer_five() { 0 } else { self.evaluate() };
        let entry = Entry { score, eval, bound, depth: PROVEN_DEPTH, ..entry };
        self.shared.table.store(key, entry);
    }
}

/// Combines the numbers of the children into those of the position. As the subtrees of the children
/// overlap, the numbers are not summed: the largest number counts in full and each other one as 1
/// (weak proof-number search; Ueda et al., 2008). `undefended_plies` is the length of the win in
/// plies if the defender has no move.
fn combine(children: &[Child], attacker_moves: bool, undefended_plies: usize) -> ProofNumbers {
    if children.is_empty() {
        return if attacker_moves {
            ProofNumbers::DISPROVEN
        } else {
            ProofNumbers::won(undefended_plies)
        };
    }
    let weak = |number: fn(&ProofNumbers) -> i32| {
        let open = children.iter().map(|c| number(&c.numbers)).filter(|&n| n > 0);
        let (largest, count) = open.fold((0, 0), |(largest, count), n| (largest.max(n), count + 1));
        if largest >= INFINITE_NUMBER {
            INFINITE_NUMBER
        } else {
            (largest + (count - 1).max(0)).min(INFINITE_NUMBER - 1)
        }
    };
    let least = |number: fn(&ProofNumbers) -> i32| {
        children.iter().map(|c| number(&c.numbers)).min().unwrap_or(INFINITE_NUMBER)
    };
    let mut numbers = if attacker_moves {
        ProofNumbers::new(least(|n| n.proof), weak(|n| n.disproof))
    } else {
        ProofNumbers::new(weak(|n| n.proof), least(|n| n.disproof))
    };
    if numbers.proof == 0 {
        let proven = children.iter().filter(|c| c.numbers.proof == 0);
        let by_length = |c: &&Child| c.numbers.plies;
        let best = if attacker_moves {
            proven.min_by_key(by_length)
        } else {
            proven.max_by_key(by_length)
        };
        if let Some(best) = best {
            (numbers.plies, numbers.best) = (best.numbers.plies + 1, best.m);
        }
        numbers.disproof = INFINITE_NUMBER;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Five;
    use crate::search::history::History;
    use crate::search::params::Params;
    use crate::search::request::Request;
    use crate::search::worker::Shared;
    use crate::tt::Table;
    use goren_core::rules::{Freestyle, RuleId, Setup};
    use goren_core::types::Cell;

    /// A position full of threats in which neither side has a short win.
    const STONES: &str = "h8 i10 e11 e10 f8 h11 j9 g8 h7 h9 j11 i8 g10 i7 i9 j10 f6";

    /// Walks the tree of open stored numbers, and compares the numbers of each position probed
    /// before the move with those found after it. Returns the number of positions.
    fn compare(worker: &mut Worker<'_, Five<Freestyle>>, search: &ProofSearch) -> usize {
        let mut list = MoveList::new();
        for gen_type in [GenType::Main, GenType::Threats] {
            worker.position.moves(gen_type, &mut list);
        }
        let mut count = 0;
        for m in list.iter().map(|entry| entry.m) {
            if let Some(probed) = worker.open_numbers(search, m) {
                worker.position.make(m);
                assert_eq!(worker.numbers_of(search), probed);
                count += 1 + compare(worker, search);
                worker.position.unmake();
            }
        }
        count
    }

    #[test]
    fn stored_numbers_are_equal_before_and_after_the_move() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let mut position = Five::<Freestyle>::new(setup);
        for name in STONES.split(' ') {
            let (column, row) = name.split_at(1);
            let (x, y) = (column.as_bytes()[0] - b'a', 15 - row.parse::<usize>().unwrap());
            position.make(Move::at(Cell::new(x as usize, y)));
        }
        let (table, request) = (Table::with_bytes(1 << 22).unwrap(), Request::default());
        let params = Params::default();
        let shared = Shared::new(&position, &table, &request);
        let mut history = History::default();
        let attacker = position.to_move();
        let mut worker = Worker::new(position, &shared, &params, &mut history);
        assert_eq!(worker.vct(300), None, "numbers stay open");
        let search = ProofSearch {
            attacker,
            attack_gen: GenType::Threats,
            salt: salt(0, attacker),
            left: 0,
            until: Duration::MAX,
            thread: 0,
        };
        let count = compare(&mut worker, &search);
        assert!(count > 3, "{count}");
    }
}
