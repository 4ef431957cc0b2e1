//! Incremental evaluation of a board.

use std::sync::Arc;

use super::cpu;
use super::embedding::CHANNELS;
use super::near::EarlierMove;
use super::net::{POINTS, WIDTH};
use super::policy::State;
use super::size_offset::SizeOffset;
use super::sums::{Sums, fresh};
use super::threats::threat_mask;
use super::weights::{VALUE_SCALE, Weights};
use super::windows;
use crate::board::Board;
use crate::game::MoveList;
use goren_core::rules::Rule;
use goren_core::types::{Color, FRAME, SCORE_LIMIT, Score};

/// The evaluation of a board, updated incrementally and lazily, i.e. on demand.
#[derive(Clone)]
pub struct Eval {
    weights: Arc<Weights>,
    /// Offset of the sums on boards of another size than the weights were fitted on.
    offset: Arc<SizeOffset>,
    /// Stack of sums: after `base` stones, and after each later stone as far as
    /// computed. Empty only after [`Eval::keep`] with fewer than `base` stones.
    sums: Vec<Sums>,
    base: usize,
    /// Accumulators of the policy net; created on first use.
    policy: Option<Box<State>>,
    /// Window features of the evaluation network; created on first use.
    windows: Option<Box<windows::State>>,
}

/// Inputs of the evaluation network in a position, without the window features.
#[derive(Copy, Clone, Debug)]
pub struct NetInputs {
    /// Static evaluation without the network, in points.
    pub evaluation: Score,
    /// The accumulator, in [`super::net::EMBEDDING_SCALE`]ths.
    pub sums: [i16; WIDTH],
    /// The threat mask; see [`threat_mask`].
    pub threats: usize,
}

impl Eval {
    /// Creates the evaluation of a board in its present position.
    pub fn new<R: Rule>(board: &Board<R>, weights: Arc<Weights>) -> Eval {
        let mut eval = Eval {
            offset: Arc::new(SizeOffset::new::<R>(board.setup(), &weights)),
            weights,
            sums: Vec::with_capacity(FRAME),
            base: board.placed(),
            policy: None,
            windows: None,
        };
        let sums = eval.fresh_sums(board);
        eval.sums.push(sums);
        eval
    }

    /// Computes the sums of a board from scratch.
    fn fresh_sums<R: Rule>(&self, board: &Board<R>) -> Sums {
        let mut sums = fresh(board, &self.weights);
        sums.exchange(&Sums::default(), &self.offset.sums);
        sums
    }

    /// Drops the sums of positions with more than `stones` stones. Must be called whenever
    /// stones were taken back.
    #[inline]
    pub fn keep(&mut self, stones: usize) {
        // Usually there is nothing to drop: most positions of a search are not evaluated.
        // The windows are never ahead of the sums.
        if self.base + self.sums.len() > stones + 1 {
            self.drop_after(stones);
        }
    }

    #[inline(never)]
    fn drop_after(&mut self, stones: usize) {
        self.sums.truncate((stones + 1).saturating_sub(self.base));
        if let Some(windows) = &mut self.windows
            && !windows.keep(stones)
        {
            self.windows = None;
        }
    }

    /// Returns the static evaluation for the side to move, in points, within [`SCORE_LIMIT`].
    /// The board must be the one this evaluation was created for. Stones may have been placed
    /// since then, and taken back if [`Eval::keep`] was called.
    #[inline]
    pub fn score<R: Rule>(&mut self, board: &Board<R>, to_move: Color) -> Score {
        let inputs = self.net_inputs(board, to_move);
        let correction = self.correction(board, to_move, &inputs);
        // With extreme weights the correction may be `i32::MAX` or `i32::MIN`.
        inputs.evaluation.saturating_add(correction).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }

    /// Returns the evaluation without the network, and the network's inputs except the window
    /// features.
    #[inline]
    pub fn net_inputs<R: Rule>(&mut self, board: &Board<R>, to_move: Color) -> NetInputs {
        let sums = self.catch_up(board);
        let own = sums.values[to_move.index()].to_move();
        let others = sums.values[(!to_move).index()].waiting();
        let mask = threat_mask(board, to_move);
        let threats = self.weights.threats[to_move.index()][mask] as i32;
        NetInputs {
            evaluation: (own + others + threats) / VALUE_SCALE,
            sums: sums.net[to_move.index()],
            threats: mask,
        }
    }

    /// Returns the network's correction of the evaluation, in points; 0 without a network that
    /// fits the windows of this rule.
    #[inline]
    fn correction<R: Rule>(
        &mut self,
        board: &Board<R>,
        to_move: Color,
        inputs: &NetInputs,
    ) -> Score {
        let Some(net) = &self.weights.net else { return 0 };
        let features = match &net.windows {
            // The layers were trained with the features: without these, their output is noise.
            Some(embedding) if !embedding.fits::<R>() => return 0,
            Some(embedding) => {
                let new =
                    || windows::State::new(board, embedding).with_offset(&self.offset.windows);
                let state = self.windows.get_or_insert_with(|| Box::new(new()));
                cpu::feature_inputs(state, board, embedding, to_move)
            }
            None => [0.0; CHANNELS],
        };
        let evaluation = inputs.evaluation as f32 / POINTS;
        let layers = net.layers(to_move);
        (cpu::output(layers, &inputs.sums, evaluation, inputs.threats, &features) * POINTS) as i32
    }

    /// Adds the output of the policy net to the policy scores of moves of `to_move`,
    /// given the opponent's last move and the mover's own before it. Adds nothing if the
    /// weights have no policy net for this rule.
    #[inline]
    pub fn add_policy<R: Rule>(
        &mut self,
        board: &Board<R>,
        to_move: Color,
        last: [Option<EarlierMove>; 2],
        moves: &mut MoveList,
    ) {
        let Some(net) = self.weights.policy().filter(|net| net.embedding.fits::<R>()) else {
            return;
        };
        let new = || Box::new(State::new(board, net, &self.offset.policy));
        let state = self.policy.get_or_insert_with(new);
        cpu::policy(state, board, net, to_move, last, moves);
    }

    /// Computes the missing sums, and returns those of the present position.
    #[inline]
    fn catch_up<R: Rule>(&mut self, board: &Board<R>) -> Sums {
        let Some(&(mut sums)) = self.sums.last() else {
            // Stones older than this evaluation were taken back.
            self.base = board.placed();
            let sums = self.fresh_sums(board);
            self.sums.push(sums);
            return sums;
        };
        for stone in self.base + self.sums.len() - 1..board.placed() {
            cpu::update_sums(&mut sums, &self.weights, board.changes(stone));
            self.sums.push(sums);
        }
        sums
    }

    /// Returns the weights.
    #[inline]
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::net::NetSide;
    use goren_core::rules::{Freestyle, Renju, RuleId, Setup, Visitor, with_rule};
    use goren_core::types::{Cell, keys::mix};

    /// Visitor: whether the boards of a rule number their windows as both networks do.
    struct Fits(RuleId);

    impl Visitor for Fits {
        type Out = bool;

        fn visit<R: Rule>(self) -> bool {
            let Fits(rule) = self;
            let weights = Weights::embedded(rule);
            let of_net = weights.net.as_ref().and_then(|net| net.windows.as_ref());
            let of_policy = weights.policy().map(|net| &net.embedding);
            of_net.into_iter().chain(of_policy).all(|embedding| embedding.fits::<R>())
        }
    }

    #[test]
    fn the_networks_of_every_rule_fit_its_windows() {
        for rule in RuleId::ALL {
            assert!(with_rule(rule, Fits(rule)), "{rule}");
        }
    }

    #[test]
    fn a_network_for_other_windows_corrects_nothing() {
        let mut board = Board::<Freestyle>::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        board.make(Cell::new(7, 7), Color::Black);
        let mut eval = Eval::new(&board, Weights::embedded(RuleId::Renju));
        let inputs = eval.net_inputs(&board, Color::White);
        assert_eq!(eval.score(&board, Color::White), inputs.evaluation);
    }

    #[test]
    fn incremental_sums_equal_fresh_ones() {
        let mut board = Board::<Renju>::new(Setup::new(RuleId::Renju, 15, 15).unwrap());
        let weights = Weights::embedded(RuleId::Renju);
        let mut eval = Eval::new(&board, weights.clone());
        let mut seed = 3;
        let mut sums = Vec::new();
        while board.placed() < 120 {
            seed = mix(seed);
            let cell = Cell::new(seed as usize % 15, (seed >> 20) as usize % 15);
            if board.is_empty(cell) {
                sums.push(fresh(&board, &weights));
                board.make(cell, Color::ALL[board.placed() % 2]);
                if seed >> 40 & 3 != 0 {
                    assert_eq!(eval.catch_up(&board), fresh(&board, &weights));
                }
            }
        }
        while let Some(before) = sums.pop() {
            board.unmake();
            eval.keep(board.placed());
            if (seed >> (board.placed() % 64)) & 1 != 0 {
                assert_eq!(eval.catch_up(&board), before);
            }
        }
    }

    #[test]
    fn extreme_weights_stay_within_the_score_limit() {
        let usual = Weights::embedded(RuleId::Renju);
        let sides = Color::ALL.map(|color| {
            let mut side = usual.side(color);
            side.threats.fill(i16::MAX);
            side
        });
        let mut net = NetSide::zero();
        net.to_move.fill(100);
        net.layers.fill(i16::MAX);
        let weights = Weights::new(RuleId::Renju, &sides).with_net(&[net.clone(), net]);
        let weights = Arc::new(weights);
        let mut board = Board::<Renju>::new(Setup::new(RuleId::Renju, 15, 15).unwrap());
        board.make(Cell::new(7, 7), Color::Black);
        for color in Color::ALL {
            let mut eval = Eval::new(&board, weights.clone());
            let inputs =
                NetInputs { evaluation: 2_000, threats: 0, ..eval.net_inputs(&board, color) };
            assert_eq!(eval.correction(&board, color, &inputs), i32::MAX);
            assert_eq!(eval.score(&board, color), SCORE_LIMIT);
        }
    }
}
