//! What the root knows without a search of its own: what the board shows, wins
//! by fours, and wins by threats, sought before the search and beside it.

use std::time::Duration;

use super::params::{ROOT_MOVE_CHECK_NODES, ROOT_SOLVER_NODES, ROOT_SOLVER_NODES_PER_MS};
use super::report::{Answer, Basis, Info};
use super::request::Request;
use super::root::{RootMove, TimeManager};
use super::worker::Worker;
use crate::game::Position;
use crate::threat::Verdict;
use goren_core::types::{Move, PROVEN, Score, loss_in, win_in};

/// Nodes below which the share of the proofs is saved up: a mere look at the
/// moves of the positions in question costs about as many.
const LEAST_PROOF: u64 = 300;
/// Most nodes of the look at the only move there is to play.
const BRIEF_NODES: u64 = 500;
/// The longest time it takes, and the largest part of the time there is: one in
/// so many.
const BRIEF_TIME: Duration = Duration::from_millis(2);
const BRIEF_PART: u32 = 10;

impl<P: Position> Worker<'_, P> {
    /// Where one move is all there is to play, and nothing but a move is asked
    /// for, the search becomes a brief look, so that the move comes at once,
    /// with what that look shows.
    pub(super) fn be_brief(
        &mut self,
        request: &Request,
        time_manager: &Option<TimeManager>,
        moves: &[RootMove],
    ) {
        // Without a clock there is no time to be saved.
        let timed = time_manager.as_ref().is_some_and(|c| c.budget.hard != Duration::MAX);
        if request.move_only && timed && moves.len() == 1 {
            self.basis = Basis::Brief;
            let elapsed = self.shared.elapsed();
            let left = self.shared.hard().saturating_sub(elapsed);
            let time = BRIEF_TIME.min(left / BRIEF_PART);
            self.shared.tighten(elapsed + time, BRIEF_NODES);
        }
    }

    /// What is known without a search.
    pub(super) fn first_answer(&mut self, moves: &[RootMove]) -> Answer {
        let best = moves.first().map_or(Move::NONE, |first| first.m);
        let seen = if best.is_some() { self.seen(best) } else { None };
        let score = seen.unwrap_or_else(|| self.evaluate());
        let pv = moves.first().map_or(Vec::new(), |first| self.whole_line(&first.line, score));
        let elapsed = self.shared.elapsed();
        // To see it the move was looked at.
        let depth = seen.is_some() as u32;
        Answer { best, info: Info { depth, seldepth: depth, score, elapsed, pv, ..Info::NOTHING } }
    }

    /// What the board shows of the position to be proven without any search, if
    /// its best move is `m`.
    fn seen(&mut self, m: Move) -> Option<Score> {
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
        // Where it loses another may not.
        result.filter(|&score| score >= PROVEN)
    }

    /// Looks for a win by fours and by threats before anything else.
    pub(super) fn forced_win(&mut self, moves: &mut [RootMove], helper: usize) -> Option<Answer> {
        if helper > 0 || self.exclusions.is_some() {
            return None;
        }
        // As a rule the nodes are so few that the search keeps most of its time.
        // Where they are slow, half of it.
        let (hard, max_nodes) = (self.shared.hard(), self.shared.max_nodes());
        let timed = hard.as_millis().saturating_mul(ROOT_SOLVER_NODES_PER_MS.into());
        let timed = u64::try_from(timed).unwrap_or(u64::MAX);
        let elapsed = self.shared.elapsed();
        let until = elapsed + hard.saturating_sub(elapsed) / 2;
        let nodes = ROOT_SOLVER_NODES.min(timed).min(max_nodes);
        if let Some((m, plies)) = self.solve_until(nodes, until) {
            return self.won(moves, m, plies, 0);
        }
        let share = max_nodes / 100 * self.params.prove_share as u64;
        let nodes = (self.params.prove_first as u64).min(timed).min(share);
        self.proven_win(moves, 0, nodes, until)
    }

    /// Looks for a win by threats within some nodes.
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
        self.won(moves, m, plies, depth)
    }

    /// A move is known to win: it comes to the front.
    fn won(&mut self, moves: &mut [RootMove], m: Move, plies: usize, depth: i32) -> Option<Answer> {
        let at = moves.iter().position(|r| r.m == m)?;
        moves[..=at].rotate_right(1);
        moves[0].score = win_in(plies);
        (moves[0].last_score, moves[0].depth) = (moves[0].score, depth);
        moves[0].line = vec![m];
        // A solver looked at the move at least.
        Some(self.answer(&moves[0].clone(), depth.max(1)))
    }

    /// Spends a share of the nodes on proofs: half of them on the position
    /// itself, half on those of the best line, where a win that is found goes
    /// to the table and so mends the next iteration.
    pub(super) fn check_line(
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
        let mut made = 0;
        for &m in &line[..length] {
            if self.shared.stopped() {
                break;
            }
            self.position.make(m);
            made += 1;
            if self.position.outcome().is_none() {
                self.prove(left / 2 / length as u64);
            }
        }
        for _ in 0..made {
            self.position.unmake();
        }
        self.proving += self.nodes - before;
        None
    }

    /// The loss that a move about to become the best is seen to be, if the
    /// enemy wins by threats after it.
    pub(super) fn loses_to_threats(&mut self, m: Move) -> Option<Score> {
        let nodes =
            (self.nodes * self.params.prove_root_move as u64 / 100).min(ROOT_MOVE_CHECK_NODES);
        if nodes < LEAST_PROOF || self.exclusions.is_some() {
            return None;
        }
        let mover = self.position.to_move();
        self.position.make(m);
        // Where the turn goes on, what is found would be the mover's own win.
        let answers = self.position.to_move() != mover && self.position.outcome().is_none();
        let won = if answers { self.prove(nodes) } else { None };
        self.position.unmake();
        won.map(|(_, plies)| loss_in(plies + 1))
    }
}

#[cfg(test)]
#[path = "forced_tests.rs"]
mod tests;
