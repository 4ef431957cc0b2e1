//! The root, where more than one line is wanted.
//!
//! Every line is searched for itself, about its own score; then each of the
//! other moves has to be better than the last of the lines to become one. Most
//! of the work is in the lines, so those behind the best are searched at every
//! second depth only, and no wider than a move that is held against the best.
//! A line that is proven is not searched again, and one that is hopeless only
//! asked whether it still is.

use std::cmp::Reverse;

use super::report::{Answer, Report, RootEvent};
use super::request::Request;
use super::root::{RootMove, TimeManager, deepest};
use super::time::Stability;
use super::worker::Worker;
use crate::game::{MoveClass, Position, ThreatLevel};
use goren_core::types::{INFINITE, Move, PROVEN, Score, win_in};

/// Up to this depth every iteration searches all lines.
const EACH_DEPTH: i32 = 4;

/// Whether a score is proven and no search of so many plies can better it.
fn settled(score: Score, depth: i32) -> bool {
    score.abs() >= PROVEN && score != -INFINITE && win_in(depth as usize) <= score.abs()
}

/// Points behind the best line from which a losing line is hopeless.
const FAR_BEHIND: Score = 600;
/// Largest score of a hopeless line.
const LOSING: Score = -300;

/// Scores up to this are not told apart any more once they are known: that a
/// line is worth no more is all that deeper iterations ask. Where the best
/// line itself loses there are none.
fn hopeless(best: Score) -> Score {
    (best - FAR_BEHIND).min(LOSING)
}

impl<P: Position> Worker<'_, P> {
    /// Searches the best lines deeper and deeper. `answer` is what is known
    /// without a search.
    pub(super) fn deepen_lines(
        &mut self,
        request: &Request,
        time_manager: &TimeManager,
        mut moves: Vec<RootMove>,
        mut answer: Answer,
    ) -> Answer {
        // Where a threat must be met all other moves lose.
        let pressed = self.position.threat_level() != ThreatLevel::None;
        let mut complete = !request.root_moves.is_empty();
        if moves.len() < request.multi_pv && !complete {
            complete = true;
            self.add_rest(&mut moves, &request.exclusions.here);
        }
        let mut stability = Stability::new(time_manager.previous);
        if let Some(won) = self.forced_win(&mut moves, 0) {
            answer = won;
        }
        let count = request.multi_pv.min(moves.len());
        let deepest = deepest(request);
        for depth in 1..=deepest {
            self.root_depth = depth;
            self.seldepth = 0;
            // Of two deep iterations one follows the best line alone.
            let mut alone = depth > EACH_DEPTH
                && (deepest - depth) % 2 == 1
                && moves[0].last_score.abs() < PROVEN;
            let mut finished = true;
            if alone {
                let lines = moves[..count].to_vec();
                finished = self.aspirate(&mut moves, depth, lines[0].last_score);
                // Of the others this depth says no more than that they are not
                // better. A loss has to be believed by all lines.
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
                finished = self.search_lines(&mut moves[..count], depth)
                    && self.search_others(&mut moves, count, count, depth);
                if finished && moves[count - 1].last_score <= -PROVEN && !complete && !pressed {
                    // Before a loss is believed the moves not worth a search
                    // are tried as well.
                    complete = true;
                    let searched = moves.len();
                    self.add_rest(&mut moves, &request.exclusions.here);
                    finished = self.search_others(&mut moves, count, searched, depth);
                }
            }
            if !finished {
                // The lines of the iteration before stand.
                break;
            }
            answer = self.tell_lines(&mut moves[..count]);
            if answer.info.score < PROVEN
                && self.check_line(&mut moves, &answer.info.pv, depth).is_some()
            {
                answer = self.tell_lines(&mut moves[..count]);
            }
            let elapsed = self.shared.elapsed();
            // What is proven in one line says nothing of the others.
            let undecided = moves[..count].iter().find(|m| m.last_score.abs() < PROVEN);
            stability.note(answer.best, undecided.unwrap_or(&moves[count - 1]).last_score, elapsed);
            let all = moves[..count].iter().all(|m| settled(m.last_score, depth));
            if all || !time_manager.budget.keep_going(elapsed, &stability) {
                break;
            }
        }
        self.close(answer)
    }

    /// Searches each of the lines for itself and sorts them. False if it was
    /// cut short.
    fn search_lines(&mut self, lines: &mut [RootMove], depth: i32) -> bool {
        for i in 0..lines.len() {
            let last = lines[i].last_score;
            if settled(last, depth) {
                continue;
            }
            let hopeless = hopeless(lines[0].last_score);
            if i > 0 && last <= hopeless && last > -INFINITE {
                // A loss that is proven remains one.
                if last > -PROVEN {
                    self.search_first(&mut lines[i], i, hopeless, INFINITE, depth);
                }
                if self.shared.stopped() {
                    return false;
                }
                continue;
            }
            self.secondary_pv = i > 0;
            let finished = self.aspirate(&mut lines[i..=i], depth, last);
            self.secondary_pv = false;
            if !finished {
                return false;
            }
        }
        lines.sort_by_key(|line| Reverse(line.last_score));
        true
    }

    /// Holds the moves behind the `count` lines, from the one numbered `from`
    /// on, against the last of the lines; one that is better takes its place
    /// among them. False if it was cut short.
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
            // A line that is not known to lose is better than one that is.
            let lost = worst <= -PROVEN && moves[0].last_score > -PROVEN;
            let alpha = if lost { -PROVEN } else { worst.max(hopeless(moves[0].last_score)) };
            let score = self.search_first(&mut moves[i], i, alpha, INFINITE, depth);
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

    /// Tells all lines; answers with the best.
    fn tell_lines(&mut self, lines: &mut [RootMove]) -> Answer {
        let mut best = None;
        // None has shown to be better than the best at its depth.
        let mut most = INFINITE;
        if let Some(first) = lines.first() {
            self.tell(Report::Root(RootEvent::Best(first.m.cell())));
            most = first.last_score;
        }
        let count = lines.len();
        for (i, line) in lines.iter_mut().enumerate() {
            let score = line.last_score.min(most);
            let mut answer = self.answer(&RootMove { score, ..line.clone() }, line.depth);
            // What was put together once need not be again.
            line.line.clone_from(&answer.info.pv);
            answer.info.pv_index = i;
            answer.info.pv_count = count;
            self.tell(Report::Line(answer.info.clone()));
            best.get_or_insert(answer);
        }
        best.unwrap_or_else(|| self.first_answer(lines))
    }
}
