//! Fit of the policy values of windows, in the games on a line-count board: the values of
//! the four windows of a cell are added to the hand-made policy score of a move there.

use anyhow::{Result, ensure};

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::learn::learn;
use super::loaded::Split;
use super::model::Ties;
use super::ordering::Ordering;
use super::positions::{Choice, Positions};
use super::report::OrderingReport;
use super::train::{Epoch, Fit, Schedule};
use goren_core::types::{Cell, Color};
use goren_engine::eval::tuple_codes::{WINDOW_CODES, canonical_window, exchanged};
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::game::{GenType, MoveList, Tupled};

/// Policy score that multiplies the odds of a move by e: twice as much as in five in a row,
/// as matches of Pente preferred.
const SCALE: f32 = 200.0;
/// Expected magnitude of the values.
const SPREAD: f32 = 80.0;

/// The choice of the move that a search found best, if it had one among the moves that it
/// tries first.
pub(super) fn choice(position: &mut impl Tupled, best: Cell) -> Option<Choice> {
    let mut moves = MoveList::new();
    position.moves(GenType::Main, &mut moves);
    let best = moves.iter().position(|entry| entry.m.cell() == best)?;
    if moves.len() < 2 {
        return None;
    }
    let white = position.to_move() == Color::White;
    let own = |code: u16| canonical_window(if white { exchanged(code) } else { code });
    let codes = position.codes();
    Some(Choice {
        candidates: moves.iter().map(|entry| codes.windows(entry.m.cell()).map(own)).collect(),
        best,
    })
}

/// The policy values of weights by the code of a window; only those of canonical codes
/// count.
fn vector(weights: &TupleWeights) -> Vec<f32> {
    let value = |code: u16| f32::from(weights.window_policy(code).unwrap_or_default());
    (0..=(WINDOW_CODES - 1) as u16).map(value).collect()
}

/// The result of the fit.
pub(super) struct WindowPolicy {
    /// The weights with the fitted values.
    pub weights: TupleWeights,
    pub epochs: Vec<Epoch>,
    pub report: OrderingReport,
}

/// Fits the values, around those of `base`, and adds them to `tuned`. `None` if the data
/// have no choices to learn from and to judge by.
///
/// # Errors
/// The fit fails.
pub(super) fn fit(
    args: &Args,
    data: &Positions,
    split: &Split,
    base: &TupleWeights,
    tuned: TupleWeights,
    checkpoint: &mut Checkpoint,
) -> Result<Option<WindowPolicy>> {
    let free = |samples: &[u32]| -> Vec<u32> {
        let has_choice = |&&i: &&u32| !data.candidates_at(i as usize).is_empty();
        samples.iter().filter(has_choice).copied().collect()
    };
    let (train, valid) = (free(&split.train), free(&split.valid));
    if train.is_empty() || valid.is_empty() {
        return Ok(None);
    }
    let before = vector(base);
    let mut ties = Ties::default();
    for (code, &value) in before.iter().enumerate() {
        let canonical = canonical_window(code as u16) == code as u16;
        ties.add_around(if canonical { SPREAD } else { 0.0 }, value);
    }
    let ordering = Ordering { positions: data, scale: SCALE };
    let Args { epochs, batch, rate, seed, .. } = *args;
    let schedule = Schedule { epochs, batch, rate, seed };
    let Fit { weights, epochs } =
        learn("ordering", &ordering, &ties, &train, &valid, &schedule, checkpoint)?;
    ensure!(weights.iter().all(|value| value.is_finite()), "a weight is not finite");
    // A cast from a float keeps to the range of the integer.
    let tuned = tuned.with_window_policy(|code| weights[usize::from(code)].round() as i16);
    let report = OrderingReport::new(&ordering, &valid, [&before, &vector(&tuned)]);
    Ok(Some(WindowPolicy { weights: tuned, epochs, report }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use goren_core::rules::{Contest, OpeningId, RuleId, Variant};
    use goren_core::types::Move;
    use goren_core::types::keys::mix;
    use goren_engine::game::{GameVisitor, tuple_family, with_game};

    /// Compares candidates of a random game with what the engine says of its moves.
    struct Compare(Vec<f32>);

    impl GameVisitor for Compare {
        type Out = usize;

        fn five(self, _rule: RuleId) -> usize {
            0
        }

        fn tupled<P: Tupled + 'static>(self, mut position: P) -> usize {
            let mut compared = 0;
            for seed in 0..30 {
                let mut moves = MoveList::new();
                position.moves(GenType::Main, &mut moves);
                moves.retain(|entry| position.is_legal(entry.m));
                if position.outcome().is_some() || moves.is_empty() {
                    break;
                }
                let played = moves[mix(seed) as usize % moves.len()].m;
                if let Some(choice) = choice(&mut position, played.cell()) {
                    let score = |candidate: &[u16; 4]| -> i32 {
                        candidate.iter().map(|&code| self.0[usize::from(code)] as i32).sum()
                    };
                    let best = score(&choice.candidates[choice.best]);
                    assert_eq!(position.policy_score(played), best);
                    compared += 1;
                }
                position.make(played);
            }
            compared
        }
    }

    #[test]
    fn candidates_are_worth_what_the_engine_says() {
        for name in ["pente", "connect6", "connect6+torus", "irensei"] {
            let variant = Variant::from_name(name).unwrap();
            let contest = Contest { opening: OpeningId::Free, ..Contest::new(variant) };
            let family = tuple_family(variant).unwrap();
            let value = |code: u16| (mix(code.into()) % 400) as i16 - 200;
            let weights = TupleWeights::clone(&family.weights()).with_window_policy(value);
            let by_code = vector(&weights);
            let compared = with_game(&contest, Some(Arc::new(weights)), Compare(by_code));
            assert!(compared > 10, "{name}: {compared}");
        }
    }

    #[test]
    fn a_move_that_is_not_tried_first_is_no_choice() {
        struct Far;

        impl GameVisitor for Far {
            type Out = [bool; 2];

            fn five(self, _rule: RuleId) -> [bool; 2] {
                [false; 2]
            }

            fn tupled<P: Tupled + 'static>(self, mut position: P) -> [bool; 2] {
                position.make(Move::at(Cell::new(9, 9)));
                [(10, 10), (0, 0)].map(|(x, y)| choice(&mut position, Cell::new(x, y)).is_some())
            }
        }

        let contest = Contest::new(Variant::from_name("pente").unwrap());
        assert_eq!(with_game(&contest, None, Far), [true, false]);
    }
}
