//! Multi-PV root search.
//!
//! Each PV is searched with an aspiration window around its own score. Each other
//! root move then gets a null-window search against the worst PV and replaces it
//! if it fails high.
//!
//! Most nodes are spent on the PVs. To save some of them, secondary PVs are treated
//! like null-window nodes for LMP, futility pruning and LMR, and after the first few
//! depths they are searched at every second depth only. A PV with a proven score is not
//! searched again once no deeper search can improve it. A hopeless PV only gets a
//! null-window search, which verifies that it still is hopeless.

use std::cmp::Reverse;

use super::report::{Answer, Report, RootEvent};
use super::request::Request;
use super::root::{RootMove, TimeInfo, deepest, proven_within};
use super::time::Stability;
use super::worker::Worker;
use crate::game::{MoveClass, Position};
use goren_core::types::{INFINITE, Move, PROVEN, Score};

/// Up to this depth, in plies, every iteration searches all PVs.
const EACH_DEPTH: i32 = 4;

/// A hopeless PV is at least this many points behind the best PV.
const FAR_BEHIND: Score = 600;
/// Largest score of a hopeless PV.
const LOSING: Score = -300;

/// Returns the largest score of a hopeless PV. If the best PV is a proven loss, none is hopeless.
fn hopeless(best: Score) -> Score {
    (best - FAR_BEHIND).min(LOSING)
}

impl<P: Position> Worker<'_, P> {
    /// Searches several PVs by iterative deepening. Returns `answer` if no iteration is completed.
    pub(super) fn multi_pv_search(
        &mut self,
        request: &Request,
        time: &TimeInfo,
        mut moves: Vec<RootMove>,
        mut answer: Answer,
    ) -> Answer {
        let threat_level = self.position.threat_level();
        let rest_loses = self.rest_loses(threat_level);
        // Whether GenType::Rest need not be added to the root moves.
        let mut complete = !request.root_moves.is_empty();
        if moves.len() < request.multi_pv && !complete {
            complete = true;
            self.add_rest(&mut moves, &request.exclusions.root_moves);
        }
        let mut stability = Stability::new(time.previous);
        if let Some(won) = self.forced_win(&mut moves, request, 0) {
            answer = won;
        }
        let count = request.multi_pv.min(moves.len());
        let deepest = deepest(request);
        for depth in 1..=deepest {
            self.root_depth = depth;
            self.seldepth = 0;
            // Beyond EACH_DEPTH, every second iteration searches the best PV alone, but
            // the deepest one searches all. With EACH_DEPTH 4 and a deepest iteration of
            // 9, the depths 1 to 4, 5, 7 and 9 search all PVs, 6 and 8 the best alone.
            let mut best_only = depth > EACH_DEPTH
                && (deepest - depth) % 2 == 1
                && moves[0].last_score.abs() < PROVEN;
            let mut finished = true;
            if best_only {
                let pvs = moves[..count].to_vec();
                finished = self.aspiration_search(&mut moves, depth, pvs[0].last_score);
                // For the other PVs this search only shows that they are not better, so they keep
                // their order and scores. If it shows that the best move loses, all PVs are
                // searched at this depth.
                best_only = moves[0].last_score > -PROVEN;
                let place = |m: Move| pvs.iter().position(|pv| pv.m == m);
                moves[1..].sort_by_key(|other| place(other.m).unwrap_or(count));
                for other in &mut moves[1..count] {
                    if let Some(at) = place(other.m) {
                        *other = pvs[at].clone();
                    }
                }
            }
            if finished && !best_only {
                finished = self.search_pvs(&mut moves[..count], depth)
                    && self.search_others(&mut moves, count, count, depth);
                if finished && moves[count - 1].last_score <= -PROVEN && !complete && !rest_loses {
                    // A PV loses: search the moves of GenType::Rest too, as one of them
                    // may be better.
                    complete = true;
                    let searched = moves.len();
                    self.add_rest(&mut moves, &request.exclusions.root_moves);
                    finished = self.search_others(&mut moves, count, searched, depth);
                }
            }
            if !finished {
                // Stopped: the answer is that of the previous iteration.
                break;
            }
            self.search_root_pass(moves[0].last_score, depth);
            answer = self.report_pvs(&mut moves[..count]);
            if answer.info.score.abs() < PROVEN
                && self.root_and_pv_vct(&mut moves, request, &answer.info.pv, depth).is_some()
            {
                answer = self.report_pvs(&mut moves[..count]);
            }
            let elapsed = self.shared.elapsed();
            // The time manager sees the best score that is not proven, as it would end
            // the search after a proven one.
            let undecided = moves[..count].iter().find(|m| m.last_score.abs() < PROVEN);
            let open_score = undecided.unwrap_or(&moves[count - 1]).last_score;
            // If only a pass saves the side to move, the score of the pass is still open.
            let open_score = if self.pass_saves() { answer.info.score } else { open_score };
            stability.note(answer.best, open_score, elapsed);
            let all_proven = !self.pass_saves()
                && moves[..count].iter().all(|m| proven_within(m.last_score, depth));
            if all_proven || !time.budget.keep_going(elapsed, &stability) {
                break;
            }
        }
        self.finish(answer)
    }

    /// Searches each PV with its own aspiration window, then sorts them by score.
    /// Returns false if the search was stopped.
    fn search_pvs(&mut self, pvs: &mut [RootMove], depth: i32) -> bool {
        for i in 0..pvs.len() {
            let last = pvs[i].last_score;
            if proven_within(last, depth) {
                continue;
            }
            let hopeless = hopeless(pvs[0].last_score);
            if i > 0 && last <= hopeless && last > -INFINITE {
                // Verify with a null-window search, unless it is a proven loss.
                if last > -PROVEN {
                    self.search_root_move(&mut pvs[i], i, hopeless, INFINITE, depth);
                }
                if self.shared.stopped() {
                    return false;
                }
                continue;
            }
            self.secondary_pv = i > 0;
            let finished = self.aspiration_search(&mut pvs[i..=i], depth, last);
            self.secondary_pv = false;
            if !finished {
                return false;
            }
        }
        pvs.sort_by_key(|root_move| Reverse(root_move.last_score));
        true
    }

    /// Searches the root moves from index `from` on with null windows against the
    /// worst of the `count` PVs; a better move takes its place among the PVs. Returns false if the
    /// search was stopped.
    fn search_others(
        &mut self,
        moves: &mut [RootMove],
        count: usize,
        from: usize,
        depth: i32,
    ) -> bool {
        let limit = self.root_limit(depth);
        for i in from..moves.len() {
            let worst = moves[count - 1].last_score;
            if worst >= PROVEN && proven_within(worst, depth) {
                return true;
            }
            // Late move pruning, unless any move that does not lose would be better.
            let late =
                i as i32 > limit && self.position.move_class(moves[i].m) < MoveClass::StrongFour;
            if late && worst > -PROVEN {
                continue;
            }
            // If the worst PV loses, any move that does not lose is better. As in
            // `Worker::loses`, nothing is pruned by its evaluation then.
            let lost = worst <= -PROVEN && moves[0].last_score > -PROVEN;
            let beyond = -PROVEN - 1;
            let alpha = if lost { beyond } else { worst.max(hopeless(moves[0].last_score)) };
            let score = self.search_root_move(&mut moves[i], i, alpha, INFINITE, depth);
            if self.shared.stopped() {
                return false;
            }
            if score > alpha {
                let place = moves[..count].partition_point(|pv| pv.last_score >= score);
                moves[place..=i].rotate_right(1);
            }
        }
        true
    }

    /// Reports all PVs, best first, and returns the answer with the best.
    fn report_pvs(&mut self, pvs: &mut [RootMove]) -> Answer {
        let mut best = None;
        // Scores of secondary PVs may be of a lower depth: cap them, so that none is
        // reported above the score of the best PV.
        let mut cap = INFINITE;
        if let Some(first) = pvs.first() {
            self.report_progress(Report::Root(RootEvent::Best(first.m.cell())));
            cap = first.last_score;
        }
        let count = pvs.len();
        for (i, root_move) in pvs.iter_mut().enumerate() {
            let score = root_move.last_score.min(cap);
            let mut answer = self.answer(&RootMove { score, ..root_move.clone() }, root_move.depth);
            // Keep the completed PV, so that it is not completed again.
            root_move.pv.clone_from(&answer.info.pv);
            // The best PV has the score of the position, the others have those of their moves.
            if i == 0 {
                answer = self.or_pass(answer);
            }
            answer.info.pv_index = i;
            answer.info.pv_count = count;
            self.report_progress(Report::Pv(answer.info.clone()));
            best.get_or_insert(answer);
        }
        best.unwrap_or_else(|| self.static_answer(pvs))
    }
}
