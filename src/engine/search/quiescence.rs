//! Quiescence search beyond the horizon: the side to move stands pat or plays a strong
//! four, after the first one only on a line with the previous one. Only a threatened five
//! must be answered.

use super::table_score::{cuts, from_table, score_of, to_table};
use super::worker::Worker;
use crate::game::{GenType, MoveList, Position, Scored};
use crate::tt::{Bound, Entry};
use goren_core::types::{Cell, INFINITE, MAX_PLY, Move, PROVEN, Score, loss_in};

/// A node of the quiescence search that has no score yet.
struct Leaf {
    key: u64,
    /// Whether a five must be answered.
    must_answer: bool,
    /// Static evaluation; 0 if a five must be answered.
    eval: Score,
}

impl<P: Position> Worker<'_, P> {
    /// Score for the side to move of a position `quiescence_ply` plies beyond the
    /// horizon; as for [`Worker::alpha_beta`] it is fail-soft, and means nothing if
    /// the search was stopped.
    pub fn quiescence(
        &mut self,
        alpha: Score,
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
        let key = self.key();
        let entry = self.shared.table.probe(key);
        if let Some(score) = entry.and_then(|e| cutoff(e, (alpha, beta), ply)) {
            return score;
        }

        // 3. Static evaluation, unless a five must be answered.
        let must_answer = self.position.must_answer_five();
        let eval = match entry {
            _ if must_answer => 0,
            Some(e) => e.eval,
            None => self.evaluate(),
        };
        self.stand_pat((alpha, beta), ply, quiescence_ply, &Leaf { key, must_answer, eval })
    }

    /// As [`Worker::quiescence`], at a node of [`Worker::alpha_beta`] with known table entry and
    /// evaluation, without a static result and without a five to answer.
    pub fn quiescence_of_node(
        &mut self,
        (alpha, beta): (Score, Score),
        ply: usize,
        entry: Option<Entry>,
        eval: Score,
    ) -> Score {
        if self.count_node(ply) {
            return 0;
        }
        if let Some(score) = entry.and_then(|e| cutoff(e, (alpha, beta), ply)) {
            return score;
        }
        let leaf = Leaf { key: self.key(), must_answer: false, eval };
        self.stand_pat((alpha, beta), ply, 0, &leaf)
    }

    /// Step 4: stand pat, unless a five must be answered; else step 5.
    #[inline(always)]
    fn stand_pat(
        &mut self,
        (alpha, beta): (Score, Score),
        ply: usize,
        quiescence_ply: usize,
        leaf: &Leaf,
    ) -> Score {
        if leaf.must_answer {
            return self.search_fours((alpha, beta), -INFINITE, (ply, quiescence_ply), leaf);
        }
        let best = leaf.eval;
        if best >= beta || quiescence_ply >= self.params.quiescence_plies as usize {
            return best;
        }
        self.search_fours((alpha.max(best), beta), best, (ply, quiescence_ply), leaf)
    }

    /// Steps 5 and 6. Not inlined: most nodes end before, and need no stack space for a list of
    /// moves.
    #[inline(never)]
    fn search_fours(
        &mut self,
        (mut alpha, beta): (Score, Score),
        mut best: Score,
        (ply, quiescence_ply): (usize, usize),
        leaf: &Leaf,
    ) -> Score {
        let &Leaf { key, must_answer, mut eval } = leaf;

        // 5. Search strong fours, after the first one only those on a line with the previous
        // one; under a threatened five, all moves that stop it.
        let mut moves = MoveList::new();
        self.quiescence_moves(must_answer, (ply, quiescence_ply), &mut moves);
        let mut best_move = Move::NONE;
        for &Scored { m, .. } in &moves {
            if !self.position.is_legal(m) || self.in_exclusions(m) {
                continue;
            }
            self.by_ply[ply].four = if must_answer { Move::NONE } else { m };
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
            // Every move that stops the five is a foul, or none stops it.
            best = loss_in(ply + self.plies_to_five());
        }

        // 6. Store in the transposition table.
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let score = to_table(best, ply);
        self.shared
            .table
            .store(key, Entry { best: best_move, score, eval, depth: 0, bound, pv: false });
        best
    }

    /// Returns the score of a move, for the side to move before it.
    #[inline(always)]
    fn quiescence_after(
        &mut self,
        m: Move,
        (alpha, beta): (Score, Score),
        ply: usize,
        quiescence_ply: usize,
    ) -> Score {
        let mover = self.position.to_move();
        self.prefetch_after(m);
        self.position.make(m);
        let score = if self.position.to_move() != mover {
            -self.quiescence(-beta, -alpha, ply + 1, quiescence_ply + 1)
        } else {
            self.quiescence(alpha, beta, ply + 1, quiescence_ply + 1)
        };
        self.position.unmake();
        score
    }

    /// Generates the moves of step 5, best first, into the caller's list, which is too long to be
    /// returned without a copy.
    #[inline(always)]
    fn quiescence_moves(
        &mut self,
        must_answer: bool,
        (ply, quiescence_ply): (usize, usize),
        moves: &mut MoveList,
    ) {
        let gen_type = if must_answer {
            GenType::Main
        } else if quiescence_ply < self.params.quiescence_plain_fours as usize {
            GenType::Fours
        } else {
            GenType::StrongFours
        };
        self.position.moves(gen_type, moves);
        if !must_answer && let Some(previous) = self.previous_four(ply, quiescence_ply) {
            let reach = self.params.quiescence_reach as usize;
            moves.retain(|entry| on_one_line(previous, entry.m.cell(), reach));
        }
        moves.sort_unstable_by_key(|entry| (-entry.score, entry.m));
    }

    /// Returns the cell of the side's previous four, if it played one beyond the horizon two plies
    /// ago. The next four must lie on a line with it: otherwise, on a crowded board, most of the
    /// search would go through independent fours in every order. In games whose turns have several
    /// stones the move two plies ago may be the opponent's, so every four is tried.
    #[inline]
    fn previous_four(&self, ply: usize, quiescence_ply: usize) -> Option<Cell> {
        if P::TURN > 1 || quiescence_ply < 2 {
            return None;
        }
        let four = self.by_ply[ply - 2].four;
        four.is_some().then(|| four.cell())
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

    /// Returns the score of a position that needs no search: end of the game, static verdict, known
    /// result. With exclusions only the end of the game counts.
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

/// Step 2: the score of a table entry, if it is a cutoff in this window.
#[inline(always)]
fn cutoff(entry: Entry, (alpha, beta): (Score, Score), ply: usize) -> Option<Score> {
    let score = from_table(entry.score, ply);
    cuts(entry.bound, score, alpha, beta).then_some(score)
}

/// Whether two cells lie on a row, column or diagonal, at most `reach` cells apart. Lines that wrap
/// around the edge of the board are not followed, which misses a few fours.
#[inline]
fn on_one_line(a: Cell, b: Cell, reach: usize) -> bool {
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    dx.max(dy) <= reach && (dx == dy || dx == 0 || dy == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Five;
    use crate::search::request::Request;
    use crate::{Engine, SearchablePosition, TableHandle};
    use goren_core::rules::{Freestyle, RuleId, Setup};

    /// A crowded board of a game on 20x20, White to move.
    const CROWDED: &str = "n4 m3 k4 o5 m6 o6 r4 l4 n5 n7 o7 o4 n3 n2 k5 p5 q4 k6 m8 n8 q6 q5 o3 m5 r5 r6 \
        n10 p8 p7 o8 o11 p12 p10 o10 n12 m13 m11 r8 q8 k3 j2 l11 p3 s6 i3 j4 i5 i6 h5 g5 l5 j5 k9 j8 \
        j6 s5 q7 k7 n13 i9 l6 n11 o13 l10 o12 m14 p14 q15 l12 k13";

    /// Without the rule of [`Worker::previous_four`] this takes more than 200,000 nodes.
    #[test]
    fn independent_fours_are_not_tried_in_every_order() {
        let setup = Setup::new(RuleId::Freestyle, 20, 20).unwrap();
        let mut position = Five::<Freestyle>::new(setup);
        for name in CROWDED.split_whitespace() {
            let (column, row) = name.split_at(1);
            let (x, y) = (column.as_bytes()[0] - b'a', row.parse::<usize>().unwrap() - 1);
            position.make(Move::at(Cell::new(x as usize, y)));
        }
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 24));
        let request = Request { max_depth: Some(5), ..Request::default() };
        let answer = engine.go(&SearchablePosition(position), &request, &mut |_| {}).unwrap();
        assert!(answer.info.nodes < 100_000, "{}", answer.info.nodes);
    }

    #[test]
    fn cells_on_one_line_are_those_that_steps_reach() {
        let from = Cell::new(9, 8);
        for reach in 1..8 {
            let mut reached = vec![(9, 8)];
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                for step in -reach..=reach {
                    reached.push((9 + step * dx, 8 + step * dy));
                }
            }
            for (x, y) in (0..20).flat_map(|x| (0..20).map(move |y| (x, y))) {
                let on_line = on_one_line(from, Cell::new(x as usize, y as usize), reach as usize);
                assert_eq!(on_line, reached.contains(&(x, y)), "{x} {y} {reach}");
            }
        }
    }
}
