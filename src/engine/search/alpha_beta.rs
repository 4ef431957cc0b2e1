//! Principal variation search, one node: numbered steps from the cheapest
//! answer to the dearest.

use super::history::{Context, Step, bonus};
use super::params::{NEVER, ONE};
use super::picker::Picker;
use super::stored::{cuts, from_table, to_table};
use super::worker::Worker;
use crate::game::{MoveClass, Position, ThreatLevel};
use crate::tt::{Bound, Entry};
use goren_core::types::{
    Cell, CellSet, INFINITE, MAX_PLY, Move, PROVEN, Score, keys, loss_in, win_in,
};

impl<P: Position> Worker<'_, P> {
    /// Score of the position at `depth` (in [`ONE`]ths of a ply), exact within
    /// the window. `PV` says that the window is open; `cut_node` that a cutoff is
    /// expected.
    pub fn alpha_beta<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
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
        let excluded = self.frames[ply].excluded;
        if let Some(score) = self.static_result(ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }

        // 3. No line from here is better than the fastest win left.
        alpha = alpha.max(loss_in(ply + 2));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 4. What the table knows. A search without one move has entries of
        // its own.
        let mut key = self.position.key();
        if excluded.is_some() {
            key = keys::mix(key ^ excluded.cell().index() as u64);
        }
        let entry = self.shared.table.probe(key);
        let mut table_move = Move::NONE;
        // The lines behind the best one are searched no wider than what is only
        // held against it.
        let pv_node = PV && !self.secondary_pv;
        let mut was_pv = pv_node;
        if let Some(e) = entry {
            table_move = e.best;
            was_pv |= e.pv;
            let score = from_table(e.score, ply);
            // A win at least, or a loss at most, holds whatever the depth.
            let proven = match e.bound {
                Bound::Lower => score >= PROVEN,
                Bound::Upper => score <= -PROVEN,
                Bound::Exact => score.abs() >= PROVEN,
                Bound::None => false,
            };
            let deep = e.depth >= plies(depth) || proven;
            if !PV && deep && cuts(e.bound, score, alpha, beta) {
                return score;
            }
        }

        // Or what threats alone win, where a turn has more stones than one.
        if let Some(score) = self.solved(key, excluded, depth, ply) {
            return score;
        }

        // 5. The evaluation, and whether things get better for the mover.
        let params = self.params;
        let mover = self.position.to_move();
        let context = self.context(ply);
        let threat_level = self.position.threat_level();
        let eval = match (threat_level, entry) {
            (ThreatLevel::Immediate, _) => None,
            (_, Some(e)) => Some(e.eval),
            (_, None) => Some(self.evaluate()),
        };
        self.frames[ply].eval = eval;
        self.frames[ply + 1].killers = [Move::NONE; 2];
        self.frames[ply + 2].cutoffs = 0;
        let two_turns_ago =
            if ply >= 2 * P::TURN { self.frames[ply - 2 * P::TURN].eval } else { None };
        let improving = matches!((eval, two_turns_ago), (Some(now), Some(then)) if now > then);

        if let Some(eval) = eval
            && !PV
            && threat_level == ThreatLevel::None
            && beta.abs() < PROVEN
            && !excluded.is_some()
        {
            // A bound from the table says more than the evaluation.
            let better = entry.filter(|e| {
                e.score.abs() < PROVEN
                    && match e.bound {
                        Bound::Lower => e.score > eval,
                        Bound::Upper => e.score < eval,
                        Bound::Exact => true,
                        Bound::None => false,
                    }
            });
            let eval = better.map_or(eval, |e| e.score);

            // 6. Reverse futility: so far ahead that nothing quiet changes it.
            let margin_depth =
                depth - params.reverse_futility_improving * ONE / 100 * improving as i32;
            let margin =
                params.reverse_futility_base + params.reverse_futility_margin * margin_depth / ONE;
            if depth <= params.reverse_futility_depth * ONE && eval - margin >= beta {
                return eval;
            }

            // 7. Razoring: so far behind that only fours can help.
            let margin = params.razor_base + params.razor_margin * depth / ONE;
            if depth <= params.razor_depth * ONE && eval + margin <= alpha {
                let score = self.quiescence(alpha, alpha + 1, ply, 0);
                if score <= alpha || score >= PROVEN || self.shared.stopped() {
                    return score;
                }
            }
        }

        // 8. Without a move from the table the depth is hardly worth it.
        let mut depth = depth;
        if depth >= params.iir_depth * ONE
            && !table_move.is_some()
            && threat_level == ThreatLevel::None
        {
            depth -= params.iir;
        }

        // 9. A cutoff that is as good as certain is worth less depth.
        let far_above_beta = !PV && cut_node && threat_level != ThreatLevel::Immediate && {
            let margin = params.cut_node_reduction_base
                + params.cut_node_reduction_margin * depth / ONE
                + params.cut_node_reduction_threat * (threat_level == ThreatLevel::Threat) as i32;
            eval.is_some_and(|eval| eval >= beta + margin)
        };

        // 10. A table move that is much better than all others is worth more.
        let mut table_extension = 0;
        if let Some(e) = entry
            && depth >= params.singular_depth * ONE
            && table_move.is_some()
            && !excluded.is_some()
            && threat_level != ThreatLevel::Immediate
            && ply < 2 * self.root_depth as usize
            && matches!(e.bound, Bound::Lower | Bound::Exact)
            && e.score.abs() < PROVEN
            && e.depth >= plies(depth) - params.singular_table
            && self.position.is_pseudo_legal(table_move)
            && self.position.is_legal(table_move)
        {
            let singular_beta = e.score - params.singular_margin * depth / (16 * ONE);
            let singular_depth = (depth - ONE) * params.singular_depth_percent / 100;
            self.frames[ply].excluded = table_move;
            let score = self.alpha_beta::<false>(
                singular_beta - 1,
                singular_beta,
                singular_depth,
                ply,
                cut_node,
            );
            self.frames[ply].excluded = Move::NONE;
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
            self.frames[ply + 1].killers = [Move::NONE; 2];
        }

        // 11. The moves.
        let last = self.position.last();
        let policy = threat_level == ThreatLevel::None && depth >= params.policy_depth * ONE / 100;
        let mut picker =
            Picker::new(table_move, self.frames[ply].killers, context).with_policy(policy);
        let table_four = table_move.is_some()
            && self.position.is_pseudo_legal(table_move)
            && self.position.move_class(table_move) >= MoveClass::Four;
        let mut tried = arrayvec::ArrayVec::<Step, 64>::new();
        let mut best = -INFINITE;
        let mut best_move = Move::NONE;
        let mut count = 0;
        let first_alpha = alpha;
        let mut limit = self.lmp_limit(depth, improving);
        if pv_node {
            limit = limit * params.lmp_pv / 100;
        }
        let mut rest_opened = false;
        let mut alpha_raises = 0;
        let mut zone = None;
        let mut zone_due =
            threat_level == ThreatLevel::None && params.zone_nodes > 0 && self.exclusions.is_none();
        while let Some(m) = self.next_move(&mut picker, &mut rest_opened, best, count, threat_level)
        {
            let irrelevant = zone.as_ref().is_some_and(|zone: &CellSet| !zone.contains(m.cell()));
            if m == excluded || irrelevant || !self.position.is_legal(m) || self.is_excluded(m) {
                continue;
            }
            count += 1;
            let class = self.position.move_class(m);
            let quiet = class <= MoveClass::Active;
            let step = Step { cell: m.cell(), shape: self.position.shape(m) };
            let record = self.history.get(mover, step, &context);
            let history = record.main + record.continuation + record.follow_up;
            let policy_gap = if count > 1 { picker.behind() } else { 0 };

            // 12. Late and futile moves are left out, once one is known that
            // does not lose. What leaves one out leaves out all later ones of
            // its class.
            if best > -PROVEN && threat_level == ThreatLevel::None && class < MoveClass::StrongFour
            {
                let threat = class == MoveClass::Threat;
                let limit = if threat { limit * params.lmp_threat / 100 } else { limit };
                if depth <= params.lmp_depth * ONE && count as i32 > limit {
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

            if threat_level == ThreatLevel::Threat
                && class == MoveClass::Four
                && best > -PROVEN
                && depth <= params.delaying_four_depth * ONE / 100
            {
                continue;
            }

            // 13. Answers to threats and singular moves are searched deeper.
            let mut extension = 0;
            if ply < 2 * self.root_depth as usize {
                extension = match threat_level {
                    ThreatLevel::Immediate => params.five_extension,
                    ThreatLevel::Threat if class < MoveClass::Four => params.threat_extension,
                    _ => 0,
                };
            }
            if m == table_move {
                extension = extension.max(0) + table_extension;
            }
            if far_above_beta && class < MoveClass::Four {
                extension -= params.cut_node_reduction;
            }
            let new_depth = depth - ONE + extension;

            self.shared.table.prefetch(self.position.key_after(m));
            self.position.make(m);
            self.frames[ply].played = Some(step);
            let same_side = self.position.to_move() == mover;

            // 14. Late moves are searched less deep at first.
            let mut reduction = 0;
            let class_reduction = match class {
                MoveClass::Quiet => params.lmr_quiet,
                MoveClass::Active => params.lmr_active,
                MoveClass::Threat => params.lmr_threat,
                MoveClass::Four => params.lmr_four,
                MoveClass::StrongFour => NEVER,
            };
            if depth >= params.lmr_depth * ONE
                && count > 1 + pv_node as usize
                && class_reduction > NEVER
            {
                reduction = self.reduction(depth, count) + class_reduction;
                reduction += params.lmr_cut_node * cut_node as i32;
                reduction -= params.lmr_pv * pv_node as i32;
                reduction -= params.lmr_was_pv * was_pv as i32;
                reduction += params.lmr_not_improving * !improving as i32;
                reduction += params.lmr_table_four * table_four as i32;
                reduction += params.lmr_cutoffs * (self.frames[ply + 1].cutoffs > 3) as i32;
                reduction += params.lmr_alpha_raises * alpha_raises;
                reduction -= history * params.lmr_history / 1024;
                reduction += policy_gap.min(1000) * params.lmr_policy / 100;
                reduction -= params.lmr_under_threat * (threat_level != ThreatLevel::None) as i32;
                let attack = P::TURN == 1
                    && threat_level == ThreatLevel::None
                    && context.continues_attack(step, class);
                reduction -= params.lmr_attack * attack as i32;
                reduction = reduction.clamp(0, (new_depth - ONE).max(0));
            }

            // 15. A window of nothing first, the full one if it fails.
            let mut score = -INFINITE;
            let mut full = PV && count == 1;
            if !full {
                let d = new_depth - reduction;
                score = self.child::<false>(
                    same_side,
                    alpha,
                    alpha + 1,
                    d,
                    ply,
                    !cut_node || reduction > 0,
                );
                if reduction >= ONE / 2 && score > alpha {
                    score =
                        self.child::<false>(same_side, alpha, alpha + 1, new_depth, ply, !cut_node);
                }
                full = PV && score > alpha && score < beta;
            }
            if full {
                score = self.child::<PV>(same_side, alpha, beta, new_depth, ply, false);
            }
            self.position.unmake();
            if self.shared.stopped() {
                return 0;
            }

            // 16. A new best move?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = m;
                    if PV {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        self.frames[ply].cutoffs += 1;
                        if class < MoveClass::Four {
                            self.refuted(ply, m, step, last, &tried, &context, depth);
                        }
                        break;
                    }
                    alpha_raises += 1;
                    alpha = score;
                }
            }
            if !tried.is_full() && class < MoveClass::Four {
                tried.push(step);
            }

            // 17. If the move loses, others may for the same reason: where the
            // enemy wins by fours unless something is done, only what does
            // something about it is tried.
            if zone_due && best <= -PROVEN {
                zone_due = false;
                zone = self.zone(ply, &mut best);
            }
        }

        // 18. No legal move: under a threat that is a loss; Black with
        // nothing but fouls left loses too. Where a move was set aside it
        // only says that there is no other.
        if count == 0 {
            best = match threat_level {
                _ if excluded.is_some() => return alpha,
                ThreatLevel::Immediate => loss_in(ply + 2),
                // An open four wins in 4 plies, a four and a three in 6.
                ThreatLevel::Threat => loss_in(ply + 6),
                ThreatLevel::None => loss_in(ply + 1),
            };
        }

        // 19. Remember it.
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
                depth: plies(depth),
                bound,
                pv: was_pv,
            },
        );
        best
    }

    /// A win by threats alone that is found at a node where a turn begins, in
    /// games that look for it there.
    #[inline]
    fn solved(&mut self, key: u64, excluded: Move, depth: i32, ply: usize) -> Option<Score> {
        let deep = depth >= self.params.turn_solver_depth * ONE;
        if !P::SOLVES
            || self.exclusions.is_some()
            || !deep
            || excluded.is_some()
            || !self.position.begins_turn()
        {
            return None;
        }
        let (best, wins) = self.solve(self.params.turn_solver_nodes as u64)?;
        let score = win_in(ply + wins);
        let entry = Entry {
            best,
            score: to_table(score, ply),
            eval: 0,
            depth: plies(depth),
            bound: Bound::Lower,
            pv: false,
        };
        self.shared.table.store(key, entry);
        Some(score)
    }

    /// The moves that may meet the fours the enemy threatens to win by, if he
    /// does. All others lose, so `best` is no less than that loss.
    fn zone(&mut self, ply: usize, best: &mut Score) -> Option<CellSet> {
        let (plies, zone) = self.threatened(self.params.zone_nodes as u64)?;
        *best = (*best).max(loss_in(ply + 1 + plies));
        Some(zone)
    }

    /// The next move to try. When all that are worth a search lose, those that
    /// were left out are tried as well before the loss is believed.
    fn next_move(
        &mut self,
        picker: &mut Picker,
        rest_opened: &mut bool,
        best: Score,
        count: usize,
        threat_level: ThreatLevel,
    ) -> Option<Move> {
        let next = picker.next(&mut self.position, self.history, self.params);
        if next.is_some() || *rest_opened || threat_level != ThreatLevel::None {
            return next;
        }
        if count > 0 && best > -PROVEN {
            return None;
        }
        *rest_opened = true;
        picker.open_rest(&mut self.position);
        picker.next(&mut self.position, self.history, self.params)
    }

    /// Score of the position after a move, for the side that made it.
    #[inline]
    pub fn child<const PV: bool>(
        &mut self,
        same_side: bool,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if same_side {
            self.alpha_beta::<PV>(alpha, beta, depth, ply + 1, cut_node)
        } else {
            -self.alpha_beta::<PV>(-beta, -alpha, depth, ply + 1, cut_node)
        }
    }

    /// The moves that led to a node.
    #[inline]
    fn context(&self, ply: usize) -> Context {
        let played = |back: usize| if ply >= back { self.frames[ply - back].played } else { None };
        Context { one_ply_ago: played(1), two_plies_ago: played(2) }
    }

    /// A quiet move cut off its siblings.
    #[allow(clippy::too_many_arguments)]
    fn refuted(
        &mut self,
        ply: usize,
        m: Move,
        step: Step,
        last: Option<Cell>,
        tried: &[Step],
        context: &Context,
        depth: i32,
    ) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
        let color = self.position.to_move();
        let bonus = bonus(self.params, plies(depth));
        self.history.add(color, step, context, bonus);
        for &other in tried {
            self.history.add(color, other, context, -bonus * self.params.history_malus / 100);
        }
        self.history.set_counter(color, last, m);
    }
}

/// A depth in whole plies, for the table.
#[inline]
fn plies(depth: i32) -> i32 {
    (depth + ONE / 2) / ONE
}
