//! Staged move picker: the table move first, then the moves of [`GenType::Main`]
//! by score (selection sort, one move at a time), then on request the moves of
//! [`GenType::Rest`] in order of cells.

use super::history::{Context, History, PlayedMove};
use super::params::Params;
use crate::game::{GenType, MoveClass, MoveList, Position, Scored};
use goren_core::types::Move;

/// Yields the moves of a node, best first.
pub struct Picker {
    table_move: Move,
    killers: [Move; 2],
    context: Context,
    stage: Stage,
    moves: MoveList,
    next: usize,
    /// Whether the output of the policy net is added to the policy scores.
    use_policy_net: bool,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Stage {
    Table,
    Generate,
    Pick,
    Rest,
    Done,
}

impl Picker {
    /// A picker for a node: its table move or [`Move::NONE`], its killers, and the
    /// moves before it.
    pub fn new(table_move: Move, killers: [Move; 2], context: Context) -> Picker {
        Picker {
            table_move,
            killers,
            context,
            stage: Stage::Table,
            moves: MoveList::new(),
            next: 0,
            use_policy_net: false,
        }
    }

    /// Sets whether the output of the policy net, if there is one, is added to the
    /// policy scores.
    pub fn with_policy_net(mut self, use_policy_net: bool) -> Picker {
        self.use_policy_net = use_policy_net;
        self
    }

    /// The next move, which may be illegal. `None` when [`GenType::Main`], or after
    /// [`Picker::generate_rest`] [`GenType::Rest`], is exhausted.
    pub fn next<P: Position>(
        &mut self,
        p: &mut P,
        history: &History,
        params: &Params,
    ) -> Option<Move> {
        if self.stage == Stage::Table {
            self.stage = Stage::Generate;
            if self.table_move.is_some() {
                if p.is_pseudo_legal(self.table_move) {
                    return Some(self.table_move);
                }
                self.table_move = Move::NONE;
            }
        }
        if self.stage == Stage::Generate {
            self.stage = Stage::Pick;
            self.generate(p, history, params);
        }
        while self.stage == Stage::Pick || self.stage == Stage::Rest {
            if self.next >= self.moves.len() {
                self.stage = Stage::Done;
                break;
            }
            if self.stage == Stage::Pick {
                self.select();
            }
            let m = self.moves[self.next].m;
            self.next += 1;
            if m != self.table_move {
                return Some(m);
            }
        }
        None
    }

    /// Generates the moves of [`GenType::Main`] and scores them: the policy score of the
    /// codes, the values by place (`eval/near.rs`), the output of the policy net if it is
    /// used, main history, killers and counter move. Not inlined, to keep its stack space out of
    /// [`Picker::next`], which is called for every move.
    #[inline(never)]
    fn generate<P: Position>(&mut self, p: &mut P, history: &History, params: &Params) {
        p.moves(GenType::Main, &mut self.moves);
        let (color, counter) = (p.to_move(), history.counter(p.to_move(), p.last()));
        let last = [self.context.one_ply_ago, self.context.two_plies_ago]
            .map(|s| s.map(PlayedMove::earlier));
        p.add_near_both(last, &mut self.moves);
        if self.use_policy_net {
            p.add_policy(last, &mut self.moves);
        }
        for entry in &mut self.moves {
            entry.score += history.main(color, entry.m.cell()) * params.order_main / 1024;
            if self.killers.contains(&entry.m) {
                entry.score += params.order_killer;
            }
            if entry.m == counter {
                entry.score += params.order_counter;
            }
        }
    }

    /// Drops the remaining moves whose class satisfies `of_class`.
    pub fn prune<P: Position>(&mut self, p: &P, of_class: impl Fn(MoveClass) -> bool) {
        let mut kept = self.next;
        for at in self.next..self.moves.len() {
            if !of_class(p.move_class(self.moves[at].m)) {
                self.moves[kept] = self.moves[at];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// Continues with the moves of [`GenType::Rest`], when those of
    /// [`GenType::Main`] are exhausted.
    pub fn generate_rest<P: Position>(&mut self, p: &mut P) {
        self.moves.clear();
        self.next = 0;
        p.moves(GenType::Rest, &mut self.moves);
        self.stage = Stage::Rest;
    }

    /// Swaps the best of the remaining moves to the front; ties go to the first.
    #[inline]
    fn select(&mut self) {
        let best = best_of(&self.moves[self.next..]);
        self.moves.swap(self.next, self.next + best);
    }
}

/// Returns the index of the best move, the first of equals; there is at least one move. Two passes,
/// as the first one reads only the scores and takes several moves at once.
#[inline]
fn best_of(moves: &[Scored]) -> usize {
    let highest = moves.iter().map(|entry| entry.score).max();
    moves.iter().position(|entry| Some(entry.score) == highest).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::eval::Weights;
    use crate::eval::near::number;
    use crate::eval::policy::{CHANNELS, PolicySide};
    use crate::game::Five;
    use goren_core::rules::{Freestyle, RuleId, Setup};
    use goren_core::types::Cell;

    #[test]
    fn values_by_place_order_the_moves() {
        let mut p = Five::<Freestyle>::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        let stones =
            [(7, 7), (9, 9), (8, 7), (10, 9), (6, 5), (3, 11)].map(|(x, y)| Cell::new(x, y));
        let mut played = Vec::new();
        for cell in stones {
            let m = Move::at(cell);
            played.push(PlayedMove { cell, shape: p.shape(m) });
            p.make(m);
        }
        let (history, params) = (History::default(), Params::default());
        let mut order = |context| {
            let mut picker = Picker::new(Move::NONE, [Move::NONE; 2], context);
            std::iter::from_fn(|| picker.next(&mut p, &history, &params)).collect::<Vec<_>>()
        };
        let alone = order(Context::default());
        let context = Context { one_ply_ago: Some(played[5]), two_plies_ago: Some(played[4]) };
        let near = order(context);
        let mut score = |m: &Move| {
            let weights = Weights::embedded(RuleId::Freestyle);
            let reply = weights.near(p.to_move(), false, played[5].earlier());
            let plan = weights.near(p.to_move(), true, played[4].earlier());
            p.policy_score(*m) + reply(m.cell()) + plan(m.cell())
        };
        assert!(near.is_sorted_by_key(|m| -score(m)) && !alone.is_sorted_by_key(|m| -score(m)));
    }

    #[test]
    fn the_policy_net_orders_moves_if_it_is_used() {
        // A net that scores only one place: three columns away from the opponent's
        // last move, in the same row.
        let last_move = (Cell::new(6, 9), 0);
        let target = Cell::new(9, 9);
        let mut side = PolicySide::zero(RuleId::Freestyle);
        side.places[(1 + number(false, last_move, target)) * CHANNELS] = 8128;
        side.output[0] = 4000;
        let weights = Weights::clone(&Weights::embedded(RuleId::Freestyle));
        let weights = Arc::new(weights.with_policy_net(&[side.clone(), side]));
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let mut p = Five::<Freestyle>::with_weights(setup, weights);
        for (x, y) in [(7, 7), (8, 8), (6, 9)] {
            p.make(Move::at(Cell::new(x, y)));
        }
        let one_ply_ago = Some(PlayedMove { cell: last_move.0, shape: 0 });
        let context = Context { one_ply_ago, two_plies_ago: None };
        let (history, params) = (History::default(), Params::default());
        let mut first = |use_policy_net| {
            let picker = Picker::new(Move::NONE, [Move::NONE; 2], context);
            let mut picker = picker.with_policy_net(use_policy_net);
            picker.next(&mut p, &history, &params).unwrap().cell()
        };
        let (without, with) = (first(false), first(true));
        let place = |cell| number(false, last_move, cell);
        assert!(place(without) != place(target) && place(with) == place(target));
    }

    #[test]
    fn pruned_classes_are_dropped_and_all_others_remain() {
        let mut p = Five::<Freestyle>::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        for (x, y) in [(7, 7), (9, 9), (8, 7), (10, 9), (6, 5), (3, 11)] {
            p.make(Move::at(Cell::new(x, y)));
        }
        let (history, params) = (History::default(), Params::default());
        let after_first = |prune: fn(MoveClass) -> bool, p: &mut Five<Freestyle>| {
            let mut picker = Picker::new(Move::NONE, [Move::NONE; 2], Context::default());
            let first = picker.next(p, &history, &params);
            picker.prune(p, prune);
            let rest = std::iter::from_fn(|| picker.next(p, &history, &params));
            first.into_iter().chain(rest).collect::<Vec<_>>()
        };
        let mut sorted = |prune| {
            let mut moves = after_first(prune, &mut p);
            moves[1..].sort_unstable();
            moves
        };
        let all = sorted(|_| false);
        let active = sorted(|class| class <= MoveClass::Active);
        let expected = |m: &Move| *m == all[0] || p.move_class(*m) > MoveClass::Active;
        let kept: Vec<Move> = all.iter().copied().filter(expected).collect();
        assert!(kept.len() > 3 && kept.len() + 10 < all.len(), "{} {}", kept.len(), all.len());
        assert_eq!(active, kept);
    }

    #[test]
    fn the_best_move_is_the_first_of_the_highest_score() {
        let mut rng = SmallRng::seed_from_u64(6);
        for _ in 0..20_000 {
            let count = rng.random_range(1..12);
            let score = |_| rng.random_range(0..6);
            let scores: Vec<i32> = (0..count).map(score).collect();
            let moves: Vec<Scored> = scores.iter().map(|&s| Scored::new(Move::NONE, s)).collect();
            let highest = scores.iter().max();
            let expected = scores.iter().position(|score| Some(score) == highest);
            assert_eq!(Some(best_of(&moves)), expected, "{scores:?}");
        }
    }
}
