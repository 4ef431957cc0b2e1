//! What searches the positions of any game of the family: one object per game
//! behind one trait.

use std::time::Instant;

use super::control::Control;
use super::game::{Answer, Limits, Report};
use super::mind::{Budgeted, Mind};
use super::params::Params;
use crate::eval::{TupleFamily, WeightSet};
use crate::game::{Five, GameVisitor, Replay, Tupled, with_game};
use crate::tt::Table;
use goren_core::opening::{Course, Event};
use goren_core::rules::{Contest, Rule, RuleId, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, Move};

/// A position to be searched: all that happened, and who places how many
/// stones now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// Stones that stood there before, in no known order.
    pub laid: Vec<(Cell, Color)>,
    /// Stones in the order they were placed, and passes.
    pub events: Vec<Event>,
    /// Who is to move.
    pub to_move: Color,
    /// How many stones he has still to place in this turn.
    pub stones: usize,
    /// How many of the newest events are stones that he has placed in it.
    pub placed: usize,
}

impl Scene {
    /// What is on the board of a game, `placed` by the side to move in this
    /// turn besides, with so many stones of the turn still to come.
    pub fn of(course: &Course, placed: &[Cell], to_move: Color, stones: usize) -> Scene {
        let more = placed.iter().map(|&cell| Event::Stone(cell, to_move));
        let events = course.events().iter().copied().chain(more).collect();
        Scene { laid: Vec::new(), events, to_move, stones, placed: placed.len() }
    }

    /// Goes to it on an empty board; how many stones were placed.
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

/// What searches the positions of one game.
pub trait Brain: Send {
    /// Finds a stone for the side to move. Reports as it goes.
    fn think(
        &mut self,
        scene: &Scene,
        table: &Table,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Answer;
    /// Searches a little, until some time at the latest, so that what searches
    /// need is at hand when their time counts. What was learnt from earlier
    /// searches is forgotten.
    fn rehearse(&mut self, until: Instant);
    /// Searches by other numbers from now on.
    fn tune(&mut self, params: &Params);
    /// Forgets what was learnt from earlier searches (not the table).
    fn forget(&mut self);
}

/// A [`Brain`] for one kind of position.
struct Searcher<P: Replay> {
    empty: P,
    area: usize,
    mind: Mind,
}

impl<P: Replay> Brain for Searcher<P> {
    fn think(
        &mut self,
        scene: &Scene,
        table: &Table,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Answer {
        let mut position = self.empty.clone();
        let stones = scene.replay(&mut position);
        let budget = limits.clock.budget(stones, self.area);
        let budgeted = Budgeted { limits, budget, stones };
        self.mind.think(&position, table, &budgeted, control, report)
    }

    fn rehearse(&mut self, until: Instant) {
        self.mind.rehearse(self.empty.clone(), until);
    }

    fn tune(&mut self, params: &Params) {
        self.mind.params = params.clone();
    }

    fn forget(&mut self) {
        self.empty.forget();
        self.mind.forget();
    }
}

fn searcher<P: Replay + 'static>(empty: P, contest: &Contest) -> Box<dyn Brain> {
    let area = contest.width * contest.height;
    Box::new(Searcher { empty, area, mind: Mind::default() })
}

/// A brain for a game on its board, which is evaluated by the weights of the
/// set.
pub fn new_brain(contest: &Contest, weights: &WeightSet) -> Box<dyn Brain> {
    struct New<'a>(&'a Contest, &'a WeightSet);
    impl Visitor for New<'_> {
        type Out = Box<dyn Brain>;
        fn visit<R: Rule>(self) -> Self::Out {
            let (width, height) = (self.0.width, self.0.height);
            let setup = Setup { rule: R::ID, width, height };
            let empty = Five::<R>::with_weights(setup, self.1.of(R::ID));
            searcher(empty, self.0)
        }
    }
    impl GameVisitor for New<'_> {
        type Out = Box<dyn Brain>;
        fn five(self, rule: RuleId) -> Self::Out {
            with_rule(rule, self)
        }
        fn tupled<P: Tupled + 'static>(self, empty: P) -> Self::Out {
            searcher(empty, self.0)
        }
    }
    let tuples = TupleFamily::of(contest.variant).and_then(|family| weights.tuples(family));
    with_game(contest, tuples, New(contest, weights))
}
