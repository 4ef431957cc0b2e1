//! The root, where more than one line is wanted.
//!
//! In each iteration the moves are searched once for every line: the best of
//! all, then the best of those that are left, and so on. A line that is proven
//! is not searched again.

use std::cmp::Reverse;

use super::game::{Answer, Limits, Report};
use super::root::{Chief, RootMove, deepest};
use super::time::Stability;
use super::worker::Worker;
use crate::game::{Position, Pressure};
use crate::types::{INFINITE, PROVEN, Score, win_in};

/// Whether a score is proven and no search of so many plies can better it.
fn settled(score: Score, depth: i32) -> bool {
    score.abs() >= PROVEN && score != -INFINITE && win_in(depth as usize) <= score.abs()
}

impl<P: Position> Worker<'_, P> {
    /// Searches the best lines deeper and deeper. `answer` is what is known
    /// without a search.
    pub(super) fn deepen_lines(
        &mut self,
        limits: &Limits,
        chief: &Chief,
        mut moves: Vec<RootMove>,
        mut answer: Answer,
    ) -> Answer {
        // Where a threat must be met all other moves lose.
        let pressed = self.position.pressure() != Pressure::None;
        let mut complete = !limits.root_moves.is_empty();
        if moves.len() < limits.multi_pv && !complete {
            complete = true;
            self.add_rest(&mut moves, &limits.bans.here);
        }
        let mut stability = Stability::new(chief.previous, false);
        if let Some(won) = self.forced_win(&mut moves, 0) {
            answer = won;
        }
        let deepest = deepest(limits);
        for depth in 1..=deepest {
            self.root_depth = depth;
            self.seldepth = 0;
            let mut line = 0;
            while line < limits.multi_pv.min(moves.len()) {
                let last = moves[line].known;
                // A move that loses may only look like the best of the rest.
                if last >= PROVEN && settled(last, depth) {
                    line += 1;
                    continue;
                }
                if !self.aspirate(&mut moves[line..], depth, last) {
                    break;
                }
                if moves[line].known <= -PROVEN && !complete && !pressed {
                    // Before a loss is believed the moves not worth a search
                    // are tried as well.
                    complete = true;
                    self.add_rest(&mut moves, &limits.bans.here);
                    continue;
                }
                line += 1;
                moves[..line].sort_by_key(|m| Reverse(m.known));
            }
            let count = limits.multi_pv.min(moves.len());
            if line < count {
                // The lines of the iteration before stand.
                break;
            }
            answer = self.tell_lines(&moves[..count], depth);
            if answer.info.score < PROVEN
                && self.check_line(&mut moves, &answer.info.pv, depth).is_some()
            {
                answer = self.tell_lines(&moves[..count], depth);
            }
            let elapsed = self.shared.elapsed();
            // What is proven in one line says nothing of the others.
            let undecided = moves[..count].iter().find(|m| m.known.abs() < PROVEN);
            stability.note(answer.best, undecided.unwrap_or(&moves[count - 1]).known, elapsed);
            let all = moves[..count].iter().all(|m| settled(m.known, depth));
            if all || !chief.budget.keep_going(elapsed, &stability) {
                break;
            }
        }
        self.close(answer)
    }

    /// Tells all lines; answers with the best.
    fn tell_lines(&mut self, lines: &[RootMove], depth: i32) -> Answer {
        let mut best = None;
        for (i, line) in lines.iter().enumerate() {
            let mut answer = self.answer(&RootMove { score: line.known, ..line.clone() }, depth);
            answer.info.pv_index = i;
            answer.info.pv_count = lines.len();
            self.tell(Report::Line(answer.info.clone()));
            best.get_or_insert(answer);
        }
        best.unwrap_or_else(|| self.first_answer(lines))
    }
}
