//! Forced wins at the root: VCF solver and VCT solver (proof-number search) before the
//! first iteration, proof-number search between iterations. Also the root move check,
//! and the answer without a search.

use std::time::Duration;

use super::params::{ROOT_MOVE_CHECK_NODES, ROOT_SOLVER_NODES, ROOT_SOLVER_NODES_PER_MS};
use super::report::{Answer, Basis, Info};
use super::request::Request;
use super::root::{RootMove, TimeInfo};
use super::worker::Worker;
use crate::game::Position;
use crate::threat::Verdict;
use goren_core::types::{Move, PROVEN, Score, loss_in, win_in};

/// Minimum nodes of a proof-number search: expanding its root alone costs about as many. A
/// smaller share is saved for a later iteration.
const LEAST_PROOF: u64 = 300;
/// Search of an only move: node limit.
const BRIEF_NODES: u64 = 500;
/// Search of an only move: time limit.
const BRIEF_TIME: Duration = Duration::from_millis(2);
/// Search of an only move: it takes at most 1/10 of the time left.
const BRIEF_PART: u32 = 10;

impl<P: Position> Worker<'_, P> {
    /// Limits the search to a few milliseconds if there is only one root move and
    /// the caller wants only the move.
    pub(super) fn shorten_only_move(
        &mut self,
        request: &Request,
        time: &Option<TimeInfo>,
        moves: &[RootMove],
    ) {
        // Without a time limit there is no time to save.
        let timed = time.as_ref().is_some_and(|c| c.budget.hard != Duration::MAX);
        if request.move_only && timed && moves.len() == 1 {
            self.basis = Basis::Brief;
            let elapsed = self.shared.elapsed();
            let left = self.shared.hard().saturating_sub(elapsed);
            let time = BRIEF_TIME.min(left / BRIEF_PART);
            self.shared.tighten(elapsed + time, BRIEF_NODES);
        }
    }

    /// Returns the answer without a search: the first root move, with the score of a static verdict
    /// or else the static evaluation.
    pub(super) fn static_answer(&mut self, moves: &[RootMove]) -> Answer {
        let best = moves.first().map_or(Move::NONE, |first| first.m);
        let static_score = if best.is_some() { self.static_score(best) } else { None };
        let score = static_score.unwrap_or_else(|| self.evaluate());
        let pv = moves.first().map_or(Vec::new(), |first| self.completed_pv(&first.pv, score));
        let elapsed = self.shared.elapsed();
        // A static verdict counts as depth 1.
        let depth = static_score.is_some() as u32;
        Answer { best, info: Info { depth, seldepth: depth, score, elapsed, pv, ..Info::NOTHING } }
    }

    /// Returns the score of a static verdict: a loss in the position, or a win by the move `m`.
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
        // If only `m` loses, nothing is proven about the position.
        result.filter(|&score| score >= PROVEN)
    }

    /// Looks for a VCF, then for a VCT, before the first iteration. A winning move
    /// comes to the front of `moves`. Helper threads do nothing.
    pub(super) fn forced_win(
        &mut self,
        moves: &mut Vec<RootMove>,
        request: &Request,
        thread: usize,
    ) -> Option<Answer> {
        if thread > 0 || self.exclusions.is_some() {
            return None;
        }
        // The solvers may use half of the time left. Usually their node limits end them
        // long before that.
        let (hard, max_nodes) = (self.shared.hard(), self.shared.max_nodes());
        let by_time = hard.as_millis().saturating_mul(ROOT_SOLVER_NODES_PER_MS.into());
        let by_time = u64::try_from(by_time).unwrap_or(u64::MAX);
        let elapsed = self.shared.elapsed();
        let until = elapsed + hard.saturating_sub(elapsed) / 2;
        let nodes = ROOT_SOLVER_NODES.min(by_time).min(max_nodes);
        if let Some((m, plies)) = self.solve_until(nodes, until) {
            return self.promote_win(moves, request, (m, plies), 0);
        }
        let share = max_nodes / 100 * self.params.prove_share as u64;
        let nodes = (self.params.prove_first as u64).min(by_time).min(share);
        self.root_vct(moves, request, 0, nodes, until)
    }

    /// Looks for a VCT by proof-number search at the root.
    fn root_vct(
        &mut self,
        moves: &mut Vec<RootMove>,
        request: &Request,
        depth: i32,
        nodes: u64,
        until: Duration,
    ) -> Option<Answer> {
        let before = self.nodes;
        let found = self.vct_until(nodes, until);
        self.proof_nodes += self.nodes - before;
        self.promote_win(moves, request, found?, depth)
    }

    /// Moves the winning move `m` to the front. Adds it if it is not of
    /// [`GenType::Main`](crate::game::GenType::Main): the solver of Connect6 may win by stones far
    /// from others. `None` if the request does not allow it.
    fn promote_win(
        &mut self,
        moves: &mut Vec<RootMove>,
        request: &Request,
        (m, plies): (Move, usize),
        depth: i32,
    ) -> Option<Answer> {
        let at = match moves.iter().position(|r| r.m == m) {
            Some(at) => at,
            None if self.may_be_added(m, request) => {
                moves.push(RootMove::new(m));
                moves.len() - 1
            }
            None => return None,
        };
        moves[..=at].rotate_right(1);
        moves[0].score = win_in(plies);
        // A solver examined at least this move, so the depth is at least 1.
        let depth = depth.max(1);
        (moves[0].last_score, moves[0].depth) = (moves[0].score, depth);
        moves[0].pv = vec![m];
        Some(self.answer(&moves[0].clone(), depth))
    }

    /// Whether a move that is not of [`GenType::Main`](crate::game::GenType::Main) may be a
    /// root move.
    fn may_be_added(&mut self, m: Move, request: &Request) -> bool {
        request.root_moves.is_empty()
            && !request.exclusions.root_moves.contains(&m.cell())
            && self.position.is_pseudo_legal(m)
            && self.position.is_legal(m)
    }

    /// Spends a share of the nodes on proof-number search: half at the root, half at
    /// the positions along the PV `pv`. A win found along the PV is stored in the
    /// transposition table: in the next iteration its move is tried first at PV nodes, and
    /// its score cuts off null-window nodes. Returns the answer if the root is won.
    pub(super) fn root_and_pv_vct(
        &mut self,
        moves: &mut Vec<RootMove>,
        request: &Request,
        pv: &[Move],
        depth: i32,
    ) -> Option<Answer> {
        let share = self.nodes * self.params.prove_share as u64 / 100;
        let left = share.saturating_sub(self.proof_nodes);
        if left < LEAST_PROOF || self.exclusions.is_some() {
            return None;
        }
        if let Some(answer) = self.root_vct(moves, request, depth, left / 2, Duration::MAX) {
            return Some(answer);
        }
        let before = self.nodes;
        let length = pv.len().min(self.params.prove_line as usize);
        let mut played = 0;
        for &m in &pv[..length] {
            if self.shared.stopped() {
                break;
            }
            self.position.make(m);
            played += 1;
            if self.position.outcome().is_none() {
                self.vct(left / 2 / length as u64);
            }
        }
        for _ in 0..played {
            self.position.unmake();
        }
        self.proof_nodes += self.nodes - before;
        None
    }

    /// Root move check of a move that is about to become the best: the score of its
    /// loss, if proof-number search finds a VCT of the opponent after it.
    pub(super) fn root_move_check(&mut self, m: Move) -> Option<Score> {
        let nodes =
            (self.nodes * self.params.prove_root_move as u64 / 100).min(ROOT_MOVE_CHECK_NODES);
        if nodes < LEAST_PROOF || self.exclusions.is_some() {
            return None;
        }
        let mover = self.position.to_move();
        self.position.make(m);
        // If the turn continues, the solver would look for a win of the same side.
        let answers = self.position.to_move() != mover && self.position.outcome().is_none();
        let won = if answers { self.vct(nodes) } else { None };
        self.position.unmake();
        won.map(|(_, plies)| loss_in(plies + 1))
    }
}

#[cfg(test)]
#[path = "forced_tests.rs"]
mod tests;
