//! [`RootPosition`], the description of a position to search, and [`AnyPosition`], a position of
//! any game that is set from it.

use super::candidate::{self, Candidates};
use super::searchable::{HasPosition, Searchable};
use super::table_score::score_of;
use crate::eval::set::WeightSet;
use crate::game::families::family;
use crate::game::{ClassCounts, Five, GameVisitor, Ladder, Replay, Tupled, with_game};
use goren_core::opening::{Event, GameState};
use goren_core::rules::{Contest, Outcome, Rule, RuleId, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, Move, Score, Stone};

/// A position to search: the events of the game, the side to move and how many
/// stones it places now.
///
/// In serde formats it has its fields by name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RootPosition {
    /// Stones that were on the board before the first event, in unknown order; in five
    /// in a row walls too.
    pub laid: Vec<(Cell, Stone)>,
    /// Stones in the order they were placed, and passes.
    pub events: Vec<Event>,
    /// The side to move.
    pub to_move: Color,
    /// Number of stones that the side to move has still to place in this turn.
    #[cfg_attr(feature = "serde", serde(alias = "stones"))]
    pub stones_to_place: usize,
    /// Number of stones that it has placed in this turn: the last of `events`.
    pub placed: usize,
}

/// The position of a game whose next turn has not begun.
impl From<&GameState> for RootPosition {
    fn from(game_state: &GameState) -> RootPosition {
        RootPosition::of(game_state, &[], game_state.to_move(), game_state.stones_due())
    }
}

impl RootPosition {
    /// Returns the position of a game after the side to move has also placed the stones `placed` in
    /// this turn, with `stones_to_place` more to place.
    pub fn of(
        game_state: &GameState,
        placed: &[Cell],
        to_move: Color,
        stones_to_place: usize,
    ) -> RootPosition {
        let more = placed.iter().map(|&cell| Event::Stone(cell, to_move));
        let events = game_state.events().iter().copied().chain(more).collect();
        let laid = game_state.setup_stones().to_vec();
        RootPosition { laid, events, to_move, stones_to_place, placed: placed.len() }
    }

    /// Plays the stones and passes on an empty board; returns the number of stones,
    /// walls included.
    pub fn replay<P: Replay>(&self, position: &mut P) -> usize {
        for &(cell, stone) in &self.laid {
            position.set_up_stone(cell, stone);
        }
        let mut stones = self.laid.len();
        let turn = self.events.len().saturating_sub(self.placed);
        for (i, event) in self.events.iter().enumerate() {
            if i == turn {
                position.hand_to(self.to_move, self.stones_to_place + self.placed);
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
            position.hand_to(self.to_move, self.stones_to_place);
        }
        stones
    }
}

/// A position of any game, set from a [`RootPosition`], for an [`Engine`](crate::Engine) to search.
pub trait AnyPosition: Searchable + Send {
    /// Sets the position.
    fn set(&mut self, root: &RootPosition);
    /// Clears the data that its solvers keep from earlier positions.
    fn forget(&mut self);
    /// Outcome of the game, if it is over by the rules that the search knows.
    fn outcome(&self) -> Option<Outcome>;
    /// The proven score for the side to move if the game is over or there is a static
    /// verdict, else `None`.
    fn verdict(&mut self) -> Option<Score>;
    /// Static evaluation for the side to move, in points, not compressed.
    fn evaluate(&mut self) -> Score;
    /// All legal moves with their properties that need no search.
    fn candidates(&mut self) -> Candidates;
    /// The playing strength of each level of limited strength in this game.
    fn ladder(&self) -> &'static Ladder;
    /// Whether a stone on a cell ends the turn and lets the opponent win in its next turn, or ends
    /// the game with a win of the opponent.
    fn lets_opponent_win(&mut self, cell: Cell) -> bool;
    /// Number of empty cells of each class, by colour; `None` in games without classes.
    fn class_counts(&self) -> Option<ClassCounts>;
}

/// The [`AnyPosition`] of one game.
struct Replayed<P: Replay> {
    /// The empty board, to start each replay from.
    empty: P,
    /// Cells of the board.
    area: usize,
    position: P,
    stones: usize,
    /// Whether a pass led to the position.
    passed: bool,
}

impl<P: Replay> AnyPosition for Replayed<P> {
    fn set(&mut self, root: &RootPosition) {
        self.position = self.empty.clone();
        self.stones = root.replay(&mut self.position);
        self.passed = root.placed == 0 && root.events.last() == Some(&Event::Pass);
    }

    fn forget(&mut self) {
        self.empty.forget();
        self.position.forget();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn verdict(&mut self) -> Option<Score> {
        match self.position.outcome() {
            Some(outcome) => Some(score_of(outcome, self.position.to_move(), 0)),
            None => self.position.verdict().score(0),
        }
    }

    fn evaluate(&mut self) -> Score {
        self.position.evaluate()
    }

    fn candidates(&mut self) -> Candidates {
        candidate::candidates(&mut self.position)
    }

    fn ladder(&self) -> &'static Ladder {
        &P::LADDER
    }

    fn lets_opponent_win(&mut self, cell: Cell) -> bool {
        candidate::lets_opponent_win(&mut self.position, Move::at(cell))
    }

    fn class_counts(&self) -> Option<ClassCounts> {
        self.position.class_counts()
    }
}

impl<P: Replay> HasPosition for Replayed<P> {
    type Position = P;

    fn position(&self) -> &P {
        &self.position
    }

    fn warm_up_position(&self) -> P {
        self.empty.clone()
    }

    fn size(&self) -> (usize, usize) {
        (self.stones, self.area)
    }

    fn passed(&self) -> bool {
        self.passed
    }
}

/// Returns the empty board of a game, evaluated with the set's weights for this game.
pub fn new_position(contest: &Contest, weights: &WeightSet) -> Box<dyn AnyPosition> {
    struct New<'a>(&'a Contest, &'a WeightSet);
    impl New<'_> {
        fn of<P: Replay + 'static>(&self, empty: P) -> Box<dyn AnyPosition> {
            let area = self.0.width * self.0.height;
            let position = empty.clone();
            Box::new(Replayed { position, empty, area, stones: 0, passed: false })
        }
    }
    struct NewFive<'a>(New<'a>, Setup);
    impl Visitor for NewFive<'_> {
        type Out = Box<dyn AnyPosition>;
        fn visit<R: Rule>(self) -> Self::Out {
            let NewFive(new, setup) = self;
            new.of(Five::<R>::with_weights(setup, new.1.of(setup.rule)))
        }
    }
    impl GameVisitor for New<'_> {
        type Out = Box<dyn AnyPosition>;
        fn five(self, rule: RuleId) -> Self::Out {
            let &Contest { width, height, .. } = self.0;
            with_rule(rule, NewFive(self, Setup { rule, width, height }))
        }
        fn tupled<P: Tupled + 'static>(self, empty: P) -> Self::Out {
            self.of(empty)
        }
    }
    let tuples = family(contest.variant).map(|family| weights.tuples(family));
    with_game(contest, tuples, New(contest, weights))
}

/// Returns the position of a game, evaluated with the set's weights for this game.
pub fn position_of(game_state: &GameState, weights: &WeightSet) -> Box<dyn AnyPosition> {
    let mut position = new_position(game_state.contest(), weights);
    position.set(&game_state.into());
    position
}
