//! Root search for the moves that do not lose (`Request::defend`).

use super::params::ONE;
use super::report::{Answer, Report, RootEvent};
use super::request::Request;
use super::root::{RootMove, TimeInfo, deepest};
use super::time::Stability;
use super::worker::Worker;
use crate::game::Position;
use goren_core::types::PROVEN;

impl<P: Position> Worker<'_, P> {
    /// Searches by iterative deepening. Each iteration first removes the root moves that are proven
    /// to lose, then searches for the best of the others. Returns `answer` if no iteration is
    /// completed.
    pub(super) fn losing_moves_search(
        &mut self,
        request: &Request,
        time: &TimeInfo,
        mut moves: Vec<RootMove>,
        mut answer: Answer,
    ) -> Answer {
        if request.root_moves.is_empty() {
            self.add_rest(&mut moves, &request.exclusions.root_moves);
        }
        let mut stability = Stability::new(time.previous);
        if let Some(won) = self.forced_win(&mut moves, request, 0) {
            answer = won;
        }
        let deepest = deepest(request);
        let mut lost = Vec::new();
        for depth in 1..=deepest {
            self.root_depth = depth;
            self.seldepth = 0;
            let (before, mut remaining) = (moves.len(), Vec::new());
            for root_move in std::mem::take(&mut moves) {
                if !self.shared.stopped() && self.loses(&root_move, depth) {
                    lost.push(root_move);
                } else {
                    remaining.push(root_move);
                }
            }
            moves = remaining;
            if moves.is_empty() {
                // All moves lose. Of those that the previous depths did not refute,
                // search for the one that loses latest.
                moves = lost.split_off(lost.len() - before);
            }
            let last = answer.info.score;
            if self.shared.stopped() || !self.aspiration_search(&mut moves, depth, last) {
                if !moves.iter().any(|m| m.m == answer.best) {
                    // The best move of the previous iteration was removed.
                    answer.best = moves[0].m;
                    answer.info.pv = vec![answer.best];
                }
                break;
            }
            self.search_root_pass(moves[0].score, depth);
            let best_stone = self.answer(&moves[0], depth);
            answer = self.or_pass(best_stone);
            self.report_pv(&answer.info);
            let elapsed = self.shared.elapsed();
            // Hide a proven win from the time manager, which would end the search: it is
            // still open which other moves lose.
            let score = answer.info.score.min(PROVEN - 1);
            stability.note(answer.best, score, elapsed);
            let over = answer.info.score <= -PROVEN;
            if over || !time.budget.keep_going(elapsed, &stability) {
                break;
            }
        }
        self.finish(answer)
    }

    /// Whether a search of `depth` plies proves that a root move loses. Its window lies beyond all
    /// evaluations, so that no evaluation prunes a node or a move: pruning would miss refutations
    /// that threaten nothing.
    fn loses(&mut self, root_move: &RootMove, depth: i32) -> bool {
        let (m, mover) = (root_move.m, self.position.to_move());
        self.report_progress(Report::Root(RootEvent::Begun(m.cell())));
        // This search only proves a loss: it needs no continuation history.
        self.by_ply[0].played = None;
        self.position.make(m);
        let same_side = self.position.to_move() == mover;
        let score = self.null_window(same_side, -PROVEN - 1, (depth - 1) * ONE, 0, false);
        self.position.unmake();
        if self.shared.stopped() {
            return false;
        }
        self.report_searched(m, score);
        score <= -PROVEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{FourInARow, Replay, tuple_family};
    use crate::search::history::History;
    use crate::search::params::Params;
    use crate::search::worker::Shared;
    use crate::tt::Table;
    use goren_core::rules::{self, Contest, OpeningId, Variant};
    use goren_core::types::{Cell, Color, Move, Stone};

    /// White wins on `a5` once `a4` is filled, so Black must not play there. If Black plays on the
    /// right, White does too, which threatens nothing and leaves Black only the left.
    const ROWS: [&str; 5] = [".xox.", ".oxo.", "xxoxx", "oxxoo", "ooxox"];

    #[test]
    fn a_move_that_is_refuted_quietly_loses() {
        let variant = Variant::from_name("four-in-a-row").unwrap();
        let contest = Contest::new(variant).opened(OpeningId::Free).unwrap().on(5, 5).unwrap();
        let weights = tuple_family(variant).unwrap().weights();
        let mut position = FourInARow::new(rules::FourInARow::default(), &contest, weights);
        for (y, row) in ROWS.into_iter().enumerate() {
            for (x, stone) in row.chars().enumerate().filter(|&(_, stone)| stone != '.') {
                let color = if stone == 'x' { Color::Black } else { Color::White };
                position.set_up_stone(Cell::new(x, y), Stone::Of(color));
            }
        }
        position.hand_to(Color::Black, 1);
        let (table, request) = (Table::with_bytes(1 << 20).unwrap(), Request::default());
        let (params, mut history) = (Params::default(), History::default());
        let shared = Shared::new(&position, &table, &request);
        let mut worker = Worker::new(position, &shared, &params, &mut history);
        let [left, right] = [0, 4].map(|x| RootMove::new(Move::at(Cell::new(x, 1))));
        assert!(worker.loses(&left, 1));
        assert!(!worker.loses(&right, 2));
        assert!(worker.loses(&right, 3));
    }
}
