//! Root search for one PV: iterative deepening, aspiration windows, order of the
//! root moves.

use super::history::PlayedMove;
use super::params::ONE;
use super::report::{Answer, Info, Report, RootEvent};
use super::request::Request;
use super::time::{Budget, Stability};
use super::worker::Worker;
use crate::game::{GenType, MoveClass, MoveList, Position, Scored};
use goren_core::types::{Cell, CellSet, INFINITE, MAX_PLY, Move, PROVEN, Score, loss_in, win_in};

/// A root move with its score and PV.
#[derive(Clone)]
pub(super) struct RootMove {
    pub m: Move,
    /// Score of the last search, -[`INFINITE`] if its null-window search failed low or
    /// the move was pruned.
    pub score: Score,
    /// Score of the last search with the open window, -[`INFINITE`] before one; a proven
    /// win stays until a shorter one is found.
    pub last_score: Score,
    /// Depth, in plies, of the last search that found or kept `last_score`.
    pub depth: i32,
    pub pv: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(m: Move) -> RootMove {
        RootMove { m, score: -INFINITE, last_score: -INFINITE, depth: 0, pv: vec![m] }
    }
}

/// Depth of the deepest iteration, in plies.
const MAX_DEPTH: i32 = 120;

/// Depth of the deepest iteration that the request allows, in plies.
pub(super) fn deepest(request: &Request) -> i32 {
    let wanted = request.max_depth.and_then(|depth| i32::try_from(depth).ok());
    wanted.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH))
}

/// Whether a score is a proven win or loss of at most `depth` plies: no deeper search
/// can improve it.
pub(super) fn proven_within(score: Score, depth: i32) -> bool {
    score.abs() >= PROVEN && score != -INFINITE && win_in(depth as usize) <= score.abs()
}

/// Data for the decision of the first search thread when the search ends.
pub struct TimeInfo {
    /// Time limits of this search.
    pub budget: Budget,
    /// Score of the previous search of this game, for the same side.
    pub previous: Option<Score>,
}

impl<P: Position> Worker<'_, P> {
    /// Searches by iterative deepening until a limit is met. `thread` is the number of the thread,
    /// 0 for the first; helper threads have no time manager and search until they are stopped.
    pub fn iterative_deepening(
        &mut self,
        request: &Request,
        thread: usize,
        time: Option<TimeInfo>,
    ) -> Answer {
        // 1. Root moves, and the answer if there is no time for a search.
        self.set_exclusions(&request.exclusions);
        let mut moves = self.root_moves(request);
        let mut answer = self.static_answer(&moves);
        if moves.is_empty() {
            return answer;
        }
        self.note_root_pass(request);
        if !self.position.is_legal(moves[0].m) {
            // Only fouls are left, and a foul loses at once.
            (answer.info.score, answer.info.depth) = (loss_in(1), 1);
            return self.foul_or_pass(request, time.as_ref(), answer);
        }
        // 2. Other root searches, of the first thread alone. Helper threads always search
        // for one PV: what they find reaches the others through the transposition table.
        if let Some(time) = &time {
            if request.defend {
                return self.losing_moves_search(request, time, moves, answer);
            } else if request.multi_pv > 1 {
                return self.multi_pv_search(request, time, moves, answer);
            }
        }
        self.shorten_only_move(request, &time, &moves);
        // Whether moves of GenType::Rest need not be added (`iteration`).
        let threat_level = self.position.threat_level();
        let mut complete = !request.root_moves.is_empty() || self.rest_loses(threat_level);
        let mut stability = Stability::new(time.as_ref().and_then(|t| t.previous));
        // 3. Solvers. The iterations still run: they may find a shorter win.
        if let Some(won) = self.forced_win(&mut moves, request, thread) {
            answer = won;
        }
        let deepest = deepest(request);
        // 4. Iterations. Lazy SMP: every second helper thread starts at depth 2, so
        // that not all threads search the same depth at the same time.
        for depth in 1 + (thread as i32 & 1)..=deepest {
            let excluded = &request.exclusions.root_moves;
            let was_complete = complete;
            let finished = self.iteration(&mut moves, depth, &mut answer, &mut complete, excluded);
            let rest_added = complete && !was_complete;
            // 7. Stopped within the iteration: use its best move so far, if it has one.
            if !finished && !self.has_best_move(&moves[0], depth, &mut answer, rest_added) {
                break;
            }
            let best_stone = self.answer(&moves[0], depth);
            answer = self.or_pass(best_stone);
            if !finished {
                break;
            }
            // 8. First thread only: proof-number search, report, time management.
            let Some(time) = &time else { continue };
            if answer.info.score.abs() < PROVEN
                && let Some(proven) =
                    self.root_and_pv_vct(&mut moves, request, &answer.info.pv, depth)
            {
                self.report_pv(&answer.info);
                answer = proven;
            }
            let elapsed = self.shared.elapsed();
            stability.note(answer.best, answer.info.score, elapsed);
            self.report_pv(&answer.info);
            if proven_within(answer.info.score, depth)
                || !time.budget.keep_going(elapsed, &stability)
            {
                break;
            }
        }
        self.finish(answer)
    }

    /// Runs one iteration, with steps 5 and 6 of [`Worker::iterative_deepening`]; where all stones
    /// lose, it searches a pass too. Returns false if the search was stopped before that.
    ///
    /// `complete` says whether moves of [`GenType::Rest`] need not be added: the request
    /// names the root moves, all moves of [`GenType::Rest`] lose to a threat, or they were
    /// added before.
    fn iteration(
        &mut self,
        moves: &mut Vec<RootMove>,
        depth: i32,
        answer: &mut Answer,
        complete: &mut bool,
        excluded: &[Cell],
    ) -> bool {
        self.root_depth = depth;
        self.seldepth = 0;
        (self.fallback_move, self.fallback_confirmed) = (Move::NONE, false);
        self.alpha_raised = false;
        // If only a pass saves the side to move, the score is not that of the stones.
        let last = if self.pass_saves() { loss_in(0) } else { answer.info.score };
        let mut finished = self.aspiration_search(moves, depth, last);
        if finished && moves[0].score >= PROVEN && answer.info.score < PROVEN {
            // 5. Report a new win at once, then search the same depth again for a
            // shorter one.
            *answer = self.answer(&moves[0], depth);
            self.report_pv(&answer.info);
            finished = self.aspiration_search(moves, depth, answer.info.score);
        }
        if finished && moves[0].score <= -PROVEN && !*complete {
            // 6. All moves of GenType::Main lose: search those of GenType::Rest too before
            // accepting the loss.
            *complete = true;
            self.add_rest(moves, excluded);
            finished = self.aspiration_search(moves, depth, loss_in(0));
        }
        if finished {
            self.search_root_pass(moves[0].score, depth);
        }
        finished
    }

    /// Step 7 of [`Worker::iterative_deepening`]: whether a stopped iteration has a best move so
    /// far, which is then its first move, `best`. It is no worse than the best move of the previous
    /// iteration, which is searched first. Otherwise keeps the answer of the previous iteration, or
    /// replaces it by the fallback.
    ///
    /// An incomplete iteration of depth 1 is discarded: no earlier one has ordered the moves. An
    /// iteration has no best move if its first move was not searched, or failed low and was not
    /// searched again.
    fn has_best_move(
        &self,
        best: &RootMove,
        depth: i32,
        answer: &mut Answer,
        rest_added: bool,
    ) -> bool {
        if depth == 1 {
            return false;
        }
        if best.score <= -PROVEN {
            // The best move turned out to lose, and others are not searched yet: play the fallback
            // and report no loss. If all moves of GenType::Main lose and only moves of
            // GenType::Rest are unsearched, there is no reason to prefer one of these: keep the
            // answer of the previous iteration.
            let was_lost = answer.info.score <= -PROVEN || self.pass_saves();
            if !was_lost && self.fallback_move.is_some() && !rest_added {
                answer.best = self.fallback_move;
                answer.info.pv = vec![self.fallback_move];
            }
            return false;
        }
        self.alpha_raised
    }

    /// Sets the node count and the time of the answer at the end of a search.
    pub(super) fn finish(&mut self, mut answer: Answer) -> Answer {
        self.report_nodes();
        answer.info.nodes = self.shared.nodes.load(std::sync::atomic::Ordering::Relaxed);
        answer.info.elapsed = self.shared.elapsed();
        answer
    }

    /// Returns the root moves, sorted by policy score: those of the request or of [`GenType::Main`]
    /// that are legal and not excluded. If none is left, all other moves are added; failing that,
    /// excluded moves are allowed, then fouls. So the list is empty only where no stone may be
    /// placed, and after the end of the game.
    fn root_moves(&mut self, request: &Request) -> Vec<RootMove> {
        let only = &request.root_moves;
        let mut list = MoveList::new();
        if self.position.outcome().is_none() {
            if only.is_empty() {
                self.position.moves(GenType::Main, &mut list);
            } else {
                // A request may name a cell more than once, or an occupied cell.
                let cells: CellSet = only.iter().copied().collect();
                let free = cells.iter().map(Move::at).filter(|&m| self.position.is_pseudo_legal(m));
                list.extend(free.map(|m| Scored::new(m, 0)));
            }
        }
        let mut legal = self.legal(&list);
        self.retain_allowed(&mut legal, &request.exclusions.root_moves);
        if legal.is_empty() && self.position.outcome().is_none() {
            // All moves generated so far are fouls or excluded.
            if !only.is_empty() {
                list.clear();
                self.position.moves(GenType::Main, &mut list);
            }
            self.position.moves(GenType::Rest, &mut list);
            legal = self.legal(&list);
            let mut allowed = legal.clone();
            self.retain_allowed(&mut allowed, &request.exclusions.root_moves);
            if !allowed.is_empty() {
                legal = allowed;
            }
            if legal.is_empty() {
                legal = list.iter().map(|e| e.m).collect();
                legal.retain(|&m| self.position.is_pseudo_legal(m));
            }
        }
        legal.sort_by_key(|&m| -self.position.policy_score(m));
        legal.into_iter().map(RootMove::new).collect()
    }

    /// Appends the legal moves of [`GenType::Rest`] that are not excluded.
    pub(super) fn add_rest(&mut self, moves: &mut Vec<RootMove>, excluded: &[Cell]) {
        let mut list = MoveList::new();
        self.position.moves(GenType::Rest, &mut list);
        let mut rest = self.legal(&list);
        self.retain_allowed(&mut rest, excluded);
        rest.retain(|&m| moves.iter().all(|other| other.m != m));
        moves.extend(rest.into_iter().map(RootMove::new));
    }

    /// The legal moves of a list.
    fn legal(&mut self, list: &MoveList) -> Vec<Move> {
        list.iter()
            .map(|entry| entry.m)
            .filter(|&m| self.position.is_pseudo_legal(m) && self.position.is_legal(m))
            .collect()
    }

    /// Returns the answer with `best` as the best move, after a search of `depth` plies.
    pub(super) fn answer(&mut self, best: &RootMove, depth: i32) -> Answer {
        self.report_nodes();
        Answer {
            best: best.m,
            info: Info {
                depth: depth as u32,
                seldepth: self.seldepth as u32,
                score: best.score,
                basis: self.basis,
                nodes: self.shared.nodes.load(std::sync::atomic::Ordering::Relaxed),
                elapsed: self.shared.elapsed(),
                pv: self.completed_pv(&best.pv, best.score),
                pv_index: 0,
                pv_count: 1,
            },
        }
    }

    /// Searches one iteration with an aspiration window around `last`, widened on fail high and
    /// fail low; a proven win above the window is not searched again. The best move comes to the
    /// front. Returns false if the search was stopped; the first move is then the best one found so
    /// far.
    pub(super) fn aspiration_search(
        &mut self,
        moves: &mut [RootMove],
        depth: i32,
        last: Score,
    ) -> bool {
        let mut delta = self.params.aspiration;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= self.params.aspiration_depth && last.abs() < PROVEN {
            (alpha, beta) = (last - delta, last + delta);
        }
        loop {
            let score = self.search_root(moves, alpha, beta, depth);
            if self.shared.stopped() {
                return false;
            }
            if score <= alpha {
                self.alpha_raised = false;
                beta = (alpha + beta) / 2;
                alpha = if delta > 400 { -INFINITE } else { score - delta };
            } else if score >= beta && score < PROVEN {
                beta = if delta > 400 { INFINITE } else { score + delta };
            } else {
                return true;
            }
            // At least 1 wider: the growth of a narrow window may round to 0.
            delta = (delta * self.params.aspiration_growth / 100).max(delta + 1);
        }
    }

    /// Searches the root moves and returns the best score. A move that raises alpha
    /// comes to the front.
    fn search_root(
        &mut self,
        moves: &mut [RootMove],
        alpha: Score,
        beta: Score,
        depth: i32,
    ) -> Score {
        let mut alpha = alpha;
        let mut best = -INFINITE;
        let limit = self.root_limit(depth);
        self.by_ply[0].eval = Some(self.evaluate());
        // Reset of step 6, for the nodes below the root.
        self.by_ply[1].killers = [Move::NONE; 2];
        self.by_ply[2].cutoffs = 0;
        for i in 0..moves.len() {
            let m = moves[i].m;
            // Late move pruning, once a searched move is not proven to lose. `i` counts
            // from 0, so one move more than the limit is searched, unlike in the tree.
            if i as i32 > limit
                && best > -PROVEN
                && self.position.move_class(m) < MoveClass::StrongFour
            {
                moves[i].score = -INFINITE;
                continue;
            }
            // Until a fallback is confirmed, it is the move being searched.
            if i > 0 && !self.fallback_confirmed {
                self.fallback_move = m;
            }
            let mut score = self.search_root_move(&mut moves[i], i, alpha, beta, depth);
            if self.shared.stopped() {
                return best;
            }
            // A proven win needs no check.
            if P::CHECKS_ROOT_MOVES
                && i > 0
                && (alpha + 1..PROVEN).contains(&score)
                && let Some(loss) = self.root_move_check(m)
            {
                score = loss;
                (moves[i].score, moves[i].last_score) = (loss, loss);
                moves[i].pv = vec![m];
                self.report_progress(Report::Root(RootEvent::Lost(m.cell())));
            }
            if i > 0 && score > -PROVEN && (score > best || !self.fallback_confirmed) {
                (self.fallback_move, self.fallback_confirmed) = (m, true);
            } else if score <= -PROVEN && m == self.fallback_move {
                self.fallback_confirmed = false;
            }
            if score > best {
                best = score;
                if i == 0 || score > alpha {
                    moves[..=i].rotate_right(1);
                    self.report_progress(Report::Root(RootEvent::Best(m.cell())));
                }
                self.alpha_raised |= score > alpha;
                if score >= beta {
                    break;
                }
                alpha = alpha.max(score);
            }
        }
        best
    }

    /// Move limit of late move pruning at the root, for an iteration of `depth`
    /// plies. Beyond `lmp_depth` there is none, so deep iterations search every move.
    pub(super) fn root_limit(&self, depth: i32) -> i32 {
        if depth <= self.params.lmp_depth {
            self.lmp_limit(depth * ONE, true) * self.params.lmp_root / 100
        } else {
            i32::MAX
        }
    }

    /// Searches root move number `number`, from 0: the first with the open window,
    /// later ones with late move reduction and a null window, and with the open
    /// window if that fails high. Stores the score, and the PV if the move is the
    /// first or raises alpha; a win that was proven before stays, with its PV, if this search
    /// returns a lower score.
    pub(super) fn search_root_move(
        &mut self,
        root_move: &mut RootMove,
        number: usize,
        alpha: Score,
        beta: Score,
        depth: i32,
    ) -> Score {
        let m = root_move.m;
        let mover = self.position.to_move();
        let new_depth = (depth - 1) * ONE;
        let class = self.position.move_class(m);
        let shape = self.position.shape(m);
        self.report_progress(Report::Root(RootEvent::Begun(m.cell())));
        self.by_ply[0].played = Some(PlayedMove { cell: m.cell(), shape });
        self.position.make(m);
        let same_side = self.position.to_move() == mover;
        let mut score = -INFINITE;
        let mut open_window = number == 0;
        if !open_window {
            let mut reduction = 0;
            if depth >= self.params.lmr_depth && number > 2 && class < MoveClass::Threat {
                // `number` counts from 0: one less than in the tree.
                reduction = self.reduction(depth * ONE, number) - self.params.lmr_root;
                reduction = reduction.clamp(0, (depth - 2).max(0) * ONE);
            }
            let d = new_depth - reduction;
            score = self.null_window(same_side, alpha, d, 0, true);
            if reduction > 0 && score > alpha {
                score = self.null_window(same_side, alpha, new_depth, 0, true);
            }
            open_window = score > alpha;
        }
        if open_window {
            score = self.child::<true>(same_side, alpha, beta, new_depth, 0, false);
        }
        self.position.unmake();
        if self.shared.stopped() {
            return score;
        }
        // The win may be longer than this search is deep, and PV nodes take no cutoff from
        // the table: then the search returns an evaluation.
        let keeps_win = root_move.last_score >= PROVEN && score < root_move.last_score;
        if keeps_win {
            score = root_move.last_score;
        }
        let scored = open_window || keeps_win;
        root_move.score = if scored { score } else { -INFINITE };
        if scored {
            (root_move.last_score, root_move.depth) = (score, depth);
        }
        if !keeps_win && (number == 0 || open_window && score > alpha) {
            let pv = std::iter::once(m).chain(self.pvs[1].iter().copied());
            root_move.pv = pv.take(MAX_PLY).collect();
        }
        self.report_searched(m, score);
        score
    }

    /// Reports that the search of a root move has ended with this score.
    pub(super) fn report_searched(&mut self, m: Move, score: Score) {
        self.report_progress(Report::Root(if score <= -PROVEN {
            RootEvent::Lost(m.cell())
        } else {
            RootEvent::Done(m.cell())
        }));
    }
}
