//! The [`Game`] behind every variant of five in a row.

use std::sync::Arc;

use super::game::{Features, Game};
use super::searchable::HasPosition;
use crate::eval::Weights;
use crate::game::{Five, Position};
use crate::pattern::Class;
use crate::threat::Verdict;
use goren_core::rules::referee::{IllegalMove, Impossible, listed};
use goren_core::rules::{Contest, Outcome, Rule, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, Score, Stone, loss_in, win_in};

/// An empty game of a variant, evaluated by the embedded weights.
pub fn new_game(setup: Setup) -> Box<dyn Game> {
    new_game_with(setup, Weights::embedded(setup.rule))
}

/// An empty game of a variant, evaluated by some weights for it.
///
/// # Panics
/// In debug builds, if the weights are of another variant.
pub fn new_game_with(setup: Setup, weights: Arc<Weights>) -> Box<dyn Game> {
    struct New(Setup, Arc<Weights>);
    impl Visitor for New {
        type Out = Box<dyn Game>;
        fn visit<R: Rule>(self) -> Self::Out {
            Box::new(FiveGame::<R>::new(self.0, self.1))
        }
    }
    with_rule(setup.rule, New(setup, weights))
}

struct FiveGame<R: Rule> {
    position: Five<R>,
}

impl<R: Rule> FiveGame<R> {
    fn new(setup: Setup, weights: Arc<Weights>) -> FiveGame<R> {
        FiveGame { position: Five::with_weights(setup, weights) }
    }

    /// An empty game of the same kind.
    fn fresh(&self) -> FiveGame<R> {
        FiveGame::new(self.position.board().setup(), self.position.weights().clone())
    }

    fn check(&self, cell: Cell) -> Result<(), IllegalMove> {
        let setup = self.position.board().setup();
        if self.position.outcome().is_some() {
            Err(IllegalMove::GameOver)
        } else if cell.x() >= setup.width || cell.y() >= setup.height {
            Err(IllegalMove::Outside)
        } else if !self.position.board().is_empty(cell) {
            Err(IllegalMove::Occupied)
        } else {
            Ok(())
        }
    }
}

impl<R: Rule> Game for FiveGame<R> {
    fn setup(&self) -> Setup {
        self.position.board().setup()
    }

    fn to_move(&self) -> Color {
        self.position.to_move()
    }

    fn stones(&self) -> Vec<(Cell, Stone)> {
        self.position.board().stones().collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn play(&mut self, cell: Cell) -> Result<(), IllegalMove> {
        self.check(cell)?;
        self.position.put(cell, self.position.to_move());
        Ok(())
    }

    fn take_back(&mut self) -> Option<Cell> {
        self.position.take_back().map(|(cell, _)| cell)
    }

    fn set_up(&mut self, stones: &[(Cell, Stone)], to_move: Color) -> Result<(), Impossible> {
        let (referee, end) = listed(&Contest::five(self.setup()), stones, to_move)?;
        let mut position = self.fresh().position;
        for &(cell, stone) in referee.in_order().unwrap_or(stones) {
            position.set_down(cell, stone);
        }
        if let Some(&[winner]) = end.as_ref().map(|end| &end.winners[..]) {
            position.end(winner);
        }
        position.set_to_move(to_move);
        self.position = position;
        Ok(())
    }

    fn forbidden(&mut self) -> Vec<Cell> {
        self.position.forbidden()
    }

    fn verdict(&mut self) -> Option<Score> {
        let mover = self.position.to_move();
        match (self.position.outcome(), self.position.verdict()) {
            (Some(Outcome::Draw), _) => Some(0),
            (Some(Outcome::Win(color)), _) if color == mover => Some(win_in(0)),
            (Some(Outcome::Win(_)), _) => Some(loss_in(0)),
            (None, Verdict::Win(plies)) => Some(win_in(plies)),
            (None, Verdict::Loss(plies)) => Some(loss_in(plies)),
            (None, Verdict::Unknown) => None,
        }
    }

    fn features(&mut self) -> Features {
        let score = self.position.evaluate();
        let board = self.position.board();
        let mut cells = [[0; Class::COUNT]; 2];
        for cell in board.empty().iter() {
            for color in Color::ALL {
                cells[color.index()][board.class(color, cell) as usize] += 1;
            }
        }
        Features { score, cells }
    }
}

impl<R: Rule> HasPosition for FiveGame<R> {
    type Position = Five<R>;

    fn position(&self) -> &Five<R> {
        &self.position
    }

    fn empty(&self) -> Five<R> {
        self.fresh().position
    }

    fn size(&self) -> (usize, usize) {
        (self.position.board().placed(), self.setup().area())
    }
}
