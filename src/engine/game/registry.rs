//! Dispatch from a game of the registry to its position type.

use std::sync::Arc;

use super::line_game::Tupled;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::{Contest, RuleId, Variant};

/// Generic code that runs on the position of any game.
pub trait GameVisitor {
    /// The return type.
    type Out;
    /// Runs for five in a row.
    fn five(self, rule: RuleId) -> Self::Out;
    /// Runs on an empty board of any other game.
    fn tupled<P: Tupled + 'static>(self, empty: P) -> Self::Out;
}

/// Generates [`with_game`] from the lines of the registry.
macro_rules! with_game {
    (
        $(#[$five:meta])* Five(RuleId): five;
        $($(#[$doc:meta])* $Game:ident($Options:ident): $folder:ident;)*
    ) => {
        /// Calls a visitor with the position type of a game. The evaluation of games other
        /// than five in a row uses `weights`, or the embedded ones if `None`.
        ///
        /// # Panics
        /// If the weights are for tuples of another length.
        pub fn with_game<V: GameVisitor>(
            contest: &Contest,
            weights: Option<Arc<TupleWeights>>,
            visitor: V,
        ) -> V::Out {
            match contest.variant {
                Variant::Five(rule) => visitor.five(rule),
                $(Variant::$Game(game) => {
                    let embedded = || super::$folder::tuple_family(game).weights();
                    let weights = weights.unwrap_or_else(embedded);
                    visitor.tupled(super::$folder::$Game::new(game, contest, weights))
                })*
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
    use crate::board::Codes;
    use goren_core::rules::{Rule, Setup, Visitor, with_rule};
    use goren_core::types::Move;

    /// Visitor: span of the tuples, and the greater of the state numbers before and after a
    /// move.
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

    /// Visitor: key of the empty board.
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
    fn empty_boards_of_different_games_have_different_keys() {
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

    /// Visitor: plays some stones, and after each compares the policy scores of the generated
    /// moves with the scores of the windows of a board built from the stones alone. Returns the
    /// number of compared moves.
    struct PolicyScores;

    impl GameVisitor for PolicyScores {
        type Out = Option<usize>;

        fn five(self, _rule: RuleId) -> Option<usize> {
            None
        }

        fn tupled<P: Tupled + 'static>(self, mut position: P) -> Option<usize> {
            let mut compared = 0;
            for ply in 0..8 {
                let board = position.board();
                let mut codes = Codes::new(board.geometry());
                for cell in board.stones().iter() {
                    let color = board.color(cell).unwrap();
                    codes.flip(board.geometry(), (cell, color), |_, _| {});
                }
                // Neither position has computed anything since the last stone.
                let (mut copy, mut moves) = (position.clone(), MoveList::new());
                position.moves(GenType::Main, &mut moves);
                for entry in &moves {
                    let windows = codes.windows(entry.m.cell());
                    let to_move = copy.to_move();
                    let expected = copy.weights().policy_score(windows, to_move)?;
                    assert_eq!([entry.score, copy.policy_score(entry.m)], [expected; 2]);
                    compared += 1;
                }
                let legal = moves.iter().map(|entry| entry.m).filter(|&m| copy.is_legal(m));
                let Some(m) = legal.take(2 + ply).last() else { break };
                position.make(m);
                if position.outcome().is_some() {
                    break;
                }
            }
            Some(compared)
        }
    }

    #[test]
    fn policy_scores_agree_with_those_of_a_rebuilt_board() {
        let compared = |variant| with_game(&Contest::new(variant), None, PolicyScores);
        let compared: Vec<usize> = Variant::all().into_iter().filter_map(compared).collect();
        assert!(compared.len() >= 5 && compared.iter().all(|&moves| moves > 20), "{compared:?}");
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
            for weights in [family.weights(), Arc::new(family.hand_made_weights())] {
                assert_eq!((weights.span(), weights.states().len()), (span, family.states()));
            }
        }
    }
}
