//! Offset of the board sums on boards of another size than the weights were fitted on.
//!
//! A sum over the cells of a board is the sum of the empty board plus the changes that the
//! stones make. Only the first part depends on the size: a larger board has more cells that
//! are far from all stones and edges, and more cells along its edges, which have their own
//! codes and windows. Weights that were fitted on one size know the first part as a constant
//! and respond arbitrarily to any other: in gomoku the same eight stones in the middle of
//! 20x20 were worth 150 points more to the side to move than on 15x15. So the sums of the
//! empty board are replaced by those of the empty board of the size that the weights were
//! fitted on. The stones are counted where they stand.
//!
//! The offset applies to the embedded weights only: the boards that weights from a file were
//! fitted on are unknown.
//!
//! The offset depends only on the rule and the size. It is part of the sums that the
//! incremental updates start from, so that it costs no time per position.

use std::array::from_fn;

use super::embedding::Embedding;
use super::sums::{Sums, fresh};
use super::weights::Weights;
use super::windows::{self, FeatureSums};
use crate::board::Board;
use goren_core::rules::{Rule, RuleId, Setup};

/// Side of the boards that weights were fitted on.
const FITTED: usize = 15;

/// The difference between an empty board of the fitted size and one of the played size, in
/// each of the sums; 0 if the sizes are equal.
#[derive(Default)]
pub(super) struct SizeOffset {
    /// For the sums of the codes.
    pub(super) sums: Sums,
    /// For the window features of the evaluation network.
    pub(super) windows: FeatureSums,
    /// For the features of the policy net.
    pub(super) policy: FeatureSums,
}

impl SizeOffset {
    /// Computes the offset for boards of a setup.
    pub(super) fn new<R: Rule>(setup: Setup, weights: &Weights) -> SizeOffset {
        let mut offset = SizeOffset::default();
        let is_fitted = (setup.width, setup.height) == (FITTED, FITTED);
        if is_fitted || !weights.are_embedded() || knows_sizes(weights.rule()) {
            return offset;
        }
        let empty = Board::<R>::new(setup);
        let fitted = Board::<R>::new(Setup { width: FITTED, height: FITTED, ..setup });
        let features = |embedding: Option<&Embedding>| {
            let Some(embedding) = embedding.filter(|embedding| embedding.fits::<R>()) else {
                return FeatureSums::default();
            };
            let [from, to] = [&empty, &fitted].map(|board| windows::fresh(board, embedding));
            from_fn(|view| from_fn(|i| to[view][i] - from[view][i]))
        };
        offset.sums.exchange(&fresh(&empty, weights), &fresh(&fitted, weights));
        offset.windows = features(weights.net.as_ref().and_then(|net| net.windows.as_ref()));
        offset.policy = features(weights.policy().map(|net| &net.embedding));
        offset
    }
}

/// Whether the weights of a rule were fitted on boards of several sizes and distinguish
/// them. Those of freestyle were fitted on 15x15 and 20x20.
fn knows_sizes(rule: RuleId) -> bool {
    rule == RuleId::Freestyle
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::Eval;
    use goren_core::rules::{Caro, Freestyle, Renju, Standard};
    use goren_core::types::{Cell, Color, Score};

    fn board<R: Rule>(width: usize, height: usize) -> Board<R> {
        Board::new(Setup { rule: R::ID, width, height })
    }

    /// Sets up eight quiet stones in the middle of a square board, and evaluates them.
    fn in_the_middle<R: Rule>(side: usize, weights: Arc<Weights>) -> (Board<R>, Eval) {
        let mut board = board::<R>(side, side);
        let mut eval = Eval::new(&board, weights);
        let corner = side / 2 - 2;
        let stones = [(2, 2), (3, 3), (4, 2), (2, 4), (1, 3), (3, 1), (5, 3), (0, 1)];
        for (i, (x, y)) in stones.into_iter().enumerate() {
            board.make(Cell::new(corner + x, corner + y), Color::ALL[i % 2]);
            // As in a search, update the sums stone by stone.
            eval.score(&board, Color::White);
        }
        (board, eval)
    }

    #[test]
    fn the_same_stones_are_worth_nearly_the_same_on_a_larger_board() {
        /// Returns the difference of the scores on the two boards.
        fn difference<R: Rule>(weights: &Arc<Weights>) -> Score {
            let [small, large] = [15, 20].map(|side| {
                let (board, mut eval) = in_the_middle::<R>(side, weights.clone());
                eval.score(&board, Color::Black)
            });
            (large - small).abs()
        }
        // Weights from a file may have been fitted on boards of any size.
        let from_file = |rule| Weights::read(&Weights::embedded(rule).write(), rule).unwrap();
        let [own, read] = [Weights::embedded(RuleId::Standard), from_file(RuleId::Standard).into()];
        assert!(difference::<Standard>(&own) < 80 && difference::<Standard>(&read) > 100);
        let [own, read] = [Weights::embedded(RuleId::Caro), from_file(RuleId::Caro).into()];
        assert!(difference::<Caro>(&own) < 60 && difference::<Caro>(&read) > 60);
    }

    #[test]
    fn an_empty_board_has_the_sums_of_the_fitted_size() {
        fn has<R: Rule>((width, height): (usize, usize)) -> bool {
            let weights = Weights::embedded(R::ID);
            let (empty, fitted) = (board::<R>(width, height), board::<R>(FITTED, FITTED));
            let offset = SizeOffset::new::<R>(empty.setup(), &weights);
            let mut sums = fresh(&empty, &weights);
            sums.exchange(&Sums::default(), &offset.sums);
            let embedding = &weights.policy().unwrap().embedding;
            let [from, to] = [&empty, &fitted].map(|board| windows::fresh(board, embedding));
            let policy: FeatureSums =
                from_fn(|view| from_fn(|i| from[view][i] + offset.policy[view][i]));
            sums == fresh(&fitted, &weights) && policy == to
        }
        for size in [(15, 15), (20, 20), (9, 26)] {
            assert!(has::<Standard>(size) && has::<Renju>(size) && has::<Caro>(size), "{size:?}");
            // The weights of freestyle distinguish the sizes.
            assert_eq!(has::<Freestyle>(size), size == (15, 15), "{size:?}");
        }
    }

    #[test]
    fn the_offset_survives_takebacks_of_older_stones() {
        let weights = Weights::embedded(RuleId::Renju);
        let (mut board, mut eval) = in_the_middle::<Renju>(20, weights);
        let new = |board: &Board<Renju>| Eval::new(board, Weights::embedded(RuleId::Renju));
        let mut late = new(&board);
        assert_eq!(late.score(&board, Color::Black), eval.score(&board, Color::Black));
        for _ in 0..3 {
            board.unmake();
        }
        late.keep(board.placed());
        eval.keep(board.placed());
        let expected = new(&board).score(&board, Color::White);
        assert_eq!(late.score(&board, Color::White), expected);
        assert_eq!(eval.score(&board, Color::White), expected);
    }
}
