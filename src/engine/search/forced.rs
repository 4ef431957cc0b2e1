//! Forced wins at the root: static verdict, VCF solver and proof-number search
//! (VCT), before the first iteration and between iterations.

use std::time::Duration;

use super::params::{ROOT_MOVE_CHECK_NODES, ROOT_SOLVER_NODES, ROOT_SOLVER_NODES_PER_MS};
use super::report::{Answer, Basis, Info};
use super::request::Request;
use super::root::{RootMove, TimeManager};
use super::worker::Worker;
use crate::game::Position;
use crate::threat::Verdict;
use goren_core::types::{Move, PROVEN, Score, loss_in, win_in};

/// Fewest nodes of a proof-number search; a smaller share is saved up, as the
/// expansion of the root alone costs about as many.
const LEAST_PROOF: u64 = 300;
/// Most nodes of the search of an only move.
const BRIEF_NODES: u64 = 500;
/// Its longest time, and its largest share of the remaining time (one in so
/// many).
const BRIEF_TIME: Duration = Duration::from_millis(2);
const BRIEF_PART: u32 = 10;

impl<P: Position> Worker<'_, P> {
    /// Limits the search to a few milliseconds if there is only one root move and
    /// the caller wants only the move.
    pub(super) fn shorten_only_move(
        &mut self,
        request: &Request,
        time: &Option<TimeManager>,
        moves: &[RootMove],
    ) {
        // Without a clock there is no time to save.
        let timed = time.as_ref().is_some_and(|c| c.budget.hard != Duration::MAX);
        if request.move_only && timed && moves.len() == 1 {
            self.basis = Basis::Brief;
            let elapsed = self.shared.elapsed();
            let left = self.shared.hard().saturating_sub(elapsed);
            let time = BRIEF_TIME.min(left / BRIEF_PART);
            self.shared.tighten(elapsed + time, BRIEF_NODES);
        }
    }

    /// The answer without a search.
    pub(super) fn static_answer(&mut self, moves: &[RootMove]) -> Answer {
        let best = moves.first().map_or(Move::NONE, |first| first.m);
        let seen = if best.is_some() { self.static_score(best) } else { None };
        let score = seen.unwrap_or_else(|| self.evaluate());
        let pv = moves.first().map_or(Vec::new(), |first| self.completed_pv(&first.pv, score));
        let elapsed = self.shared.elapsed();
        // A static verdict counts as depth 1.
        let depth = seen.is_some() as u32;
        Answer { best, info: Info { depth, seldepth: depth, score, elapsed, pv, ..Info::NOTHING } }
    }

    /// The score of a static verdict on the position, or on the one after its best
    /// move `m`.
    fn static_score(&mut self, m: Move) -> Option<Score> {
        if !self.position.is_legal(m) {
            return None;
        }
        if self.exclusions.is_none()
            && let Verdict::Loss(plies) = self.position.verdict()
        {
            return Some(loss_in(plies));
        }
        let mover = self.position.to_move();
        self.position.make(m);
        let result = self.static_result(1);
        let result =
            if self.position.to_move() == mover { result } else { result.map(|score| -score) };
        self.position.unmake();
        // If this move loses, another may not.
        result.filter(|&score| score >= PROVEN)
    }

    /// Looks for a VCF, then for a VCT, before the first iteration.
    pub(super) fn forced_win(&mut self, moves: &mut [RootMove], helper: usize) -> Option<Answer> {
        if helper > 0 || self.exclusions.is_some() {
            return None;
        }
        // Usually the nodes take a small part of the time; at most half of it.
        let (hard, max_nodes) = (self.shared.hard(), self.shared.max_nodes());
        let timed = hard.as_millis().saturating_mul(ROOT_SOLVER_NODES_PER_MS.into());
        let timed = u64::try_from(timed).unwrap_or(u64::MAX);
        let elapsed = self.shared.elapsed();
        let until = elapsed + hard.saturating_sub(elapsed) / 2;
        let nodes = ROOT_SOLVER_NODES.min(timed).min(max_nodes);
        if let Some((m, plies)) = self.solve_until(nodes, until) {
            return self.promote_win(moves, m, plies, 0);
        }
        let share = max_nodes / 100 * self.params.prove_share as u64;
        let nodes = (self.params.prove_first as u64).min(timed).min(share);
        self.proven_win(moves, 0, nodes, until)
    }

    /// Looks for a VCT by proof-number search.
    fn proven_win(
        &mut self,
        moves: &mut [RootMove],
        depth: i32,
        nodes: u64,
        until: Duration,
    ) -> Option<Answer> {
        let before = self.nodes;
        let found = self.prove_until(nodes, until);
        self.proving += self.nodes - before;
        let (m, plies) = found?;
        self.promote_win(moves, m, plies, depth)
    }

    /// Moves a winning move to the front.
    fn promote_win(
        &mut self,
        moves: &mut [RootMove],
        m: Move,
        plies: usize,
        depth: i32,
    ) -> Option<Answer> {
        let at = moves.iter().position(|r| r.m == m)?;
        moves[..=at].rotate_right(1);
        moves[0].score = win_in(plies);
        (moves[0].last_score, moves[0].depth) = (moves[0].score, depth);
        moves[0].pv = vec![m];
        // A solver examined at least this move.
        Some(self.answer(&moves[0].clone(), depth.max(1)))
    }

    /// Spends a share of the nodes on proof-number search: half at the root, half
    /// at the positions of the PV, where a win goes to the transposition table and
    /// so corrects the next iteration.
    pub(super) fn prove_pv(
        &mut self,
        moves: &mut [RootMove],
        line: &[Move],
        depth: i32,
    ) -> Option<Answer> {
        let share = self.nodes * self.params.prove_share as u64 / 100;
        let left = share.saturating_sub(self.proving);
        if left < LEAST_PROOF || self.exclusions.is_some() {
            return None;
        }
        if let Some(answer) = self.proven_win(moves, depth, left / 2, Duration::MAX) {
            return Some(answer);
        }
        let before = self.nodes;
        let length = line.len().min(self.params.prove_line as usize);
        let mut played = 0;
        for &m in &line[..length] {
            if self.shared.stopped() {
                break;
            }
            self.position.make(m);
            played += 1;
            if self.position.outcome().is_none() {
                self.prove(left / 2 / length as u64);
            }
        }
        for _ in 0..played {
            self.position.unmake();
        }
        self.proving += self.nodes - before;
        None
    }

    /// Root move check: the loss, if proof-number search finds a win of the
    /// opponent after a move that is about to become the best.
    pub(super) fn root_move_check(&mut self, m: Move) -> Option<Score> {
        let nodes =
            (self.nodes * self.params.prove_root_move as u64 / 100).min(ROOT_MOVE_CHECK_NODES);
        if nodes < LEAST_PROOF || self.exclusions.is_some() {
            return None;
        }
        let mover = self.position.to_move();
        self.position.make(m);
        // If the turn continues, a win found would be that of the same side.
        let answers = self.position.to_move() != mover && self.position.outcome().is_none();
        let won = if answers { self.prove(nodes) } else { None };
        self.position.unmake();
        won.map(|(_, plies)| loss_in(plies + 1))
    }
}

#[cfg(test)]
#[path = "forced_tests.rs"]
mod tests;
