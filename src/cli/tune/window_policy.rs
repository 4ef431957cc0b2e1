//! The policy values of windows, in the games on a line-count board: the values of the four
//! windows of a cell are added to the hand-made policy score of a move there.

use anyhow::Result;

use super::encoded::MoveChoice;
use super::quantize::{check_finite, stored};
use super::ties::Ties;
use goren_core::types::{Cell, Color};
use goren_engine::eval::tuple_codes::{WINDOW_CODES, canonical_window, exchanged};
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::game::{GenType, MoveList, Tupled};

/// Policy score per unit of log-odds: twice that of five in a row, which did better in
/// matches of Pente.
pub(super) const SCALE: f32 = 200.0;
/// Expected deviation of the values from their prior.
const SPREAD: f32 = 80.0;

/// The choice of the best move of a search among the moves that the search tries first;
/// `None` if these are fewer than two. A best move outside of them is counted in `unlisted`.
pub(super) fn choice(
    position: &mut impl Tupled,
    best: Cell,
    unlisted: &mut usize,
) -> Option<MoveChoice> {
    let mut moves = MoveList::new();
    position.moves(GenType::Main, &mut moves);
    let found = moves.iter().position(|entry| entry.m.cell() == best);
    if found.is_none() && !moves.is_empty() {
        *unlisted += 1;
    }
    let best = found.filter(|_| moves.len() >= 2)?;
    let white = position.to_move() == Color::White;
    let own = |code: u16| canonical_window(if white { exchanged(code) } else { code });
    let codes = position.codes();
    Some(MoveChoice {
        candidates: moves.iter().map(|entry| codes.windows(entry.m.cell()).map(own)).collect(),
        best,
    })
}

/// The vector of the policy values of weights, by window code; only canonical codes
/// count.
pub(super) fn vector(weights: &TupleWeights) -> Vec<f32> {
    let value = |code: u16| f32::from(weights.window_policy(code).unwrap_or_default());
    (0..=(WINDOW_CODES - 1) as u16).map(value).collect()
}

/// The ties of the ordering: values deviate from those of `base`.
pub(super) fn ties(base: &TupleWeights) -> Ties {
    let mut ties = Ties::default();
    for (code, &value) in vector(base).iter().enumerate() {
        let is_canonical = canonical_window(code as u16) == code as u16;
        ties.add_with_prior(if is_canonical { SPREAD } else { 0.0 }, value);
    }
    ties
}

/// Weights with the policy values of a vector.
///
/// # Errors
/// A number is not finite.
pub(super) fn with_values(weights: TupleWeights, values: &[f32]) -> Result<TupleWeights> {
    check_finite(values, "ordering")?;
    Ok(weights.with_window_policy(|code| stored(values[usize::from(code)], 1.0)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use goren_core::rules::{Contest, OpeningId, RuleId, Variant};
    use goren_core::types::Move;
    use goren_core::types::keys::mix;
    use goren_engine::game::{GameVisitor, tuple_family, with_game};

    /// Compares the scores of candidates in a random game with the engine's policy scores.
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
                if let Some(choice) = choice(&mut position, played.cell(), &mut 0) {
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
    fn candidates_score_as_in_the_engine() {
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
    fn a_best_move_outside_the_main_list_is_no_choice() {
        struct Far;

        impl GameVisitor for Far {
            type Out = [(bool, usize); 2];

            fn five(self, _rule: RuleId) -> Self::Out {
                [(false, 0); 2]
            }

            fn tupled<P: Tupled + 'static>(self, mut position: P) -> Self::Out {
                position.make(Move::at(Cell::new(9, 9)));
                [(10, 10), (0, 0)].map(|(x, y)| {
                    let mut unlisted = 0;
                    let choice = choice(&mut position, Cell::new(x, y), &mut unlisted);
                    (choice.is_some(), unlisted)
                })
            }
        }

        let contest = Contest::new(Variant::from_name("pente").unwrap());
        assert_eq!(with_game(&contest, None, Far), [(true, 0), (false, 1)]);
    }
}
