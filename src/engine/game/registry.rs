//! Dispatch from a game of the registry to its position type.

use std::sync::Arc;

use super::line_game::Tupled;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::{Contest, RuleId, Variant};

/// Generic code to run on the position of some game.
pub trait GameVisitor {
    /// What it returns.
    type Out;
    /// Called for five in a row.
    fn five(self, rule: RuleId) -> Self::Out;
    /// Called with an empty board for any other game.
    fn tupled<P: Tupled + 'static>(self, empty: P) -> Self::Out;
}

/// Writes [`with_game`] from the lines of the registry.
macro_rules! with_game {
    ($($(#[$doc:meta])* $Game:ident($Options:ident): $folder:ident;)*) => {
        /// Calls a visitor with the position type of a game. Games other than five in a
        /// row are evaluated by `weights`, or by the embedded ones if `None`.
        ///
        /// # Panics
        /// If the weights are for tuples of another length.
        pub fn with_game<V: GameVisitor>(
            contest: &Contest,
            weights: Option<Arc<TupleWeights>>,
            visitor: V,
        ) -> V::Out {
            match contest.variant {
                $(Variant::$Game(game) => super::$folder::visit(game, contest, weights, visitor),)*
            }
        }
    };
}

goren_core::for_each_game!(with_game);

#[cfg(test)]
mod tests {
    use super::super::five::Five;
    use super::super::position::{GenType, MoveList};
    use super::super::{Position, families};
    use super::*;
    use goren_core::rules::{Rule, Setup, Visitor, with_rule};
    use goren_core::types::Move;

    /// Span of the tuples, and the greater of the state numbers before and after a move.
    struct Shape;

    impl GameVisitor for Shape {
        type Out = Option<(usize, usize)>;

        fn five(self, _rule: RuleId) -> Self::Out {
            None
        }

        fn tupled<P: Tupled + 'static>(self, mut empty: P) -> Self::Out {
            let before = empty.state();
            let last = empty.board().empty().iter().last().unwrap();
            empty.make(Move::at(last));
            Some((empty.board().geometry().span(), before.max(empty.state())))
        }
    }

    /// Key of the empty board.
    struct Key(Setup);

    impl Visitor for Key {
        type Out = u64;

        fn visit<R: Rule>(self) -> u64 {
            Five::<R>::new(self.0).key()
        }
    }

    impl GameVisitor for Key {
        type Out = u64;

        fn five(self, rule: RuleId) -> u64 {
            with_rule(rule, Key(Setup { rule, ..self.0 }))
        }

        fn tupled<P: Tupled + 'static>(self, empty: P) -> u64 {
            empty.key()
        }
    }

    #[test]
    fn no_two_games_have_a_number_in_common() {
        let mut keys: Vec<(u64, Variant)> = Vec::new();
        for variant in Variant::all() {
            let contest = Contest::new(variant).on(12, 12).unwrap();
            let setup = Setup { rule: RuleId::Freestyle, width: 12, height: 12 };
            let key = with_game(&contest, None, Key(setup));
            let other = keys.iter().find(|(other, _)| *other == key);
            assert!(other.is_none(), "{variant} and {other:?} have one key");
            keys.push((key, variant));
        }
    }

    /// Compares the policy scores of moves with those in the list of moves, asked for after
    /// each stone of a game of some plies.
    struct PolicyScores;

    impl GameVisitor for PolicyScores {
        type Out = usize;

        fn five(self, _rule: RuleId) -> usize {
            0
        }

        fn tupled<P: Tupled + 'static>(self, mut position: P) -> usize {
            let mut compared = 0;
            for ply in 0..8 {
                if position.outcome().is_some() {
                    break;
                }
                let mut asked = position.clone();
                let mut moves = MoveList::new();
                position.moves(GenType::Main, &mut moves);
                for entry in &moves {
                    assert_eq!(asked.clone().policy_score(entry.m), entry.score);
                    compared += 1;
                }
                let legal = |m: &Move| asked.is_legal(*m);
                let cells = moves.iter().map(|entry| entry.m).filter(legal);
                let Some(m) = cells.take(2 + ply).last() else { break };
                position.make(m);
            }
            compared
        }
    }

    #[test]
    fn policy_scores_are_those_of_the_board_whoever_asks_first() {
        for variant in Variant::all() {
            let compared = with_game(&Contest::new(variant), None, PolicyScores);
            assert!(compared > 20 || matches!(variant, Variant::Five(_)), "{variant} {compared}");
        }
    }

    #[test]
    fn weights_fit_the_games_of_their_family() {
        for variant in Variant::all() {
            let shape = with_game(&Contest::new(variant), None, Shape);
            let Some(family) = families::family(variant) else {
                assert_eq!(shape, None);
                continue;
            };
            let (span, state) = shape.unwrap();
            assert_eq!(span, family.span(), "{variant}");
            assert!(state < family.states().max(1), "{variant}");
            // The constructor panics on weights of another tuple length.
            for weights in [family.weights(), Arc::new(family.by_hand())] {
                assert_eq!((weights.span(), weights.states().len()), (span, family.states()));
            }
        }
    }
}
