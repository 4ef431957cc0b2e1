//! Passes, in games that have them ([`Position::PASSES`]): the last choice of a side that
//! loses with every stone, as where each cell that is left is a foul or opens a win.
//!
//! Two passes in a row end the game with a draw. So a pass wins nothing, and a side that has
//! been passed to never loses. Everything else follows from that:
//!
//! - The score of a pass is at most 0, and a pass need not be searched while a stone is not
//!   proven to lose.
//! - Who loses with every stone after a pass, passes too: a draw.
//! - A win is a win whether or not a pass came before it, and a loss after a pass counts as
//!   the draw that it is. So the keys of the transposition table tell nothing of passes.
//!
//! A pass does not help against a threat that [`Position::threat_level`] tells, or the VCF of
//! a relevance zone: both are what the opponent wins by if the side to move passes. So static
//! verdicts and solvers, which prove wins by threats alone, need not ask for passes.
//!
//! In the first plies of a game nobody may pass yet. The search does not know that: a loss
//! of that time may stay unproven. With excluded moves it searches no passes, as its scores
//! are of the moves that are left.
//!
//! Below the root a pass that follows a pass is scored as a draw. At a root that a pass led
//! to it is left to the caller, which can compare it with the score of the stones.

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

    /// The score of a pass at a node all of whose stones lose. Meaningless if the search was
    /// stopped.
    pub(super) fn pass_score<const PV: bool>(&mut self, node: &Node, alpha: Score) -> Score {
        if self.passes.led_to == Some(node.ply) {
            return 0;
        }
        let window = (alpha, node.beta);
        self.search_pass::<PV>(window, node.depth - ONE, node.ply, !PV && !node.cut_node)
    }

    /// Searches the position after a pass to `depth`; the score is for the side that passes.
    /// `ply` is that of the node before it, `cut_node` is of the node after it.
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
        // Whether it is worth more than a draw makes no difference.
        let score = self.child::<PV>(false, alpha.min(0), beta.min(1), depth, ply, cut_node);
        self.position.unmake_pass();
        self.passes.led_to = before;
        score.min(0)
    }

    /// Notes whether a pass is to be searched at the root, whose exclusions are set. If the
    /// request names or excludes root moves, the score is of the moves that are left.
    pub(super) fn note_root_pass(&mut self, request: &Request) {
        self.passes.allowed = P::PASSES
            && self.passes.led_to.is_none()
            && request.root_moves.is_empty()
            && request.exclusions.root_moves.is_empty()
            && self.exclusions.is_none()
            && self.position.begins_turn()
            && self.position.threat_level() == ThreatLevel::None;
    }

    /// Searches a pass at the root after an iteration of `depth` plies, if that has proven
    /// that all stones lose: if `best`, the score of the best of them, is a loss.
    pub(super) fn search_root_pass(&mut self, best: Score, depth: i32) {
        let before = self.passes.score.take();
        if !self.passes.allowed || best > -PROVEN {
            return;
        }
        let window = (-INFINITE, INFINITE);
        let score = self.search_pass::<true>(window, (depth - 1) * ONE, 0, false);
        self.passes.score = if self.shared.stopped() {
            // What the iteration before found still holds. Where it found a stone that does
            // not lose, nothing is known of the pass but that it may draw.
            before.or_else(|| Some(self.evaluate().min(0)))
        } else {
            Some(score)
        };
    }

    /// Whether in the last iteration all stones lost at the root, but not a pass.
    pub(super) fn pass_saves(&self) -> bool {
        self.passes.score.is_some_and(|score| score > -PROVEN)
    }

    /// An answer whose score is that of the best stone, with the score of a pass if the stone
    /// loses and the pass does not, or later.
    pub(super) fn or_pass(&self, mut answer: Answer) -> Answer {
        let lost = answer.info.score <= -PROVEN;
        if let Some(score) = self.passes.score.filter(|&score| lost && score > answer.info.score) {
            answer.info.score = score;
            // The rest of the PV is of another score.
            answer.info.pv.truncate(1);
            if self.pass_saves() {
                answer.info.basis = Basis::Pass;
            }
        }
        answer
    }

    /// Iterative deepening of a pass at a root where every stone is a foul. `foul` is the
    /// answer with the score of a foul; it stays where a pass is not searched.
    pub(super) fn foul_or_pass(
        &mut self,
        request: &Request,
        time: Option<&TimeInfo>,
        foul: Answer,
    ) -> Answer {
        // Who wants only a move gets the foul, or passes without asking. Helper threads have
        // no time limit of their own.
        if !self.passes.allowed || request.move_only || time.is_none() {
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
