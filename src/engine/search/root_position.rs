//! Root positions of any game of the family, given by the events of the game.

use super::searchable::{HasPosition, Searchable};
use crate::eval::set::WeightSet;
use crate::game::families::family;
use crate::game::{Five, GameVisitor, Replay, Tupled, with_game};
use goren_core::opening::{Event, GameState};
use goren_core::rules::{Contest, Rule, RuleId, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, Move};

/// A position to search: the events of the game, the side to move and how many
/// stones it places now.
///
/// In formats of serde it has its fields by name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RootPosition {
    /// Stones on the board before the first event, in unknown order.
    pub laid: Vec<(Cell, Color)>,
    /// Stones in the order they were placed, and passes.
    pub events: Vec<Event>,
    /// The side to move.
    pub to_move: Color,
    /// Stones it has still to place in this turn.
    pub stones: usize,
    /// Number of the last events that are stones of this turn.
    pub placed: usize,
}

impl RootPosition {
    /// The board of a game, with `placed` stones of the side to move in this turn
    /// and so many still to come.
    pub fn of(
        game_state: &GameState,
        placed: &[Cell],
        to_move: Color,
        stones: usize,
    ) -> RootPosition {
        let more = placed.iter().map(|&cell| Event::Stone(cell, to_move));
        let events = game_state.events().iter().copied().chain(more).collect();
        RootPosition { laid: Vec::new(), events, to_move, stones, placed: placed.len() }
    }

    /// Plays it on an empty board; returns the number of stones.
    pub fn replay<P: Replay>(&self, position: &mut P) -> usize {
        for &(cell, color) in &self.laid {
            position.lay(cell, color);
        }
        let mut stones = self.laid.len();
        let turn = self.events.len().saturating_sub(self.placed);
        for (i, event) in self.events.iter().enumerate() {
            if i == turn {
                position.hand_to(self.to_move, self.stones + self.placed);
            }
            match *event {
                Event::Stone(cell, _) if i >= turn => {
                    position.make(Move::at(cell));
                    stones += 1;
                }
                Event::Stone(cell, color) => {
                    position.place(cell, color);
                    stones += 1;
                }
                Event::Pass => position.pass(),
            }
        }
        if self.placed == 0 {
            position.hand_to(self.to_move, self.stones);
        }
        stones
    }
}

/// A position of any game of the family, set by a [`RootPosition`].
pub trait Replayed: Searchable + Send {
    /// Sets the position.
    fn set(&mut self, root: &RootPosition);
    /// Clears what its solvers keep from earlier positions.
    fn forget(&mut self);
}

/// A [`Replayed`] position of one game.
struct Replaying<P: Replay> {
    empty: P,
    area: usize,
    position: P,
    stones: usize,
}

impl<P: Replay> Replayed for Replaying<P> {
    fn set(&mut self, root: &RootPosition) {
        self.position = self.empty.clone();
        self.stones = root.replay(&mut self.position);
    }

    fn forget(&mut self) {
        self.empty.forget();
        self.position.forget();
    }
}

impl<P: Replay> HasPosition for Replaying<P> {
    type Position = P;

    fn position(&self) -> &P {
        &self.position
    }

    fn empty(&self) -> P {
        self.empty.clone()
    }

    fn size(&self) -> (usize, usize) {
        (self.stones, self.area)
    }
}

/// The empty board of a game, evaluated by the weights of the set.
pub fn new_position(contest: &Contest, weights: &WeightSet) -> Box<dyn Replayed> {
    struct New<'a>(&'a Contest, &'a WeightSet);
    impl New<'_> {
        fn of<P: Replay + 'static>(&self, empty: P) -> Box<dyn Replayed> {
            let area = self.0.width * self.0.height;
            Box::new(Replaying { position: empty.clone(), empty, area, stones: 0 })
        }
    }
    impl Visitor for New<'_> {
        type Out = Box<dyn Replayed>;
        fn visit<R: Rule>(self) -> Self::Out {
            let (width, height) = (self.0.width, self.0.height);
            let setup = Setup { rule: R::ID, width, height };
            self.of(Five::<R>::with_weights(setup, self.1.of(R::ID)))
        }
    }
    impl GameVisitor for New<'_> {
        type Out = Box<dyn Replayed>;
        fn five(self, rule: RuleId) -> Self::Out {
            with_rule(rule, self)
        }
        fn tupled<P: Tupled + 'static>(self, empty: P) -> Self::Out {
            self.of(empty)
        }
    }
    let tuples = family(contest.variant).map(|family| weights.tuples(family));
    with_game(contest, tuples, New(contest, weights))
}
