//! Passes, in games that have them ([`Position::PASSES`]): the last resort of a side that
//! loses with every stone, for example if each empty cell is a foul or opens a win.
//!
//! Two passes in a row end the game with a draw. So a pass never wins, and the side to move
//! after a pass never loses. It follows:
//!
//! - The score of a pass is at most 0, and a pass need not be searched while a stone is not
//!   proven to lose.
//! - A side that loses with every stone after a pass passes too: a draw.
//! - A win holds whether or not a pass came before it, and a loss after a pass counts as a
//!   draw. So the keys of the transposition table contain no passes.
//!
//! A pass does not help against a threat ([`Position::threat_level`]) or against the VCF of a
//! relevance zone: with either the opponent wins if the side to move passes. So static
//! verdicts and solvers, which prove wins by threats alone, need not consider passes.
//!
//! In the first plies of a game no side may pass yet. The search does not know this: a loss
//! in these plies may stay unproven. With excluded moves it searches no passes, as its scores
//! refer to the remaining moves.
//!
//! Below the root, a pass that follows a pass is scored as a draw. At a root that a pass led
//! to, a second pass is left to the caller, which can compare it with the score of the stones.

use super::node::Node;
use super::params::ONE;
use super::report::{Answer, Basis};
use super::request::Request;
use super::root::{TimeInfo, deepest, proven_within};
use super::time::Stability;
use super::worker::Worker;
use crate::game::{Position, ThreatLevel};
use goren_core::types::{INFINITE, PROVEN, Score};

impl<P: Position> Worker<'_, P> {
    /// Whether a pass may save a node whose moves so far have scored `best`: all stones are
    /// proven to lose, and the opponent threatens nothing.
    #[inline(always)]
    pub(super) fn pass_may_save(&self, node: &Node, best: Score) -> bool {
        P::PASSES
            && best <= -PROVEN
            && best < node.beta
            && node.no_threat()
            && self.exclusions.is_none()
            && !node.excluded_move.is_some()
            && self.position.begins_turn()
    }

    /// Returns the score of a pass at a node where all stones lose. Meaningless if the search was
    /// stopped.
    pub(super) fn pass_score<const PV: bool>(&mut self, node: &Node, alpha: Score) -> Score {
        if self.passes.led_to == Some(node.ply) {
            return 0;
        }
        let window = (alpha, node.beta);
        self.search_pass::<PV>(window, node.depth - ONE, node.ply, !PV && !node.cut_node)
    }

    /// Searches the position after a pass to `depth`; the score is for the side that passes.
    /// `ply` is that of the node before the pass, `cut_node` is about the node after it.
    fn search_pass<const PV: bool>(
        &mut self,
        (alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        self.by_ply[ply].played = None;
        let before = self.passes.led_to.replace(ply + 1);
        self.position.make_pass();
        // A pass is worth at most a draw, so the window ends there.
        let score = self.child::<PV>(false, alpha.min(0), beta.min(1), depth, ply, cut_node);
        self.position.unmake_pass();
        self.passes.led_to = before;
        score.min(0)
    }

    /// Notes whether to search a pass at the root; the exclusions must be set before. If the
    /// request names or excludes root moves, no pass is searched, as the score refers to the
    /// remaining moves.
    pub(super) fn note_root_pass(&mut self, request: &Request) {
        self.passes.allowed = P::PASSES
            && self.passes.led_to.is_none()
            && request.root_moves.is_empty()
            && request.exclusions.root_moves.is_empty()
            && self.exclusions.is_none()
            && self.position.begins_turn()
            && self.position.threat_level() == ThreatLevel::None;
    }

    /// Searches a pass at the root after an iteration of `depth` plies, if that has proven that all
    /// stones lose: if `best`, the score of the best stone, is a proven loss.
    pub(super) fn search_root_pass(&mut self, best: Score, depth: i32) {
        let before = self.passes.score.take();
        if !self.passes.allowed || best > -PROVEN {
            return;
        }
        let window = (-INFINITE, INFINITE);
        let score = self.search_pass::<true>(window, (depth - 1) * ONE, 0, false);
        self.passes.score = if self.shared.stopped() {
            // The score of the previous iteration still holds. If it has none, as some stone did
            // not lose, nothing is known about the pass but that it may draw: take the
            // evaluation, capped at a draw.
            before.or_else(|| Some(self.evaluate().min(0)))
        } else {
            Some(score)
        };
    }

    /// Whether all stones at the root lost in the last iteration, but a pass did not.
    pub(super) fn pass_saves(&self) -> bool {
        self.passes.score.is_some_and(|score| score > -PROVEN)
    }

    /// Takes the answer with the best stone. If the stone loses, and a pass does not or loses
    /// later, replaces the score by that of the pass.
    pub(super) fn or_pass(&self, mut answer: Answer) -> Answer {
        let lost = answer.info.score <= -PROVEN;
        if let Some(score) = self.passes.score.filter(|&score| lost && score > answer.info.score) {
            answer.info.score = score;
            // The rest of the PV belongs to the score of the stone.
            answer.info.pv.truncate(1);
            if self.pass_saves() {
                answer.info.basis = Basis::Pass;
            }
        }
        answer
    }

    /// Searches a pass by iterative deepening at a root where every stone is a foul. `foul` is the
    /// answer with the score of a foul, which is returned if no pass is searched. For a caller that
    /// needs only a move its score is the static evaluation, capped at a draw, if a pass may draw.
    pub(super) fn foul_or_pass(
        &mut self,
        request: &Request,
        time: Option<&TimeInfo>,
        mut foul: Answer,
    ) -> Answer {
        if request.move_only {
            // The caller gets the foul, or passes by itself. The score of the foul would count
            // as a proven loss of the position.
            if self.passes.allowed || self.passes.led_to.is_some() {
                foul.info.score = self.evaluate().min(0);
            }
            return foul;
        }
        // Helper threads have no time limit of their own.
        if !self.passes.allowed || time.is_none() {
            return foul;
        }
        let mut answer = foul.clone();
        let mut stability = Stability::new(None);
        for depth in 1..=deepest(request) {
            (self.root_depth, self.seldepth) = (depth, 0);
            self.search_root_pass(foul.info.score, depth);
            answer = self.or_pass(foul.clone());
            answer.info.depth = depth as u32;
            let (score, elapsed) = (answer.info.score, self.shared.elapsed());
            stability.note(answer.best, score, elapsed);
            let over = |time: &TimeInfo| !time.budget.keep_going(elapsed, &stability);
            if self.shared.stopped() || proven_within(score, depth) || time.is_some_and(over) {
                break;
            }
        }
        self.finish(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Five, GameVisitor, Tupled, with_game};
    use goren_core::rules::{Contest, Rule, RuleId, Variant, Visitor, with_rule};

    /// Whether the search of a game searches passes.
    struct Searches;

    impl Visitor for Searches {
        type Out = bool;

        fn visit<R: Rule>(self) -> bool {
            <Five<R> as Position>::PASSES
        }
    }

    impl GameVisitor for Searches {
        type Out = bool;

        fn five(self, rule: RuleId) -> bool {
            with_rule(rule, self)
        }

        fn tupled<P: Tupled + 'static>(self, _empty: P) -> bool {
            P::PASSES
        }
    }

    #[test]
    fn passes_are_searched_in_the_games_that_have_them() {
        for variant in Variant::all() {
            let searched = with_game(&Contest::new(variant), None, Searches);
            assert_eq!(searched, variant.sheet().passes, "{variant}");
        }
    }
}
