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
    use crate::board::Codes;
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

    /// Plays some stones, and after each compares the policy scores of the listed moves with
    /// those of the windows of a board built from the stones alone.
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
                // Neither has been asked for anything since the last stone.
                let (mut asked, mut moves) = (position.clone(), MoveList::new());
                position.moves(GenType::Main, &mut moves);
                for entry in &moves {
                    let windows = codes.windows(entry.m.cell());
                    let to_move = asked.to_move();
                    let expected = asked.weights().policy_score(windows, to_move)?;
                    assert_eq!([entry.score, asked.policy_score(entry.m)], [expected; 2]);
                    compared += 1;
                }
                let legal = moves.iter().map(|entry| entry.m).filter(|&m| asked.is_legal(m));
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
    fn policy_scores_are_those_of_the_stones_whoever_asks_first() {
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
            for weights in [family.weights(), Arc::new(family.by_hand())] {
                assert_eq!((weights.span(), weights.states().len()), (span, family.states()));
            }
        }
    }
}
