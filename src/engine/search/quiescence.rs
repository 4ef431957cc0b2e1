//! Quiescence search beyond the horizon: the side to move stands pat or plays a strong
//! four.
//! Only a threatened five must be answered.

use super::table_score::{cuts, from_table, score_of, to_table};
use super::worker::Worker;
use crate::game::{GenType, MoveList, Position, Scored, ThreatLevel};
use crate::tt::{Bound, Entry};
use goren_core::types::{INFINITE, MAX_PLY, Move, PROVEN, Score, loss_in};

impl<P: Position> Worker<'_, P> {
    /// Score for the side to move of a position `quiescence_ply` plies beyond the
    /// horizon; as for [`Worker::alpha_beta`] it is fail-soft, and means nothing if
    /// the search was stopped.
    pub fn quiescence(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        quiescence_ply: usize,
    ) -> Score {
        // 1. Return without a search: stop, end of the game, static verdict, known
        // result, maximum ply.
        if let Some(score) = self.score_without_search(ply) {
            return score;
        }

        // 2. Transposition table probe and cutoff, in an open window too.
        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        if let Some(e) = entry {
            let score = from_table(e.score, ply);
            if cuts(e.bound, score, alpha, beta) {
                return score;
            }
        }

        // 3. Stand pat, unless a five must be answered.
        let must_answer = self.position.threat_level() == ThreatLevel::Immediate;
        let mut best = -INFINITE;
        let mut eval = 0;
        if !must_answer {
            eval = entry.map_or_else(|| self.evaluate(), |e| e.eval);
            best = eval;
            if best >= beta || quiescence_ply >= self.params.quiescence_plies as usize {
                return best;
            }
            alpha = alpha.max(best);
        }

        // 4. Search strong fours; under a threatened five, all moves that stop it.
        let mut moves = MoveList::new();
        let gen_type = if must_answer { GenType::Main } else { self.fours(quiescence_ply) };
        self.position.moves(gen_type, &mut moves);
        moves.sort_unstable_by_key(|entry| (-entry.score, entry.m));
        let mut best_move = Move::NONE;
        for &Scored { m, .. } in &moves {
            if !self.position.is_legal(m) || self.in_exclusions(m) {
                continue;
            }
            let score = self.quiescence_after(m, (alpha, beta), ply, quiescence_ply);
            if self.shared.stopped() {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, m);
                if score >= beta {
                    break;
                }
                alpha = alpha.max(score);
            }
        }
        if best <= -PROVEN && self.exclusions.is_some() {
            // Moves that were not tried may be better (`Worker::rest_loses`).
            eval = self.evaluate();
            best = eval;
        } else if best == -INFINITE {
            // Every move that stops the five is a foul.
            best = loss_in(ply + 2);
        }

        // 5. Store in the transposition table.
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let score = to_table(best, ply);
        self.shared
            .table
            .store(key, Entry { best: best_move, score, eval, depth: 0, bound, pv: false });
        best
    }

    /// Score of a move, for the side to move before it.
    #[inline(always)]
    fn quiescence_after(
        &mut self,
        m: Move,
        (alpha, beta): (Score, Score),
        ply: usize,
        quiescence_ply: usize,
    ) -> Score {
        let mover = self.position.to_move();
        self.shared.table.prefetch(self.position.key_after(m));
        self.position.make(m);
        let score = if self.position.to_move() != mover {
            -self.quiescence(-beta, -alpha, ply + 1, quiescence_ply + 1)
        } else {
            self.quiescence(alpha, beta, ply + 1, quiescence_ply + 1)
        };
        self.position.unmake();
        score
    }

    /// The fours to try `quiescence_ply` plies beyond the horizon.
    #[inline]
    fn fours(&self, quiescence_ply: usize) -> GenType {
        if quiescence_ply < self.params.quiescence_plain_fours as usize {
            GenType::Fours
        } else {
            GenType::StrongFours
        }
    }

    /// Counts a node and returns its score if it is not searched: a static result, the
    /// static evaluation at the maximum ply, or 0, which means nothing, if the search
    /// must stop.
    #[inline(always)]
    pub fn score_without_search(&mut self, ply: usize) -> Option<Score> {
        if self.count_node(ply) {
            return Some(0);
        }
        match self.static_result(ply) {
            None if ply >= MAX_PLY - 1 => Some(self.evaluate()),
            result => result,
        }
    }

    /// The score of a position that needs no search: end of the game, static
    /// verdict, known result. With exclusions only the end of the game counts.
    #[inline]
    pub fn static_result(&mut self, ply: usize) -> Option<Score> {
        if let Some(outcome) = self.position.outcome() {
            return Some(score_of(outcome, self.position.to_move(), ply));
        }
        if self.exclusions.is_some() {
            return None;
        }
        match self.position.verdict().score(ply) {
            None => self.shared.known_results.at(ply, || self.position.key()),
            score => score,
        }
    }
}
