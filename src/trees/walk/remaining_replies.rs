//! The replies that remain to the defender, who is to move in a position of the walk, and the
//! attacker's moves as long as the defender has no choice.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::Walk;
use crate::replies::{board, replies_to_check};
use goren_core::types::{Cell, CellSet};
use goren_engine::Control;
use goren_proof::{Checker, Claim, Keys, ProofBoard};

/// Time limit of the search for the replies of one position.
const TIME_LIMIT: Duration = Duration::from_millis(1_500);
/// Node limit of the check of one reply; beyond it a move that the tree has for the reply
/// counts as an answer.
const QUICK_NODES: u64 = 1_000;
/// Maximum number of stones of a line.
const LONGEST: usize = 80;

/// The replies that remain to the defender.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RemainingReplies {
    /// The replies that need an answer of their own: against all others the attacker wins as
    /// against a pass. `None` if they are unknown, because too little of the tree is read or
    /// the search takes too long.
    pub left: Option<Vec<Cell>>,
    /// Number of replies that are not fouls.
    pub all: usize,
    /// The moves that follow as long as there is only one reply, that reply first.
    pub forced: Vec<Cell>,
    /// The attacker's moves against a pass, with the only replies to them.
    pub threat: Vec<Cell>,
}

impl Walk {
    /// The number of replies to the position of the claim that the tree does not answer, and
    /// the number of all replies; symmetric replies count once. If the attacker moves first,
    /// the position counts instead of its replies.
    ///
    /// # Errors
    /// The position of the claim is impossible, or the file has a fault.
    pub fn unanswered(&mut self) -> Result<[usize; 2]> {
        let Claim { setup, attacker, .. } = *self.claim();
        let root = board(self.claim())?;
        let is_foul =
            |reply: &Option<Cell>| reply.is_some_and(|reply| root.fouls(!attacker, reply).0.any());
        let mut all = replies_to_check(self.claim(), &root);
        all.retain(|reply| !is_foul(reply));
        let mut open = 0;
        for &reply in &all {
            if let Some(parts) = self.source.answered() {
                open += usize::from(!parts.contains(&reply));
                continue;
            }
            let mut checker = Checker::new(setup, attacker, &mut self.source).without_paths();
            checker.board = root.clone();
            let mut bases = vec![root.keys()];
            if let Some(reply) = reply {
                checker.board.place(reply, !attacker)?;
                bases.insert(0, checker.board.keys());
            }
            open += usize::from(checker.advise(bases, QUICK_NODES).is_none());
        }
        self.sound()?;
        Ok([open, all.len()])
    }

    /// The replies that remain to the defender, who is to move, according to the tree as far as
    /// it is read.
    pub fn remaining_replies(&mut self, control: &Control) -> RemainingReplies {
        if self.attacker_moves() || self.is_won() {
            return RemainingReplies::default();
        }
        let (board, base) = (self.board.clone(), self.base);
        let defender = !self.claim().attacker;
        let is_foul = |cell: &Cell| board.fouls(defender, *cell).0.any();
        let all = board.empty().iter().filter(|cell| !is_foul(cell)).count();
        let needed = self.needed(&board, base, control);
        let left = |cells: CellSet| cells.iter().filter(|cell| !is_foul(cell)).collect();
        let left: Option<Vec<Cell>> = needed.map(left);
        let forced = match left.as_deref() {
            Some(&[only]) => self.line(&board, base, Some(only), control),
            _ => Vec::new(),
        };
        let threat = self.line(&board, base, None, control);
        RemainingReplies { left, all, forced, threat }
    }

    /// The replies that need an answer; `None` if they are unknown.
    fn needed(&mut self, board: &ProofBoard, base: Keys, control: &Control) -> Option<CellSet> {
        let Claim { setup, attacker, .. } = *self.claim();
        if control.stopped() {
            return None;
        }
        let mut checker = Checker::new(setup, attacker, &mut self.source).without_paths();
        checker.board = board.clone();
        checker.until = Some(Instant::now() + TIME_LIMIT);
        checker.to_answer_by(base).ok().flatten()
    }

    /// The attacker's moves of the tree after a reply or a pass, and the replies between them,
    /// as long as there is at most one reply to each.
    fn line(
        &mut self,
        board: &ProofBoard,
        base: Keys,
        reply: Option<Cell>,
        control: &Control,
    ) -> Vec<Cell> {
        let Claim { setup, attacker, .. } = *self.claim();
        let (mut board, mut base, mut next, mut line) = (board.clone(), base, reply, Vec::new());
        while line.len() < LONGEST && !control.stopped() {
            let mut bases = vec![base];
            if let Some(cell) = next {
                if board.place(cell, !attacker).is_err() {
                    break;
                }
                line.push(cell);
                bases.insert(0, board.toggled(base, cell, !attacker));
            }
            let wins = !board.wins(attacker).is_empty();
            let mut checker = Checker::new(setup, attacker, &mut self.source).without_paths();
            checker.board = board.clone();
            checker.until = Some(Instant::now() + TIME_LIMIT);
            let Some((m, found_base)) = checker.advise(bases, u64::MAX) else { break };
            if board.place(m, attacker).is_err() {
                break;
            }
            line.push(m);
            base = board.toggled(found_base, m, attacker);
            let Some(needed) = (!wins).then(|| self.needed(&board, base, control)).flatten() else {
                break;
            };
            let mut left = needed.iter();
            next = left.next();
            if next.is_none() || left.next().is_some() {
                // No reply prevents the win, or there is a choice.
                break;
            }
        }
        line
    }
}
