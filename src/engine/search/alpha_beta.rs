//! Principal variation search, one node, as numbered steps. `node.rs` has the
//! functions that the steps call.

use super::history::PlayedMove;
use super::node::whole_plies;
use super::params::{NO_LMR, ONE};
use super::picker::Picker;
use super::table_score::{cuts, from_table, to_table};
use super::worker::Worker;
use crate::game::{MoveClass, Position, ThreatLevel};
use crate::tt::{Bound, Entry};
use goren_core::types::{CellSet, INFINITE, Move, PROVEN, Score, keys, loss_in, win_in};

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

        // 4. Transposition table probe; cutoffs at null-window nodes only. A search
        // with an excluded move (step 11) has a key of its own.
        let excluded_move = self.by_ply[ply].excluded_move;
        let mut key = self.position.key();
        if excluded_move.is_some() {
            key = keys::mix(key ^ excluded_move.cell().index() as u64);
        }
        let entry = self.shared.table.probe(key);
        let mut table_move = Move::NONE;
        // Secondary PVs of a multi-PV search count as null-window nodes for LMP,
        // futility pruning and LMR, and leave no PV mark in the table.
        let pv_node = PV && !self.secondary_pv;
        let mut tt_pv = pv_node;
        if let Some(e) = entry {
            table_move = e.best;
            tt_pv |= e.pv;
            let score = from_table(e.score, ply);
            // A proven result gives a cutoff whatever the depth of the entry.
            let deep = e.depth >= whole_plies(depth) || e.is_proven();
            if !PV && deep && cuts(e.bound, score, alpha, beta) {
                return score;
            }
        }

        // 5. Solver cutoff, in games whose turns have several stones.
        if let Some(score) = self.solver_cutoff(key, excluded_move, depth, ply) {
            return score;
        }

        // 6. Static evaluation, unless a five must be answered. Improving: it is
        // better than two turns ago, when the same side was to move.
        let params = self.params;
        let mover = self.position.to_move();
        let context = self.context(ply);
        let threat_level = self.position.threat_level();
        let no_threat = threat_level == ThreatLevel::None;
        let eval = match (threat_level, entry) {
            (ThreatLevel::Immediate, _) => None,
            (_, Some(e)) => Some(e.eval),
            (_, None) => Some(self.evaluate()),
        };
        self.by_ply[ply].eval = eval;
        let two_turns_ago =
            if ply >= 2 * P::TURN { self.by_ply[ply - 2 * P::TURN].eval } else { None };
        let improving = matches!((eval, two_turns_ago), (Some(now), Some(then)) if now > then);
        // Reset what the nodes below share: killers belong to the children of one node,
        // cutoffs are counted over its grandchildren.
        self.by_ply[ply + 1].killers = [Move::NONE; 2];
        self.by_ply[ply + 2].cutoffs = 0;

        if let Some(static_eval) = eval
            && !PV
            && no_threat
            && beta.abs() < PROVEN
            && !excluded_move.is_some()
        {
            // The table score replaces the evaluation if its bound makes it the better
            // estimate.
            let refined = entry.filter(|e| {
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
                depth - params.reverse_futility_improving * ONE / 100 * improving as i32;
            let margin =
                params.reverse_futility_base + params.reverse_futility_margin * margin_depth / ONE;
            if depth <= params.reverse_futility_depth * ONE && refined_eval - margin >= beta {
                return refined_eval;
            }

            // 8. Razoring: the evaluation is far below alpha. Return the quiescence
            // score if it fails low too or proves a win.
            let margin = params.razor_base + params.razor_margin * depth / ONE;
            if depth <= params.razor_depth * ONE && refined_eval + margin <= alpha {
                let score = self.quiescence(alpha, alpha + 1, ply, 0);
                if score <= alpha || score >= PROVEN || self.shared.stopped() {
                    return score;
                }
            }
        }

        // 9. Internal iterative reduction: without a table move, move ordering is
        // too poor to be worth the full depth.
        let mut depth = depth;
        if depth >= params.iir_depth * ONE && !table_move.is_some() && no_threat {
            depth -= params.iir;
        }

        // 10. Cut-node reduction, applied in step 15: at a cut node with an evaluation
        // far above beta, a fail high is nearly certain.
        let far_above_beta = !PV && cut_node && threat_level != ThreatLevel::Immediate && {
            let margin = params.cut_node_reduction_base
                + params.cut_node_reduction_margin * depth / ONE
                + params.cut_node_reduction_threat * (threat_level == ThreatLevel::Threat) as i32;
            eval.is_some_and(|eval| eval >= beta + margin)
        };

        // 11. Singular extension: the table move is searched deeper if a reduced
        // null-window search of all other moves fails low. If it fails high instead,
        // the table move is not singular: multi-cut if that shows a second move above
        // beta, else a negative extension where a fail high is expected.
        let mut table_extension = 0;
        if let Some(e) = entry
            && depth >= params.singular_depth * ONE
            && table_move.is_some()
            && !excluded_move.is_some()
            && threat_level != ThreatLevel::Immediate
            // Limits the growth of extensions, as in step 15.
            && ply < 2 * self.root_depth as usize
            && matches!(e.bound, Bound::Lower | Bound::Exact)
            && e.score.abs() < PROVEN
            && e.depth >= whole_plies(depth) - params.singular_table
            && self.position.is_pseudo_legal(table_move)
            && self.position.is_legal(table_move)
        {
            let singular_beta = e.score - params.singular_margin * depth / (16 * ONE);
            let test_depth = (depth - ONE) * params.singular_depth_percent / 100;
            self.by_ply[ply].excluded_move = table_move;
            let below = singular_beta - 1;
            let score = self.alpha_beta::<false>(below, singular_beta, test_depth, ply, cut_node);
            self.by_ply[ply].excluded_move = Move::NONE;
            if self.shared.stopped() {
                return 0;
            }
            if score < singular_beta {
                table_extension = params.singular_extension;
                if !PV && score < singular_beta - params.double_extension_margin {
                    table_extension += params.double_extension;
                }
            } else if singular_beta >= beta {
                return singular_beta;
            } else if e.score >= beta || cut_node {
                table_extension = -params.negative_extension;
            }
            // The move loop does not begin with killers of the reduced search.
            self.by_ply[ply + 1].killers = [Move::NONE; 2];
        }

        // 12. Move loop. `limit` is the move limit of late move pruning.
        let last = self.position.last();
        let use_policy_net = no_threat && depth >= params.policy_depth * ONE / 100;
        let mut picker = Picker::new(table_move, self.by_ply[ply].killers, context)
            .with_policy_net(use_policy_net);
        let mut tried = arrayvec::ArrayVec::<PlayedMove, 64>::new();
        let mut best = -INFINITE;
        let mut best_move = Move::NONE;
        let mut count = 0;
        let first_alpha = alpha;
        let mut limit = self.lmp_limit(depth, improving);
        if pv_node {
            limit = limit * params.lmp_pv / 100;
        }
        let mut rest_generated = false;
        let mut zone = None;
        let mut zone_due = no_threat && params.zone_nodes > 0 && self.exclusions.is_none();
        while let Some(m) =
            self.next_move(&mut picker, &mut rest_generated, best, count, threat_level)
        {
            let irrelevant = zone.as_ref().is_some_and(|zone: &CellSet| !zone.contains(m.cell()));
            if m == excluded_move
                || irrelevant
                || !self.position.is_legal(m)
                || self.in_exclusions(m)
            {
                continue;
            }
            count += 1;
            let class = self.position.move_class(m);
            let quiet = class <= MoveClass::Active;
            let played = PlayedMove { cell: m.cell(), shape: self.position.shape(m) };
            let scores = self.history.get(mover, played, &context);
            let history = scores.main + scores.continuation + scores.follow_up;

            // 13. Late move pruning and futility pruning, once a searched move is not
            // proven to lose. With this move, later ones are pruned too (dropped from
            // the picker): by LMP all below a strong four, but threats only if this move
            // is a threat, as their limit is higher; by futility pruning all quiet and
            // active moves.
            if best > -PROVEN && (no_threat || rest_generated) && class < MoveClass::StrongFour {
                let threat = class == MoveClass::Threat;
                let of_class = if threat { limit * params.lmp_threat / 100 } else { limit };
                if depth <= params.lmp_depth * ONE && count as i32 > of_class {
                    let late = |class| {
                        class < MoveClass::StrongFour && (threat || class != MoveClass::Threat)
                    };
                    picker.prune(&self.position, late);
                    continue;
                }
                let mut margin = params.futility_base + params.futility_margin * depth / ONE;
                margin += params.futility_pv * pv_node as i32;
                let futile = eval.is_some_and(|e| e + margin <= alpha);
                if depth <= params.futility_depth * ONE && quiet && futile {
                    picker.prune(&self.position, |class| class <= MoveClass::Active);
                    continue;
                }
            }

            // 14. Prune plain fours under a threat, even ones that also block it: most
            // only delay it by two plies.
            if threat_level == ThreatLevel::Threat
                && class == MoveClass::Four
                && best > -PROVEN
                && depth <= params.delaying_four_depth * ONE / 100
            {
                continue;
            }

            // 15. Extensions of answers to fives and of singular moves; cut-node
            // reduction. The condition on the ply limits the growth of extensions. Moves of
            // GenType::Rest answer no threat.
            let mut extension = 0;
            if threat_level == ThreatLevel::Immediate
                && ply < 2 * self.root_depth as usize
                && !rest_generated
            {
                extension = params.five_extension;
            }
            if m == table_move {
                extension += table_extension;
            }
            if far_above_beta && class < MoveClass::Four {
                extension -= params.cut_node_reduction;
            }
            let new_depth = depth - ONE + extension;

            self.shared.table.prefetch(self.position.key_after(m));
            self.position.make(m);
            self.by_ply[ply].played = Some(played);
            let same_side = self.position.to_move() == mover;

            // 16. Late move reduction, by the class and history that the move had before it
            // was made: from the second move on, at PV nodes from the third.
            let mut reduction = 0;
            let class_reduction = match class {
                MoveClass::Quiet => params.lmr_quiet,
                MoveClass::Active => params.lmr_active,
                MoveClass::Threat => params.lmr_threat,
                MoveClass::Four => params.lmr_four,
                MoveClass::StrongFour => NO_LMR,
            };
            if depth >= params.lmr_depth * ONE
                && count > 1 + pv_node as usize
                && class_reduction > NO_LMR
            {
                reduction = self.reduction(depth, count) + class_reduction;
                reduction += params.lmr_cut_node * cut_node as i32;
                reduction -= params.lmr_pv * pv_node as i32;
                reduction -= params.lmr_was_pv * tt_pv as i32;
                reduction += params.lmr_not_improving * !improving as i32;
                reduction += params.lmr_cutoffs * (self.by_ply[ply + 1].cutoffs > 3) as i32;
                reduction -= history * params.lmr_history / 1024;
                reduction -= params.lmr_under_threat * !no_threat as i32;
                let attack = P::TURN == 1 && no_threat && context.continues_attack(played, class);
                reduction -= params.lmr_attack * attack as i32;
                reduction = reduction.clamp(0, (new_depth - ONE).max(0));
            }

            // 17. Null-window search, at reduced depth first; at full depth if that
            // fails high and the reduction was half a ply or more. The first move of a
            // PV node, and any move whose score lies within its window, is searched
            // with the open window.
            let mut score = -INFINITE;
            let mut open_window = PV && count == 1;
            if !open_window {
                // A fail high in a null window leaves no PV of the child: not that of
                // an earlier move either.
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
            self.position.unmake();
            if self.shared.stopped() {
                return 0;
            }

            // 18. New best move; beta cutoff.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = m;
                    if PV {
                        self.update_pv(ply, m);
                    }
                    if score >= beta {
                        self.by_ply[ply].cutoffs += 1;
                        if class < MoveClass::Four {
                            self.update_histories(ply, m, played, last, &tried, &context, depth);
                        }
                        break;
                    }
                    alpha = score;
                }
            }
            if !tried.is_full() && class < MoveClass::Four {
                tried.push(played);
            }

            // 19. Relevance zone: if all moves so far lose and the opponent threatens a
            // VCF, only moves that could interfere with that VCF are tried; all others
            // lose to it, so `best` rises to the score of that loss. The solver runs at
            // most once per node.
            if zone_due && best <= -PROVEN {
                zone_due = false;
                zone = self.relevance_zone(ply, &mut best);
            }
        }

        // 20. No move could be played: no legal move meets the threat, or every move
        // left is a foul or is excluded by the user; all of these count as lost. In a
        // singular search it means that the table move is the only one.
        if count == 0 {
            best = match threat_level {
                _ if excluded_move.is_some() => return alpha,
                _ if self.exclusions.is_some() => loss_in(ply + 1),
                ThreatLevel::Immediate => loss_in(ply + 2),
                // The later of two losses: to an open four in 4 plies, to a four-three in 6.
                ThreatLevel::Threat => loss_in(ply + 6),
                ThreatLevel::None => loss_in(ply + 1),
            };
        }

        // 21. Store in the transposition table.
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.shared.table.store(
            key,
            Entry {
                best: best_move,
                score: to_table(best, ply),
                eval: eval.unwrap_or(0),
                depth: whole_plies(depth),
                bound,
                pv: tt_pv,
            },
        );
        best
    }
}
