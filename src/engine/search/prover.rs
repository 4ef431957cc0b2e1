//! Wins by threats alone: proof-number search, depth first (df-pn; A. Nagai,
//! "Df-pn algorithm for searching AND/OR trees and its applications", 2002).
//!
//! The attacker plays nothing but threats (first fours and open threes, slower
//! ones as well where those are refuted); the defender has every move that
//! meets them. So a proof is a win whatever the defender does, and a refutation
//! says nothing of quieter moves. All that is found goes to the transposition
//! table: the numbers under keys of their own, to go on from, and wins where
//! the search looks for them.
//!
//! The root spends a share of its nodes on the prover, for its own position and
//! for those of its best line. Proof numbers lie in the table without a bound; a
//! win goes there under the key of the position itself. The defender's moves are
//! `GenType::Main` under threat_level; tests check them against a prover that knows
//! only the referee.

use std::time::Duration;

use smallvec::SmallVec;

use super::worker::Worker;
use crate::game::{GenType, MoveList, Position, ThreatLevel};
use crate::threat::Verdict;
use crate::tt::{Bound, Entry};
use goren_core::rules::Outcome;
use goren_core::types::{Color, MAX_PLY, Move, loss_in, win_in};

/// More than any number of positions: nothing is left to be done.
const NEVER: i32 = 30_000;
/// Depth that numbers are stored with: they give way to deep searches only.
const DEPTH: i32 = 6;
/// Depth that wins are stored with: they hold for any.
const PROVEN_DEPTH: i32 = 100;
/// Stones that a win by fours may take at a new position of the attacker.
const FOURS: u64 = 24;
/// Points for the attacker to move from which a proof is as near as can be.
const SURE_LEAD: i32 = 400;
/// Each so many points less count as one position more to be decided.
const LEAD_UNIT: i32 = 50;
/// Most of those.
const MOST_MISSING: i32 = 20;
/// Mixed into the keys of numbers.
const SALT: u64 = 0x6a09_e667_f3bc_c908;

/// How far a position is from a proof and from a refutation: at least so many
/// positions must still be decided.
#[derive(Copy, Clone, Debug)]
struct Numbers {
    proof: i32,
    refutation: i32,
    /// Length of the win, if it is proven.
    plies: usize,
    /// The attacker's win, or the defender's longest or only way.
    best: Move,
}

impl Numbers {
    const REFUTED: Numbers = Numbers::new(NEVER, 0);

    const fn new(proof: i32, refutation: i32) -> Numbers {
        Numbers { proof, refutation, plies: 0, best: Move::NONE }
    }

    const fn won(plies: usize) -> Numbers {
        Numbers { plies, ..Numbers::new(0, NEVER) }
    }

    fn settled(&self) -> bool {
        self.proof == 0 || self.refutation == 0
    }
}

/// What a proof is sought for.
struct Goal {
    attacker: Color,
    /// Moves of the attacker where he need not answer a threat.
    attacks: GenType,
    /// Mixed into the keys of its numbers.
    salt: u64,
    /// Positions that may still be looked at.
    left: u64,
    /// When it ends, counted from the start of the search.
    until: Duration,
    /// The number of the thread, where several look: all but the first choose by
    /// it among moves that look nearly alike.
    thread: u64,
}

impl Goal {
    /// The child to work on, of those whose number is below `bound` as the least
    /// is: the first of the least, or another that is hardly more.
    fn choose(&self, children: &[Child], key: impl Fn(&Child) -> i32, bound: i32) -> Option<usize> {
        let least = children.iter().map(&key).min()?;
        if self.thread == 0 {
            return children.iter().position(|child| key(child) == least);
        }
        let most = (least + least / 4).min(bound - 1).max(least);
        let alike = (0..children.len()).filter(|&i| key(&children[i]) <= most);
        let taste = |i: &usize| {
            let cell = children[*i].m.cell().index() as u64;
            (cell + 1).wrapping_mul(self.thread.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32
        };
        alike.min_by_key(taste)
    }
}

struct Child {
    m: Move,
    numbers: Numbers,
}

type Children = SmallVec<[Child; 24]>;

impl<P: Position> Worker<'_, P> {
    /// Looks for a win of the side to move by threats alone, looking at some
    /// `nodes` positions: its first move and length in plies. Goes on from
    /// what earlier calls left in the table.
    pub fn prove(&mut self, nodes: u64) -> Option<(Move, usize)> {
        self.prove_until(nodes, Duration::MAX)
    }

    /// The same until some time after the start of the search.
    pub fn prove_until(&mut self, nodes: u64, until: Duration) -> Option<(Move, usize)> {
        self.prove_by(nodes, until, 0)
    }

    /// The same as thread number `thread` of several that share a table.
    pub fn prove_beside(&mut self, nodes: u64, thread: u64) -> Option<(Move, usize)> {
        self.prove_by(nodes, Duration::MAX, thread)
    }

    fn prove_by(&mut self, nodes: u64, until: Duration, thread: u64) -> Option<(Move, usize)> {
        let attacker = self.position.to_move();
        let mut left = nodes;
        for (i, attacks) in [GenType::Threats, GenType::Attacks].into_iter().enumerate() {
            let salt = SALT.rotate_left(8 * (2 * i + attacker.index()) as u32);
            let mut goal = Goal { attacker, attacks, salt, left, until, thread };
            let found = self.expand(&mut goal, NEVER, NEVER, 0);
            if found.proof == 0 && found.best.is_some() {
                return Some((found.best, found.plies));
            }
            left = goal.left;
            if left == 0 {
                break;
            }
        }
        None
    }

    /// Works on the position until its proof reaches `proof`, its refutation
    /// `refutation`, or the nodes are spent.
    fn expand(&mut self, goal: &mut Goal, proof: i32, refutation: i32, ply: usize) -> Numbers {
        let attacks = self.position.to_move() == goal.attacker;
        let mut children = Children::new();
        let mut list = MoveList::new();
        let threat_level = self.position.threat_level();
        let pressed = threat_level != ThreatLevel::None;
        // What nothing meets: a five, or an open four or a four and a three.
        let unmet = if threat_level == ThreatLevel::Immediate { 2 } else { 6 };
        let gen_type = if attacks && !pressed { goal.attacks } else { GenType::Main };
        self.position.moves(gen_type, &mut list);
        list.sort_unstable_by_key(|entry| (-entry.score, entry.m));
        for entry in &list {
            if !self.position.is_legal(entry.m) {
                continue;
            }
            if self.is_late(goal) {
                // Of moves that were not all looked at nothing is known. Another
                // thread may have stopped the search since the last look: without
                // this the positions above would ask again for ever.
                goal.left = 0;
                return Numbers::new(1, 1);
            }
            let numbers = self.look_at(goal, entry.m);
            children.push(Child { m: entry.m, numbers });
            if numbers.proof == 0 && attacks || numbers.refutation == 0 && !attacks {
                break;
            }
        }
        loop {
            let numbers = combine(&children, attacks, unmet);
            let enough = numbers.proof >= proof || numbers.refutation >= refutation;
            if enough || numbers.settled() || goal.left == 0 || ply + 2 >= MAX_PLY {
                self.remember(goal, &numbers, attacks);
                return numbers;
            }
            let key = |c: &Child| if attacks { c.numbers.proof } else { c.numbers.refutation };
            let bound = if attacks { proof } else { refutation };
            let Some(at) = goal.choose(&children, key, bound) else { return numbers };
            let others = children.iter().enumerate().filter(|&(i, _)| i != at);
            let second = others.map(|(_, c)| key(c)).min().unwrap_or(NEVER);
            let chosen = &children[at];
            let second = second.max(key(chosen));
            let next = second.saturating_add(1 + second / 2).min(NEVER);
            let (m, old) = (chosen.m, chosen.numbers);
            let (child_proof, child_refutation) = if attacks {
                (proof.min(next), refutation - numbers.refutation + old.refutation)
            } else {
                (proof - numbers.proof + old.proof, refutation.min(next))
            };
            self.position.make(m);
            let found = self.expand(goal, child_proof, child_refutation, ply + 1);
            self.position.unmake();
            children[at].numbers = found;
        }
    }

    /// What is known of the position after a move, or seen at a glance.
    fn look_at(&mut self, goal: &mut Goal, m: Move) -> Numbers {
        goal.left = goal.left.saturating_sub(1);
        self.position.make(m);
        let numbers = self.initial(goal);
        self.position.unmake();
        self.enter(0);
        if self.is_late(goal) {
            goal.left = 0;
        }
        numbers
    }

    /// Whether a proof must end before its nodes are spent.
    fn is_late(&self, goal: &Goal) -> bool {
        self.shared.stopped() || self.looked >= goal.until
    }

    fn initial(&mut self, goal: &Goal) -> Numbers {
        let attacks = self.position.to_move() == goal.attacker;
        match self.position.outcome() {
            Some(Outcome::Win(color)) if color == goal.attacker => return Numbers::won(0),
            Some(_) => return Numbers::REFUTED,
            None => {}
        }
        match self.position.verdict() {
            Verdict::Win(plies) if attacks => return Numbers::won(plies),
            Verdict::Loss(plies) if !attacks => return Numbers::won(plies),
            Verdict::Win(_) | Verdict::Loss(_) => return Numbers::REFUTED,
            Verdict::Unknown => {}
        }
        let threat_level = self.position.threat_level();
        if !attacks && threat_level == ThreatLevel::None {
            return Numbers::REFUTED;
        }
        let key = self.position.key() ^ goal.salt;
        if let Some(e) = self.shared.table.probe(key) {
            let best = e.best;
            return match (e.score, e.eval) {
                (0, plies) => Numbers { best, ..Numbers::won(plies as usize) },
                (proof, refutation) => Numbers { best, ..Numbers::new(proof, refutation) },
            };
        }
        if attacks && let Some((m, plies)) = self.solve(FOURS) {
            return Numbers { best: m, ..Numbers::won(plies) };
        }
        let gen_type =
            if attacks && threat_level == ThreatLevel::None { goal.attacks } else { GenType::Main };
        let mut list = MoveList::new();
        self.position.moves(gen_type, &mut list);
        let count = list.len() as i32;
        match attacks {
            true if count == 0 => Numbers::REFUTED,
            true => Numbers::new(1 + self.lead_missing(), count),
            false => Numbers::new(((count + 1) / 2).max(1), 1),
        }
    }

    /// How much harder than at best a proof is, judged by the evaluation for
    /// the attacker to move.
    fn lead_missing(&mut self) -> i32 {
        ((SURE_LEAD - self.evaluate()) / LEAD_UNIT).clamp(0, MOST_MISSING)
    }

    /// Keeps the numbers, and a win where the search will find it.
    fn remember(&mut self, goal: &Goal, numbers: &Numbers, attacks: bool) {
        let proven = numbers.proof == 0;
        let entry = Entry {
            best: numbers.best,
            score: numbers.proof,
            eval: if proven { numbers.plies as i32 } else { numbers.refutation },
            depth: DEPTH,
            bound: Bound::None,
            pv: false,
        };
        let key = self.position.key();
        self.shared.table.store(key ^ goal.salt, entry);
        if !proven {
            return;
        }
        let (score, bound) = match attacks {
            true => (win_in(numbers.plies), Bound::Lower),
            false => (loss_in(numbers.plies), Bound::Upper),
        };
        let eval = match self.position.threat_level() {
            ThreatLevel::Immediate => 0,
            _ => self.evaluate(),
        };
        let entry = Entry { score, eval, bound, depth: PROVEN_DEPTH, ..entry };
        self.shared.table.store(key, entry);
    }
}

/// The numbers of a position from those after its moves. Moves share much of
/// what is below them, so the largest number counts in full and each of the
/// others as one (weak proof-number search; Ueda et al., 2008). `unmet` is the
/// length of the win if the defender has no move.
fn combine(children: &[Child], attacks: bool, unmet: usize) -> Numbers {
    if children.is_empty() {
        return if attacks { Numbers::REFUTED } else { Numbers::won(unmet) };
    }
    let weak = |number: fn(&Numbers) -> i32| {
        let open = children.iter().map(|c| number(&c.numbers)).filter(|&n| n > 0);
        let (most, count) = open.fold((0, 0), |(most, count), n| (most.max(n), count + 1));
        if most >= NEVER { NEVER } else { (most + (count - 1).max(0)).min(NEVER - 1) }
    };
    let least = |number: fn(&Numbers) -> i32| {
        children.iter().map(|c| number(&c.numbers)).min().unwrap_or(NEVER)
    };
    let mut numbers = match attacks {
        true => Numbers::new(least(|n| n.proof), weak(|n| n.refutation)),
        false => Numbers::new(weak(|n| n.proof), least(|n| n.refutation)),
    };
    if numbers.proof == 0 {
        let proven = children.iter().filter(|c| c.numbers.proof == 0);
        let by_length = |c: &&Child| c.numbers.plies;
        let way = if attacks { proven.min_by_key(by_length) } else { proven.max_by_key(by_length) };
        if let Some(way) = way {
            (numbers.plies, numbers.best) = (way.numbers.plies + 1, way.m);
        }
        numbers.refutation = NEVER;
    }
    numbers
}
