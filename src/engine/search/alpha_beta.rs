//! Principal variation search, one node, as numbered steps: 1 to 11 before the first
//! move, 20 and 21 after the last. Steps 12 to 19, the moves, are in `move_loop.rs`;
//! `node.rs` has the functions that the steps call.

use std::ops::ControlFlow;

use super::node::{Node, whole_plies};
use super::params::ONE;
use super::table_score::{cuts, from_table, to_table};
use super::worker::Worker;
use crate::game::{Position, ThreatLevel};
use crate::tt::{Bound, Entry};
use goren_core::types::{INFINITE, Move, PROVEN, Score, keys, loss_in, win_in};

impl<P: Position> Worker<'_, P> {
    /// Searches the position to `depth`, in [`ONE`]ths of a ply, and returns the score
    /// for the side to move: exact within the window, a bound outside of it
    /// (fail-soft). The score is meaningless if the search was stopped. `PV`: the
    /// window is open, not a null window. `cut_node`: the node is expected to fail
    /// high.
    pub fn alpha_beta<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // 1. Quiescence search at the horizon.
        if PV {
            self.pvs[ply].clear();
        }
        if depth <= 0 {
            return self.quiescence(alpha, beta, ply, 0);
        }

        // 2. Return without a search: stop, end of the game, static verdict, known
        // result, maximum ply.
        if let Some(score) = self.score_without_search(ply) {
            return score;
        }

        // 3. Mate-distance pruning: at best the side to move wins with this stone, at
        // worst it loses to the next one.
        alpha = alpha.max(loss_in(ply + 2));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 4. Transposition table probe; cutoffs at null-window nodes only.
        let key = self.table_key(ply);
        let entry = self.shared.table.probe(key);
        if !PV && let Some(score) = entry.and_then(|e| cutoff(e, (alpha, beta), depth, ply)) {
            return score;
        }

        // 5. Solver cutoff, in games whose turns have several stones.
        if let Some(score) = self.solver_cutoff(key, depth, ply) {
            return score;
        }

        // 6. Static evaluation, and other data that the later steps share.
        let mut node = self.node::<PV>(entry, (alpha, beta), depth, ply, cut_node);

        // 7. Reverse futility pruning. 8. Razoring.
        if let Some(score) = self.prune_node::<PV>(&node) {
            return score;
        }

        // 9. Internal iterative reduction.
        node.depth -= self.internal_iterative_reduction(&node);

        // 10. Cut-node reduction, applied in step 15.
        node.far_above_beta = !PV && self.is_far_above_beta(&node);

        // 11. Singular extension.
        match self.table_move_extension::<PV>(&node) {
            ControlFlow::Continue(extension) => node.table_extension = extension,
            ControlFlow::Break(score) => return score,
        }

        // 12 to 19. The moves.
        let Some((mut best, best_move, count)) = self.search_moves::<PV>(&node) else { return 0 };

        // 20. No move could be played. In a singular search this means that the table move is the
        // only one. Otherwise the node is lost, unless a pass was searched.
        if count == 0 && node.excluded_move.is_some() {
            return alpha;
        }
        if count == 0 && best == -INFINITE {
            best = self.lost_score(&node);
        }

        // 21. Store in the transposition table.
        self.store_node::<PV>(key, &node, best, best_move);
        best
    }

    /// Returns the key of the node in the transposition table. A search with an excluded move
    /// (step 11) has its own key.
    #[inline(always)]
    fn table_key(&self, ply: usize) -> u64 {
        let excluded_move = self.by_ply[ply].excluded_move;
        let key = self.key();
        if !excluded_move.is_some() {
            return key;
        }
        keys::mix(key ^ excluded_move.cell().index() as u64)
    }

    /// Step 6: static evaluation, unless a five must be answered, and other data that the later
    /// steps share. Resets the data that the nodes below share: killers belong to the children of
    /// one node, cutoffs are counted over its grandchildren.
    #[inline(always)]
    fn node<const PV: bool>(
        &mut self,
        entry: Option<Entry>,
        (alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Node {
        // Secondary PVs of a multi-PV search count as null-window nodes for LMP,
        // futility pruning and LMR, and leave no PV mark in the table.
        let pv_node = PV && !self.secondary_pv;
        let threat_level = self.position.threat_level();
        let excluded_move = self.by_ply[ply].excluded_move;
        let eval = match (threat_level, entry) {
            (ThreatLevel::Immediate, _) => None,
            (_, Some(e)) => Some(e.eval),
            // A singular search has the same position as the node that started it.
            (_, None) if excluded_move.is_some() => self.by_ply[ply].eval,
            (_, None) => Some(self.evaluate()),
        };
        self.by_ply[ply].eval = eval;
        let two_turns_ago =
            if ply >= 2 * P::TURN { self.by_ply[ply - 2 * P::TURN].eval } else { None };
        self.by_ply[ply + 1].killers = [Move::NONE; 2];
        self.by_ply[ply + 2].cutoffs = 0;
        Node {
            alpha,
            beta,
            depth,
            ply,
            pv_node,
            tt_pv: pv_node || entry.is_some_and(|e| e.pv),
            entry,
            table_move: entry.map_or(Move::NONE, |e| e.best),
            excluded_move,
            mover: self.position.to_move(),
            context: self.context(ply),
            threat_level,
            eval,
            improving: matches!((eval, two_turns_ago), (Some(now), Some(then)) if now > then),
            cut_node,
            far_above_beta: false,
            table_extension: 0,
        }
    }

    /// Steps 7 and 8: the score of a null-window node that is pruned by its evaluation.
    #[inline(always)]
    fn prune_node<const PV: bool>(&mut self, node: &Node) -> Option<Score> {
        let Node { alpha, beta, depth, .. } = *node;
        let params = self.params;
        let static_eval = node.eval?;
        if PV || !node.no_threat() || beta.abs() >= PROVEN || node.excluded_move.is_some() {
            return None;
        }
        // The table score replaces the evaluation if its bound makes it the better
        // estimate.
        let refined = node.entry.filter(|e| {
            e.score.abs() < PROVEN
                && match e.bound {
                    Bound::Lower => e.score > static_eval,
                    Bound::Upper => e.score < static_eval,
                    Bound::Exact => true,
                    Bound::None => false,
                }
        });
        let refined_eval = refined.map_or(static_eval, |e| e.score);

        // 7. Reverse futility pruning: the evaluation is far above beta.
        let margin_depth =
            depth - params.reverse_futility_improving * ONE / 100 * node.improving as i32;
        let margin =
            params.reverse_futility_base + params.reverse_futility_margin * margin_depth / ONE;
        if depth <= params.reverse_futility_depth * ONE && refined_eval - margin >= beta {
            return Some(refined_eval);
        }

        // 8. Razoring: the evaluation is far below alpha. Return the quiescence
        // score if it fails low too or proves a win.
        let margin = params.razor_base + params.razor_margin * depth / ONE;
        if depth <= params.razor_depth * ONE && refined_eval + margin <= alpha {
            let window = (alpha, alpha + 1);
            let score = self.quiescence_of_node(window, node.ply, node.entry, static_eval);
            if score <= alpha || score >= PROVEN || self.shared.stopped() {
                return Some(score);
            }
        }
        None
    }

    /// Step 9: without a table move, move ordering is too poor to be worth the full depth.
    #[inline(always)]
    fn internal_iterative_reduction(&self, node: &Node) -> i32 {
        let deep = node.depth >= self.params.iir_depth * ONE;
        if deep && !node.table_move.is_some() && node.no_threat() { self.params.iir } else { 0 }
    }

    /// Step 10: whether the evaluation of a cut node is so far above beta that a fail high
    /// is nearly certain.
    #[inline(always)]
    fn is_far_above_beta(&self, node: &Node) -> bool {
        let params = self.params;
        let margin = params.cut_node_reduction_base
            + params.cut_node_reduction_margin * node.depth / ONE
            + params.cut_node_reduction_threat * (node.threat_level == ThreatLevel::Threat) as i32;
        // Under a threatened five there is no evaluation.
        node.cut_node && node.eval.is_some_and(|eval| eval >= node.beta + margin)
    }

    /// Step 11, singular extension: the table move is searched deeper if a reduced
    /// null-window search of all other moves fails low. If it fails high instead, the
    /// table move is not singular: multi-cut if that shows a second move above beta, else
    /// a negative extension where a fail high is expected. Continues with the extension of
    /// the table move, or breaks off with the score of the node: that of a multi-cut, or 0
    /// if the search was stopped.
    #[inline(always)]
    fn table_move_extension<const PV: bool>(&mut self, node: &Node) -> ControlFlow<Score, i32> {
        let Node { depth, ply, table_move, cut_node, .. } = *node;
        let params = self.params;
        let singular = |e: &Entry| {
            depth >= params.singular_depth * ONE
                && table_move.is_some()
                && !node.excluded_move.is_some()
                && node.threat_level != ThreatLevel::Immediate
                // Limits the growth of extensions, as in step 15.
                && ply < 2 * self.root_depth as usize
                && matches!(e.bound, Bound::Lower | Bound::Exact)
                && e.score.abs() < PROVEN
                && e.depth >= whole_plies(depth) - params.singular_table
                && self.position.is_pseudo_legal(table_move)
                && self.position.is_legal(table_move)
        };
        let Some(e) = node.entry.filter(singular) else {
            return ControlFlow::Continue(0);
        };
        let singular_beta = e.score - params.singular_margin * depth / (16 * ONE);
        let test_depth = (depth - ONE) * params.singular_depth_percent / 100;
        self.by_ply[ply].excluded_move = table_move;
        let below = singular_beta - 1;
        let score = self.alpha_beta::<false>(below, singular_beta, test_depth, ply, cut_node);
        self.by_ply[ply].excluded_move = Move::NONE;
        if self.shared.stopped() {
            return ControlFlow::Break(0);
        }
        // The move loop does not begin with killers of the reduced search.
        self.by_ply[ply + 1].killers = [Move::NONE; 2];
        if score < singular_beta {
            let twice = !PV && score < singular_beta - params.double_extension_margin;
            ControlFlow::Continue(
                params.singular_extension + params.double_extension * twice as i32,
            )
        } else if singular_beta >= node.beta {
            ControlFlow::Break(singular_beta)
        } else if e.score >= node.beta || cut_node {
            ControlFlow::Continue(-params.negative_extension)
        } else {
            ControlFlow::Continue(0)
        }
    }

    /// Step 20: the score of a node at which no move could be played: no legal move meets
    /// the threat, or every move left is a foul or is excluded by the user. All of these
    /// count as lost.
    #[inline]
    fn lost_score(&self, node: &Node) -> Score {
        let ply = node.ply;
        match node.threat_level {
            _ if self.exclusions.is_some() => loss_in(ply + 1),
            ThreatLevel::Immediate => loss_in(ply + self.plies_to_five()),
            // The later of two losses: to an open four in 4 plies, to a four-three in 6.
            ThreatLevel::Threat => loss_in(ply + 6),
            ThreatLevel::None => loss_in(ply + 1),
        }
    }

    /// Step 21: stores the node in the transposition table.
    #[inline(always)]
    fn store_node<const PV: bool>(&self, key: u64, node: &Node, best: Score, best_move: Move) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if PV && best > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best: best_move,
            score: to_table(best, node.ply),
            eval: node.eval.unwrap_or(0),
            depth: whole_plies(node.depth),
            bound,
            pv: node.tt_pv,
        };
        self.shared.table.store(key, entry);
    }
}

/// Step 4: the score of a table entry, if it gives a cutoff in a search to `depth` with this
/// window. A proven result gives one whatever the depth of the entry.
#[inline(always)]
fn cutoff(entry: Entry, (alpha, beta): (Score, Score), depth: i32, ply: usize) -> Option<Score> {
    let score = from_table(entry.score, ply);
    let deep = entry.depth >= whole_plies(depth) || entry.is_proven();
    (deep && cuts(entry.bound, score, alpha, beta)).then_some(score)
}
