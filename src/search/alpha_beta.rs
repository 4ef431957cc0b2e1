//! Principal variation search, one node: numbered steps from the cheapest
//! answer to the dearest.

use super::params::*;
use super::picker::Picker;
use super::quiescence::{cuts, from_table, to_table};
use super::worker::Worker;
use crate::game::{Kind, Position, Pressure};
use crate::tt::{Bound, Entry};
use crate::types::{INFINITE, MAX_PLY, Move, PROVEN, Score, loss_in, win_in};

impl<P: Position> Worker<'_, P> {
    /// Score of the position at `depth`, exact within the window. `PV` says
    /// that the window is open; `cut` that a cutoff is expected.
    pub fn alpha_beta<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        // 1. The horizon.
        if PV {
            self.lines[ply].clear();
        }
        if depth <= 0 {
            return self.quiescence(alpha, beta, ply, 0);
        }

        // 2. The end of the game, of the time, of the stack.
        if self.enter(ply) {
            return 0;
        }
        if let Some(score) = self.known(ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.position.evaluate();
        }

        // 3. No line from here is better than the fastest win left.
        alpha = alpha.max(loss_in(ply + 2));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 4. What the table knows.
        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        let mut table_move = Move::NONE;
        if let Some(e) = entry {
            table_move = e.best;
            let score = from_table(e.score, ply);
            let deep = e.depth >= depth || score.abs() >= PROVEN;
            if !PV && deep && cuts(e.bound, score, alpha, beta) {
                return score;
            }
        }

        // 5. The evaluation, and whether things get better for the mover.
        let pressure = self.position.pressure();
        let eval = match (pressure, entry) {
            (Pressure::Win, _) => None,
            (_, Some(e)) => Some(e.eval),
            (_, None) => Some(self.position.evaluate()),
        };
        self.frames[ply].eval = eval;
        self.frames[ply + 1].killers = [Move::NONE; 2];
        let before = if ply >= 2 { self.frames[ply - 2].eval } else { None };
        let improving = matches!((eval, before), (Some(now), Some(then)) if now > then);

        if let Some(eval) = eval
            && !PV
            && pressure == Pressure::None
            && beta.abs() < PROVEN
        {
            // 6. Reverse futility: so far ahead that nothing quiet changes it.
            let margin = REVERSE_MARGIN * (depth - improving as i32);
            if depth <= REVERSE_DEPTH && eval - margin >= beta {
                return eval;
            }

            // 7. Razoring: so far behind that only fours can help.
            if depth <= RAZOR_DEPTH && eval + RAZOR_BASE + RAZOR_MARGIN * depth <= alpha {
                let score = self.quiescence(alpha, alpha + 1, ply, 0);
                if score <= alpha || score >= PROVEN {
                    return score;
                }
            }
        }

        // 8. Without a move from the table the depth is hardly worth it.
        let mut depth = depth;
        if depth >= IIR_DEPTH && !table_move.is_some() && pressure == Pressure::None {
            depth -= 1;
        }

        // 9. The moves.
        let mover = self.position.to_move();
        let last = self.position.last();
        let mut picker = Picker::new(table_move, self.frames[ply].killers);
        let mut tried = arrayvec::ArrayVec::<Move, 64>::new();
        let mut best = -INFINITE;
        let mut best_move = Move::NONE;
        let mut count = 0;
        let first_alpha = alpha;
        let limit = (COUNT_BASE + (depth as f32).powf(COUNT_POWER)) as i32 / (2 - improving as i32);
        let mut rest = false;
        while let Some(m) = self.next_move(&mut picker, &mut rest, best, count, pressure) {
            if !self.position.is_legal(m) {
                continue;
            }
            count += 1;
            let kind = self.position.kind(m);
            let quiet = kind <= Kind::Lively;

            // 10. Late and hopeless moves are left out, once one is known that
            // does not lose.
            if !PV && best > -PROVEN && pressure == Pressure::None && kind < Kind::Strong {
                if depth <= COUNT_DEPTH && count as i32 > limit && (quiet || kind == Kind::Forcing)
                {
                    continue;
                }
                let margin = FUTILITY_BASE + FUTILITY_MARGIN * depth;
                if depth <= FUTILITY_DEPTH && quiet && eval.is_some_and(|e| e + margin <= alpha) {
                    continue;
                }
            }

            // 11. The answer to a five costs no depth.
            let extended = pressure == Pressure::Win && ply < 2 * self.root_depth as usize;
            let new_depth = depth - 1 + extended as i32;

            self.shared.table.prefetch(self.position.key_after(m));
            self.position.make(m);
            let same = self.position.to_move() == mover;

            // 12. Late moves that are no threats are searched less deep at first.
            let mut reduction = 0;
            if depth >= LMR_DEPTH && count > 1 + PV as usize && quiet {
                reduction = self.reduction(depth, count);
                reduction += cut as i32 - PV as i32;
                reduction -= self.history.get(mover, m) / LMR_HISTORY;
                if pressure != Pressure::None {
                    reduction -= 1;
                }
                reduction = reduction.clamp(0, (new_depth - 1).max(0));
            }

            // 13. A window of nothing first, the full one if it fails.
            let mut score = -INFINITE;
            let mut full = PV && count == 1;
            if !full {
                let d = new_depth - reduction;
                score = self.child::<false>(same, alpha, alpha + 1, d, ply, !cut || reduction > 0);
                if reduction > 0 && score > alpha {
                    score = self.child::<false>(same, alpha, alpha + 1, new_depth, ply, !cut);
                }
                full = PV && score > alpha && score < beta;
            }
            if full {
                score = self.child::<PV>(same, alpha, beta, new_depth, ply, false);
            }
            self.position.unmake();
            if self.shared.stopped() {
                return 0;
            }

            // 14. Better than before?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = m;
                    if PV {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        self.refuted(ply, m, kind, last, &tried, depth);
                        break;
                    }
                    alpha = score;
                }
            }
            if !tried.is_full() && kind < Kind::Forcing {
                tried.push(m);
            }
        }

        // 15. No legal move: under a threat that is a loss; Black with
        // nothing but fouls left loses too.
        if count == 0 {
            best = match pressure {
                Pressure::Win => loss_in(ply + 2),
                // An open four wins in 4 plies, a four and a three in 6.
                Pressure::Threat => loss_in(ply + 6),
                Pressure::None => loss_in(ply + 1),
            };
        }

        // 16. Remember it.
        let bound = match () {
            () if best >= beta => Bound::Lower,
            () if PV && best > first_alpha => Bound::Exact,
            () => Bound::Upper,
        };
        self.shared.table.store(
            key,
            Entry {
                best: best_move,
                score: to_table(best, ply),
                eval: eval.unwrap_or(0),
                depth,
                bound,
                pv: PV,
            },
        );
        best
    }

    /// The next move to try. When all that are worth a search lose, those that
    /// were left out are tried as well before the loss is believed.
    fn next_move(
        &mut self,
        picker: &mut Picker,
        rest: &mut bool,
        best: Score,
        count: usize,
        pressure: Pressure,
    ) -> Option<Move> {
        let next = picker.next(&mut self.position, self.history);
        if next.is_some() || *rest || pressure != Pressure::None {
            return next;
        }
        if count > 0 && best > -PROVEN {
            return None;
        }
        *rest = true;
        picker.open_rest(&mut self.position);
        picker.next(&mut self.position, self.history)
    }

    /// Score of the position after a move, for the side that made it.
    #[inline]
    pub fn child<const PV: bool>(
        &mut self,
        same: bool,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        if same {
            self.alpha_beta::<PV>(alpha, beta, depth, ply + 1, cut)
        } else {
            -self.alpha_beta::<PV>(-beta, -alpha, depth, ply + 1, cut)
        }
    }

    /// A move cut off its siblings.
    fn refuted(
        &mut self,
        ply: usize,
        m: Move,
        kind: Kind,
        last: Option<crate::types::Cell>,
        tried: &[Move],
        depth: i32,
    ) {
        if kind >= Kind::Forcing {
            return;
        }
        let killers = &mut self.frames[ply].killers;
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
        self.history.reward(self.position.to_move(), m, last, tried, depth);
    }
}
