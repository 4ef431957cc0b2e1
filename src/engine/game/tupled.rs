//! Games that are evaluated by tuples, and their registry.

use std::sync::Arc;

use super::{Connect6, FourInARow, Irensei, Pente, Replay};
use crate::board::LineCountBoard;
use crate::eval::tuples::TupleWeights;
use goren_core::rules::{Contest, RuleId, Variant};

/// A position that is evaluated by the tuples of a board and by its state.
pub trait Tupled: Replay {
    /// The stones.
    fn board(&self) -> &LineCountBoard;
    /// Number of the state, which the evaluation distinguishes.
    fn state(&self) -> usize {
        0
    }
    /// Stones captured by Black and White.
    fn captured(&self) -> [usize; 2] {
        [0, 0]
    }
    /// The weights.
    fn weights(&self) -> &TupleWeights;
}

impl Tupled for Pente {
    fn board(&self) -> &LineCountBoard {
        self.board()
    }

    fn state(&self) -> usize {
        self.state()
    }

    fn captured(&self) -> [usize; 2] {
        self.captured()
    }

    fn weights(&self) -> &TupleWeights {
        self.eval().weights()
    }
}

impl Tupled for Connect6 {
    fn board(&self) -> &LineCountBoard {
        self.board()
    }

    fn state(&self) -> usize {
        self.left() - 1
    }

    fn weights(&self) -> &TupleWeights {
        self.eval().weights()
    }
}

impl Tupled for FourInARow {
    fn board(&self) -> &LineCountBoard {
        self.board()
    }

    fn weights(&self) -> &TupleWeights {
        self.eval().weights()
    }
}

impl Tupled for Irensei {
    fn board(&self) -> &LineCountBoard {
        self.board()
    }

    fn weights(&self) -> &TupleWeights {
        self.eval().weights()
    }
}

/// Code for the positions of any game.
pub trait GameVisitor {
    /// What it makes.
    type Out;
    /// Called for games of five in a row.
    fn five(self, rule: RuleId) -> Self::Out;
    /// Called with an empty board of any other game.
    fn tupled<P: Tupled + 'static>(self, empty: P) -> Self::Out;
}

/// Calls a visitor with the position of a game, evaluated by these tuple weights or
/// hand-made ones.
pub fn with_game<V: GameVisitor>(
    contest: &Contest,
    weights: Option<Arc<TupleWeights>>,
    visitor: V,
) -> V::Out {
    match contest.variant {
        Variant::Five(rule) => visitor.five(rule),
        Variant::Pente(game) => {
            let weights = weights.unwrap_or_else(|| Pente::weights_by_hand(&game).into());
            visitor.tupled(Pente::new(contest, weights))
        }
        Variant::Connect6(game) => {
            let weights = weights.unwrap_or_else(|| Connect6::weights_by_hand(&game).into());
            visitor.tupled(Connect6::new(contest, weights))
        }
        Variant::FourInARow(_) => {
            let weights = weights.unwrap_or_else(|| FourInARow::weights_by_hand().into());
            visitor.tupled(FourInARow::new(contest, weights))
        }
        Variant::Irensei => {
            let weights = weights.unwrap_or_else(Irensei::weights_by_hand);
            visitor.tupled(Irensei::new(contest, weights))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::TupleFamily;
    use goren_core::types::Move;

    /// Cells of tuples, and the larger number of the first two states.
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

    #[test]
    fn weights_fit_the_games_of_their_family() {
        for variant in Variant::all() {
            let shape = with_game(&Contest::new(variant), None, Shape);
            let Some(family) = TupleFamily::of(variant) else {
                assert_eq!(shape, None);
                continue;
            };
            let (span, state) = shape.unwrap();
            assert_eq!(span, family.span(), "{variant}");
            assert!(state < family.states().max(1), "{variant}");
            // Weights of tuples of another length would have panicked.
            let states = match variant {
                Variant::Pente(game) => Pente::weights_by_hand(&game).states().len(),
                _ => family.states(),
            };
            assert_eq!(states, family.states(), "{variant}");
        }
    }
}
