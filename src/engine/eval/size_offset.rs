//! What sums over the board lack on boards of another size than weights were fitted on.
//!
//! A sum over the cells of a board is that of the empty board plus what the stones change.
//! Only the first part depends on the size: a larger board has more cells that are far from
//! all stones and edges, and more cells along its edges, which have codes and windows of
//! their own. Weights that were fitted on one size know the first part as a constant. What
//! their values and layers say of another constant is an accident: in gomoku the same eight
//! stones in the middle of 20x20 were worth 150 points more to the side to move than on
//! 15x15. So the sums of the empty board are replaced by those of the empty board of the
//! size that the weights were fitted on. The stones are counted where they stand.
//!
//! That holds for the weights that come with the program. Of others it is not known on which
//! boards they were fitted.
//!
//! What is added depends on nothing but the rule and the size. It is in the sums from which
//! the incremental updates start, so that no position takes longer.

use std::array::from_fn;

use super::embedding::Embedding;
use super::sums::{Sums, fresh};
use super::weights::Weights;
use super::windows::{self, FeatureSums};
use crate::board::Board;
use goren_core::rules::{Rule, RuleId, Setup};

/// Side of the boards that weights were fitted on.
const FITTED: usize = 15;

/// The difference between an empty board of the size fitted and one of the size played, in
/// each of the sums; 0 where these are of the same size.
#[derive(Default)]
pub(super) struct SizeOffset {
    /// In the sums of the codes.
    pub(super) sums: Sums,
    /// In the window features of the evaluation network.
    pub(super) windows: FeatureSums,
    /// In the features of the policy net.
    pub(super) policy: FeatureSums,
}

impl SizeOffset {
    /// The offset for boards of a setup.
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
            let [was, is] = [&empty, &fitted].map(|board| windows::fresh(board, embedding));
            from_fn(|view| from_fn(|i| is[view][i] - was[view][i]))
        };
        offset.sums.exchange(&fresh(&empty, weights), &fresh(&fitted, weights));
        offset.windows = features(weights.net.as_ref().and_then(|net| net.windows.as_ref()));
        offset.policy = features(weights.policy().map(|net| &net.embedding));
        offset
    }
}

/// Whether the weights of a rule were fitted on boards of several sizes and know them apart:
/// those of freestyle were, on 15x15 and 20x20. Others join them once they are.
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

    /// Eight quiet stones in the middle of a square board, and their evaluation.
    fn in_the_middle<R: Rule>(side: usize, weights: Arc<Weights>) -> (Board<R>, Eval) {
        let mut board = board::<R>(side, side);
        let mut eval = Eval::new(&board, weights);
        let corner = side / 2 - 2;
        let stones = [(2, 2), (3, 3), (4, 2), (2, 4), (1, 3), (3, 1), (5, 3), (0, 1)];
        for (i, (x, y)) in stones.into_iter().enumerate() {
            board.make(Cell::new(corner + x, corner + y), Color::ALL[i % 2]);
            // As in a search: the sums are updated from stone to stone.
            eval.score(&board, Color::White);
        }
        (board, eval)
    }

    #[test]
    fn the_same_stones_are_worth_nearly_the_same_on_a_larger_board() {
        /// How far the scores on the two boards are apart.
        fn apart<R: Rule>(weights: &Arc<Weights>) -> Score {
            let [small, large] = [15, 20].map(|side| {
                let (board, mut eval) = in_the_middle::<R>(side, weights.clone());
                eval.score(&board, Color::Black)
            });
            (large - small).abs()
        }
        // The same from a file: these may have been fitted on boards of any size.
        let from_file = |rule| Weights::read(&Weights::embedded(rule).write(), rule).unwrap();
        let [own, read] = [Weights::embedded(RuleId::Standard), from_file(RuleId::Standard).into()];
        assert!(apart::<Standard>(&own) < 80 && apart::<Standard>(&read) > 100);
        let [own, read] = [Weights::embedded(RuleId::Caro), from_file(RuleId::Caro).into()];
        assert!(apart::<Caro>(&own) < 60 && apart::<Caro>(&read) > 60);
    }

    #[test]
    fn an_empty_board_has_the_sums_of_the_size_fitted() {
        fn has<R: Rule>((width, height): (usize, usize)) -> bool {
            let weights = Weights::embedded(R::ID);
            let (empty, fitted) = (board::<R>(width, height), board::<R>(FITTED, FITTED));
            let offset = SizeOffset::new::<R>(empty.setup(), &weights);
            let mut sums = fresh(&empty, &weights);
            sums.exchange(&Sums::default(), &offset.sums);
            let embedding = &weights.policy().unwrap().embedding;
            let [was, is] = [&empty, &fitted].map(|board| windows::fresh(board, embedding));
            let policy: FeatureSums =
                from_fn(|view| from_fn(|i| was[view][i] + offset.policy[view][i]));
            sums == fresh(&fitted, &weights) && policy == is
        }
        for size in [(15, 15), (20, 20), (9, 26)] {
            assert!(has::<Standard>(size) && has::<Renju>(size) && has::<Caro>(size), "{size:?}");
            // Its weights know the sizes apart.
            assert_eq!(has::<Freestyle>(size), size == (15, 15), "{size:?}");
        }
    }

    #[test]
    fn the_offset_stays_when_older_stones_are_taken_back() {
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
