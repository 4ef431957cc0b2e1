//! What searches the positions of any game of the family: one object per game
//! behind one trait.

use std::sync::{Arc, OnceLock};

use super::control::Control;
use super::game::{Answer, Info, Limits};
use super::mind::{Budgeted, Mind};
use super::params::Params;
use crate::eval::WeightSet;
use crate::eval::tuples::TupleWeights;
use crate::game::{
    Connect6, Five, FourInARow, Irensei, Pente, Replay, connect6, four_in_a_row, irensei, pente,
};
use crate::opening::Event;
use crate::rules::{Contest, Rule, Setup, Variant, Visitor, with_rule};
use crate::tt::Table;
use crate::types::{Color, Move};

/// A position to be searched: all that happened, and who places how many
/// stones now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// Stones in the order they were placed, and passes.
    pub events: Vec<Event>,
    /// Who is to move.
    pub to_move: Color,
    /// How many stones he has still to place in this turn.
    pub stones: usize,
    /// How many of the newest events are stones that he has placed in it.
    pub placed: usize,
}

/// What searches the positions of one game.
pub trait Brain: Send {
    /// Finds a stone for the side to move. Reports after each iteration.
    fn think(
        &mut self,
        scene: &Scene,
        table: &Table,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Info),
    ) -> Answer;
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
        report: &mut dyn FnMut(&Info),
    ) -> Answer {
        let mut position = self.empty.clone();
        let mut stones = 0;
        let turn = scene.events.len().saturating_sub(scene.placed);
        for (i, event) in scene.events.iter().enumerate() {
            if i == turn {
                position.hand_to(scene.to_move, scene.stones + scene.placed);
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
        if scene.placed == 0 {
            position.hand_to(scene.to_move, scene.stones);
        }
        let budget = limits.clock.budget(stones, self.area);
        let budgeted = Budgeted { limits, budget, stones };
        self.mind.think(&position, table, &budgeted, control, report)
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

/// A brain for a game on its board. Games of five in a row are evaluated by
/// the weights of the set.
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
    match contest.variant {
        Variant::Five(rule) => with_rule(rule, New(contest, weights)),
        Variant::Pente(_) => searcher(Pente::new(contest, tuples(contest)), contest),
        Variant::Connect6(_) => searcher(Connect6::new(contest, tuples(contest)), contest),
        Variant::FourInARow(_) => searcher(FourInARow::new(contest, tuples(contest)), contest),
        Variant::Irensei => searcher(Irensei::new(contest, tuples(contest)), contest),
    }
}

/// The worths of tuples in a game that is evaluated by them.
fn tuples(contest: &Contest) -> Arc<TupleWeights> {
    static PENTE: OnceLock<Arc<TupleWeights>> = OnceLock::new();
    static SIX: OnceLock<Arc<TupleWeights>> = OnceLock::new();
    static APART: OnceLock<Arc<TupleWeights>> = OnceLock::new();
    static FOUR: OnceLock<Arc<TupleWeights>> = OnceLock::new();
    static SEVEN: OnceLock<Arc<TupleWeights>> = OnceLock::new();
    let slot = match contest.variant {
        Variant::Connect6(game) if game.goal() == 5 => &APART,
        Variant::Connect6(_) => &SIX,
        Variant::FourInARow(_) => &FOUR,
        Variant::Irensei => &SEVEN,
        Variant::Pente(_) | Variant::Five(_) => &PENTE,
    };
    let by_hand = || match contest.variant {
        Variant::Connect6(game) => connect6::weights_by_hand(&game),
        Variant::FourInARow(_) => four_in_a_row::weights_by_hand(),
        Variant::Irensei => irensei::weights_by_hand(),
        Variant::Pente(_) | Variant::Five(_) => pente::weights_by_hand(),
    };
    slot.get_or_init(|| Arc::new(by_hand())).clone()
}
