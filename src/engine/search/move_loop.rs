//! The moves of a node: steps 12 to 19 of the search (`alpha_beta.rs`).

use arrayvec::ArrayVec;

use super::history::PlayedMove;
use super::node::Node;
use super::params::{NO_LMR, ONE};
use super::picker::Picker;
use super::worker::Worker;
use crate::game::{MoveClass, Position, ThreatLevel};
use goren_core::types::{CellSet, INFINITE, Move, PROVEN, Score};

/// The state of the loop.
struct MoveLoop {
    /// Yields the moves.
    picker: Picker,
    /// Whether the moves of [`crate::game::GenType::Rest`] follow.
    rest_generated: bool,
    /// Best score so far.
    best: Score,
    /// The move that raised alpha last, or [`Move::NONE`].
    best_move: Move,
    /// The lower bound of the window, raised by the moves so far.
    alpha: Score,
    /// Legal moves so far, including pruned ones.
    count: usize,
    /// Move limit of late move pruning.
    limit: i32,
    /// The searched moves other than fours.
    tried: ArrayVec<PlayedMove, 64>,
    /// Relevance zone outside of which every move loses, once known.
    zone: Option<CellSet>,
    /// Whether the solver may still search for the zone.
    zone_due: bool,
}

/// The move being tried.
struct CurrentMove {
    m: Move,
    /// Its class before it is made.
    class: MoveClass,
    /// Its cell and its shape before it is made.
    played: PlayedMove,
}

impl<P: Position> Worker<'_, P> {
    /// Tries the moves of a node and, where all of them lose, perhaps a pass. Returns the best
    /// score, the move that raised alpha last ([`Move::NONE`] if none did, or if the pass is best),
    /// and the number of legal moves; `None` if the search was stopped. Not inlined: most nodes end
    /// before, and need no stack space for a list of moves.
    #[inline(never)]
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        node: &Node,
    ) -> Option<(Score, Move, usize)> {
        let ply = node.ply;
        let mut moves = self.move_loop(node);
        while let Some(m) = self.next_move(&mut moves, node.threat_level) {
            let irrelevant = moves.zone.as_ref().is_some_and(|zone| !zone.contains(m.cell()));
            if m == node.excluded_move
                || irrelevant
                || !self.position.is_legal(m)
                || self.in_exclusions(m)
            {
                continue;
            }
            moves.count += 1;
            let current = self.current_move(m);
            let CurrentMove { class, played, .. } = current;
            if self.prunes_move(node, &mut moves, class) {
                continue;
            }
            let new_depth = node.depth - ONE + self.extension(node, &moves, &current);
            self.prefetch_after(m);
            self.position.make(m);
            self.by_ply[ply].played = Some(played);
            let reduction = self.late_move_reduction(node, moves.count, &current, new_depth);
            let score = self.search_move::<PV>(node, &moves, new_depth, reduction);
            self.position.unmake();
            if self.shared.stopped() {
                return None;
            }

            // 18. New best move; beta cutoff.
            if score > moves.best {
                moves.best = score;
                if score > moves.alpha {
                    moves.best_move = m;
                    if PV {
                        self.update_pv(ply, m);
                    }
                    if score >= node.beta {
                        self.by_ply[ply].cutoffs += 1;
                        if class < MoveClass::Four {
                            self.update_histories(node, m, played, &moves.tried);
                        }
                        break;
                    }
                    moves.alpha = score;
                }
            }
            if !moves.tried.is_full() && class < MoveClass::Four {
                moves.tried.push(played);
            }

            // 19. Relevance zone: if all moves so far lose and the opponent threatens a
            // VCF, only moves that could interfere with that VCF are tried; all others
            // lose to it, so `best` rises to the score of that loss. The solver runs at
            // most once per node.
            if moves.zone_due && moves.best <= -PROVEN {
                moves.zone_due = false;
                moves.zone = self.relevance_zone(ply, &mut moves.best);
            }
        }
        if self.pass_may_save(node, moves.best) && moves.zone.is_none() {
            self.try_pass::<PV>(node, &mut moves);
            if self.shared.stopped() {
                return None;
            }
        }
        Some((moves.best, moves.best_move, moves.count))
    }

    /// Tries a pass, after all moves have lost (`pass.rs`).
    #[cold]
    fn try_pass<const PV: bool>(&mut self, node: &Node, moves: &mut MoveLoop) {
        let score = self.pass_score::<PV>(node, moves.alpha);
        if score > moves.best {
            (moves.best, moves.best_move) = (score, Move::NONE);
            if PV {
                self.pvs[node.ply].clear();
            }
        }
    }

    /// The next move to try. If no move of [`GenType::Main`] was legal or all of them
    /// lose, the moves of [`GenType::Rest`] follow unless they lose anyway
    /// ([`Worker::rest_loses`]): the node is lost only if they lose too.
    ///
    /// [`GenType::Main`]: crate::game::GenType::Main
    /// [`GenType::Rest`]: crate::game::GenType::Rest
    fn next_move(&mut self, moves: &mut MoveLoop, threat_level: ThreatLevel) -> Option<Move> {
        let next = moves.picker.next(&mut self.position, self.history, self.params);
        if next.is_some() || moves.rest_generated || self.rest_loses(threat_level) {
            return next;
        }
        if moves.count > 0 && moves.best > -PROVEN {
            return None;
        }
        moves.rest_generated = true;
        moves.picker.generate_rest(&mut self.position);
        moves.picker.next(&mut self.position, self.history, self.params)
    }

    /// Step 12: the state of the loop before the first move.
    #[inline(always)]
    fn move_loop(&self, node: &Node) -> MoveLoop {
        let params = self.params;
        let use_policy_net = node.no_threat() && node.depth >= params.policy_depth * ONE / 100;
        let mut limit = self.lmp_limit(node.depth, node.improving);
        if node.pv_node {
            limit = limit * params.lmp_pv / 100;
        }
        MoveLoop {
            picker: Picker::new(node.table_move, self.by_ply[node.ply].killers, node.context)
                .with_policy_net(use_policy_net),
            rest_generated: false,
            best: -INFINITE,
            best_move: Move::NONE,
            alpha: node.alpha,
            count: 0,
            limit,
            tried: ArrayVec::new(),
            zone: None,
            zone_due: node.no_threat() && params.zone_nodes > 0 && self.exclusions.is_none(),
        }
    }

    /// Returns a legal move with the data that the next steps need.
    #[inline(always)]
    fn current_move(&self, m: Move) -> CurrentMove {
        let played = PlayedMove { cell: m.cell(), shape: self.position.shape(m) };
        CurrentMove { m, class: self.position.move_class(m), played }
    }

    /// Steps 13 and 14: whether a move is pruned.
    #[inline(always)]
    fn prunes_move(&mut self, node: &Node, moves: &mut MoveLoop, class: MoveClass) -> bool {
        let Node { depth, pv_node, threat_level, .. } = *node;
        let params = self.params;

        // 13. Late move pruning and futility pruning, once a searched move is not
        // proven to lose. With this move, later ones are pruned too (dropped from the picker): by
        // LMP all below a strong four, but threats only if this move is a threat, as their limit is
        // higher; by futility pruning all quiet and active moves. Futility pruning is off where the
        // search tests whether a move loses (`losing_moves.rs`): alpha is then PROVEN, which no
        // score equals.
        let best = moves.best;
        let prunable = node.no_threat() || moves.rest_generated;
        if best > -PROVEN && prunable && class < MoveClass::StrongFour {
            let threat = class == MoveClass::Threat;
            let limit = if threat { moves.limit * params.lmp_threat / 100 } else { moves.limit };
            if depth <= params.lmp_depth * ONE && moves.count as i32 > limit {
                let late =
                    |class| class < MoveClass::StrongFour && (threat || class != MoveClass::Threat);
                moves.picker.prune(&self.position, late);
                return true;
            }
            let mut margin = params.futility_base + params.futility_margin * depth / ONE;
            margin += params.futility_pv * pv_node as i32;
            let futile =
                moves.alpha != PROVEN && node.eval.is_some_and(|e| e + margin <= moves.alpha);
            let quiet = class <= MoveClass::Active;
            if depth <= params.futility_depth * ONE && quiet && futile {
                moves.picker.prune(&self.position, |class| class <= MoveClass::Active);
                return true;
            }
        }

        // 14. Prune plain fours under a threat, even those that also block it: most only delay it
        // by two plies.
        threat_level == ThreatLevel::Threat
            && class == MoveClass::Four
            && best > -PROVEN
            && depth <= params.delaying_four_depth * ONE / 100
    }

    /// Step 15: extensions of answers to fives and of singular moves; cut-node reduction.
    /// The condition on the ply limits the growth of extensions. Moves of
    /// [`crate::game::GenType::Rest`] answer no threat.
    #[inline(always)]
    fn extension(&self, node: &Node, moves: &MoveLoop, current: &CurrentMove) -> i32 {
        let params = self.params;
        let mut extension = 0;
        if node.threat_level == ThreatLevel::Immediate
            && node.ply < 2 * self.root_depth as usize
            && !moves.rest_generated
        {
            extension = params.five_extension;
        }
        if current.m == node.table_move {
            extension += node.table_extension;
        }
        if node.far_above_beta && current.class < MoveClass::Four {
            extension -= params.cut_node_reduction;
        }
        extension
    }

    /// Step 16: late move reduction of move number `count`, by the class and history that it had
    /// before it was made: from the second move on, at PV nodes from the third.
    #[inline(always)]
    fn late_move_reduction(
        &self,
        node: &Node,
        count: usize,
        current: &CurrentMove,
        new_depth: i32,
    ) -> i32 {
        let &CurrentMove { class, played, .. } = current;
        let params = self.params;
        let class_reduction = match class {
            MoveClass::Quiet => params.lmr_quiet,
            MoveClass::Active => params.lmr_active,
            MoveClass::Threat => params.lmr_threat,
            MoveClass::Four => params.lmr_four,
            MoveClass::StrongFour => NO_LMR,
        };
        if node.depth < params.lmr_depth * ONE
            || count <= 1 + node.pv_node as usize
            || class_reduction <= NO_LMR
        {
            return 0;
        }
        let mut reduction = self.reduction(node.depth, count) + class_reduction;
        reduction += params.lmr_cut_node * node.cut_node as i32;
        reduction -= params.lmr_pv * node.pv_node as i32;
        reduction -= params.lmr_was_pv * node.tt_pv as i32;
        reduction += params.lmr_not_improving * !node.improving as i32;
        reduction += params.lmr_cutoffs * (self.by_ply[node.ply + 1].cutoffs > 3) as i32;
        let scores = self.history.get(node.mover, played, &node.context);
        let history = scores.main + scores.continuation + scores.follow_up;
        reduction -= history * params.lmr_history / 1024;
        reduction -= params.lmr_under_threat * !node.no_threat() as i32;
        let attack =
            P::TURN == 1 && node.no_threat() && node.context.continues_attack(played, class);
        reduction -= params.lmr_attack * attack as i32;
        reduction.clamp(0, (new_depth - ONE).max(0))
    }

    /// Step 17, after the move was made: null-window search, at reduced depth first; at
    /// full depth if that fails high and the reduction was half a ply or more. The first
    /// move of a PV node, and any move whose score lies within its window, is searched
    /// with the open window.
    #[inline(always)]
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        moves: &MoveLoop,
        new_depth: i32,
        reduction: i32,
    ) -> Score {
        let Node { beta, ply, cut_node, .. } = *node;
        let alpha = moves.alpha;
        let same_side = self.position.to_move() == node.mover;
        let mut score = -INFINITE;
        let mut open_window = PV && moves.count == 1;
        if !open_window {
            // A null-window search writes no PV of the child: clear that of an earlier move, which
            // a fail high would copy.
            if PV {
                self.pvs[ply + 1].clear();
            }
            let d = new_depth - reduction;
            score = self.null_window(same_side, alpha, d, ply, !cut_node || reduction > 0);
            if reduction >= ONE / 2 && score > alpha {
                score = self.null_window(same_side, alpha, new_depth, ply, !cut_node);
            }
            open_window = PV && score > alpha && score < beta;
        }
        if open_window {
            score = self.child::<PV>(same_side, alpha, beta, new_depth, ply, false);
        }
        score
    }
}
