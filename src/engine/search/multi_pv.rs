//! Multi-PV root search.
//!
//! Each PV is searched with an aspiration window around its own score. Each other
//! root move then gets a null-window search against the worst PV and replaces it
//! if it fails high. Most of the work is in the PVs, so secondary PVs are searched
//! at every second depth only, and with the pruning of null-window nodes. A proven
//! PV is not searched again, and a hopeless one only checked for staying so.

use std::cmp::Reverse;

use super::report::{Answer, Report, RootEvent};
use super::request::Request;
use super::root::{RootMove, TimeManager, deepest};
use super::time::Stability;
use super::worker::Worker;
use crate::game::{MoveClass, Position, ThreatLevel};
use goren_core::types::{INFINITE, Move, PROVEN, Score, win_in};

/// Up to this depth every iteration searches all PVs.
const EACH_DEPTH: i32 = 4;

/// Whether a score is proven and no search of `depth` plies can improve it.
fn settled(score: Score, depth: i32) -> bool {
    score.abs() >= PROVEN && score != -INFINITE && win_in(depth as usize) <= score.abs()
}

/// Points behind the best PV from which a losing PV is hopeless.
const FAR_BEHIND: Score = 600;
/// Largest score of a hopeless PV.
const LOSING: Score = -300;

/// PVs up to this score are hopeless: deeper iterations only verify that they
/// score no more. If the best PV itself loses, none is hopeless.
fn hopeless(best: Score) -> Score {
    (best - FAR_BEHIND).min(LOSING)
}

impl<P: Position> Worker<'_, P> {
    /// Iterative deepening of several PVs. `answer` is the answer without a
    /// search.
    pub(super) fn multi_pv_search(
        &mut self,
        request: &Request,
        time: &TimeManager,
        mut moves: Vec<RootMove>,
        mut answer: Answer,
    ) -> Answer {
        // Under a threat all moves that do not answer it lose.
        let pressed = self.position.threat_level() != ThreatLevel::None;
        let mut complete = !request.root_moves.is_empty();
        if moves.len() < request.multi_pv && !complete {
            complete = true;
            self.add_rest(&mut moves, &request.exclusions.here);
        }
        let mut stability = Stability::new(time.previous);
        if let Some(won) = self.forced_win(&mut moves, 0) {
            answer = won;
        }
        let count = request.multi_pv.min(moves.len());
        let deepest = deepest(request);
        for depth in 1..=deepest {
            self.root_depth = depth;
            self.seldepth = 0;
            // Every second deep iteration searches the best PV alone.
            let mut alone = depth > EACH_DEPTH
                && (deepest - depth) % 2 == 1
                && moves[0].last_score.abs() < PROVEN;
            let mut finished = true;
            if alone {
                let lines = moves[..count].to_vec();
                finished = self.aspiration_search(&mut moves, depth, lines[0].last_score);
                // The others keep their order: this depth only shows that they are
                // not better. If the best move loses, all PVs are searched again.
                alone = moves[0].last_score > -PROVEN;
                let place = |m: Move| lines.iter().position(|line| line.m == m);
                moves[1..].sort_by_key(|other| place(other.m).unwrap_or(count));
                for other in &mut moves[1..count] {
                    if let Some(at) = place(other.m) {
                        *other = lines[at].clone();
                    }
                }
            }
            if finished && !alone {
                finished = self.search_pvs(&mut moves[..count], depth)
                    && self.search_others(&mut moves, count, count, depth);
                if finished && moves[count - 1].last_score <= -PROVEN && !complete && !pressed {
                    // All moves of GenType::Main lose: search the others before the
                    // loss is believed.
                    complete = true;
                    let searched = moves.len();
                    self.add_rest(&mut moves, &request.exclusions.here);
                    finished = self.search_others(&mut moves, count, searched, depth);
                }
            }
            if !finished {
                // The PVs of the previous iteration stand.
                break;
            }
            answer = self.report_pvs(&mut moves[..count]);
            if answer.info.score < PROVEN
                && self.prove_pv(&mut moves, &answer.info.pv, depth).is_some()
            {
                answer = self.report_pvs(&mut moves[..count]);
            }
            let elapsed = self.shared.elapsed();
            // A proven PV does not settle the others.
            let undecided = moves[..count].iter().find(|m| m.last_score.abs() < PROVEN);
            stability.note(answer.best, undecided.unwrap_or(&moves[count - 1]).last_score, elapsed);
            let all = moves[..count].iter().all(|m| settled(m.last_score, depth));
            if all || !time.budget.keep_going(elapsed, &stability) {
                break;
            }
        }
        self.finish(answer)
    }

    /// Searches each PV with its own window and sorts them. False if the search
    /// was stopped.
    fn search_pvs(&mut self, lines: &mut [RootMove], depth: i32) -> bool {
        for i in 0..lines.len() {
            let last = lines[i].last_score;
            if settled(last, depth) {
                continue;
            }
            let hopeless = hopeless(lines[0].last_score);
            if i > 0 && last <= hopeless && last > -INFINITE {
                // A proven loss need not be checked again.
                if last > -PROVEN {
                    self.search_root_move(&mut lines[i], i, hopeless, INFINITE, depth);
                }
                if self.shared.stopped() {
                    return false;
                }
                continue;
            }
            self.secondary_pv = i > 0;
            let finished = self.aspiration_search(&mut lines[i..=i], depth, last);
            self.secondary_pv = false;
            if !finished {
                return false;
            }
        }
        lines.sort_by_key(|line| Reverse(line.last_score));
        true
    }

    /// Searches the root moves from number `from` on against the worst of the
    /// `count` PVs; a better one becomes a PV. False if the search was stopped.
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
            if worst >= PROVEN && settled(worst, depth) {
                return true;
            }
            let poor =
                i as i32 > limit && self.position.move_class(moves[i].m) < MoveClass::StrongFour;
            if poor && worst > -PROVEN {
                continue;
            }
            // Any move that does not lose is better than a losing PV.
            let lost = worst <= -PROVEN && moves[0].last_score > -PROVEN;
            let alpha = if lost { -PROVEN } else { worst.max(hopeless(moves[0].last_score)) };
            let score = self.search_root_move(&mut moves[i], i, alpha, INFINITE, depth);
            if self.shared.stopped() {
                return false;
            }
            if score > alpha {
                let place = moves[..count].partition_point(|line| line.last_score >= score);
                moves[place..=i].rotate_right(1);
            }
        }
        true
    }

    /// Reports all PVs; answers with the best.
    fn report_pvs(&mut self, lines: &mut [RootMove]) -> Answer {
        let mut best = None;
        // Scores of different depths: none is reported above the best.
        let mut most = INFINITE;
        if let Some(first) = lines.first() {
            self.report_progress(Report::Root(RootEvent::Best(first.m.cell())));
            most = first.last_score;
        }
        let count = lines.len();
        for (i, line) in lines.iter_mut().enumerate() {
            let score = line.last_score.min(most);
            let mut answer = self.answer(&RootMove { score, ..line.clone() }, line.depth);
            // A completed PV need not be completed again.
            line.pv.clone_from(&answer.info.pv);
            answer.info.pv_index = i;
            answer.info.pv_count = count;
            self.report_progress(Report::Line(answer.info.clone()));
            best.get_or_insert(answer);
        }
        best.unwrap_or_else(|| self.static_answer(lines))
    }
}
