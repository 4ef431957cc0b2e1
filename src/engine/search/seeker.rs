//! Looks for wins in one position after another of a board: by fours, by
//! threats, and, where neither is found, for the best move.

use std::sync::Arc;
use std::time::Instant;

use super::control::Control;
use super::game::{Bans, Limits};
use super::history::History;
use super::mind::{Budgeted, Mind};
use super::params::Params;
use super::worker::{Shared, Worker};
use crate::game::{Five, Meter, Position, Watch};
use crate::tt::Table;
use goren_core::rules::{Rule, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, MAX_SIDE, Move, Pace, Score, Stone};

/// Looks for wins of the side to move.
pub trait Seeker: Send {
    /// Goes to a position, which must be one in which nobody has won.
    fn set_up(&mut self, stones: &[(Cell, Stone)], to_move: Color);
    /// A win by fours alone, with at most so many stones of the attacker and
    /// until `control` ends it: its first move and its length in plies.
    fn by_fours(&mut self, nodes: u64, control: &Control) -> Option<(Cell, usize)>;
    /// The moves of a shortest win by fours, with so many stones of the attacker
    /// looked at in all and until `control` ends it.
    fn shortest(&mut self, nodes: u64, control: &Control) -> Option<Vec<Cell>>;
    /// A win by threats, looking at some `nodes` positions: its first move and
    /// its length in plies.
    fn by_threats(&mut self, nodes: u64) -> Option<(Cell, usize)> {
        self.by_threats_beside(nodes, 0, &Control::default())
    }
    /// The same as thread number `thread` of several that share a table, until
    /// `control` ends it: each has its own taste in moves that look alike.
    fn by_threats_beside(
        &mut self,
        nodes: u64,
        thread: u64,
        control: &Control,
    ) -> Option<(Cell, usize)>;
    /// The best move but for some, by a search of `nodes` nodes or until `control`
    /// stops it, and its score.
    fn best(&mut self, nodes: u64, but: &[Cell], control: &Control) -> Option<(Cell, Score)>;
    /// Nodes of all that was done so far; of wins by fours, stones of the
    /// attacker.
    fn nodes(&self) -> u64;
}

/// A seeker for a board; what it learns is kept in the table.
pub fn new_seeker(setup: Setup, table: Arc<Table>) -> Box<dyn Seeker> {
    struct New(Setup, Arc<Table>);
    impl Visitor for New {
        type Out = Box<dyn Seeker>;
        fn visit<R: Rule>(self) -> Self::Out {
            Box::new(Searcher::<R> {
                position: Five::new(self.0),
                table: self.1,
                mind: Mind::default(),
                history: History::default(),
                params: Params::default(),
                nodes: 0,
                pace: Pace::default(),
            })
        }
    }
    with_rule(setup.rule, New(setup, table))
}

struct Searcher<R: Rule> {
    position: Five<R>,
    table: Arc<Table>,
    mind: Mind,
    history: History,
    params: Params,
    nodes: u64,
    /// That of the solvers of fours.
    pace: Pace,
}

/// The watch of a solver without a clock of its own.
struct Begun<'a> {
    started: Instant,
    control: &'a Control,
}

impl Watch for Begun<'_> {
    fn look(&self) -> (Instant, bool) {
        let now = Instant::now();
        (now, self.control.is_over(self.started, now))
    }
}

impl<R: Rule> Seeker for Searcher<R> {
    fn set_up(&mut self, stones: &[(Cell, Stone)], to_move: Color) {
        let there = self.position.board().stones();
        let same = there.zip(stones).take_while(|(a, b)| a == *b).count();
        while self.position.board().placed() > same {
            self.position.take_back();
        }
        for &(cell, stone) in &stones[same..] {
            self.position.set_down(cell, stone);
        }
        self.position.set_to_move(to_move);
    }

    fn by_fours(&mut self, nodes: u64, control: &Control) -> Option<(Cell, usize)> {
        let watch = Begun { started: Instant::now(), control };
        let mut meter = Meter::watched(nodes, self.pace, &watch);
        let found = self.position.solve(&mut meter);
        self.nodes += meter.spent();
        self.pace = meter.pace();
        found.map(|(m, plies)| (m.cell(), plies))
    }

    fn shortest(&mut self, nodes: u64, control: &Control) -> Option<Vec<Cell>> {
        let watch = Begun { started: Instant::now(), control };
        let mut meter = Meter::watched(nodes, self.pace, &watch);
        let found = self.position.shortest(&mut meter);
        self.nodes += meter.spent();
        self.pace = meter.pace();
        found.map(|line| line.iter().map(|m| m.cell()).collect())
    }

    fn by_threats_beside(
        &mut self,
        nodes: u64,
        thread: u64,
        control: &Control,
    ) -> Option<(Cell, usize)> {
        let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
        let budget = limits.clock.budget(0, MAX_SIDE * MAX_SIDE);
        let position = self.position.clone();
        let shared = Shared::new(&position, &self.table, control, &limits, budget.hard);
        let mut worker = Worker::new(position, &shared, &self.params, &mut self.history);
        let found = worker.prove_beside(nodes, thread);
        self.nodes += worker.nodes;
        found.map(|(m, plies)| (m.cell(), plies))
    }

    fn best(&mut self, nodes: u64, but: &[Cell], control: &Control) -> Option<(Cell, Score)> {
        let bans = Bans { here: but.to_vec(), ..Bans::default() };
        let limits = Limits { max_nodes: Some(nodes), bans, ..Limits::default() };
        let budget = limits.clock.budget(0, MAX_SIDE * MAX_SIDE);
        let stones = self.position.board().placed();
        let budgeted = Budgeted { limits: &limits, budget, stones };
        let answer = self.mind.think(&self.position, &self.table, &budgeted, control, &mut |_| {});
        self.nodes += answer.info.nodes;
        let found = answer.best != Move::NONE && !but.contains(&answer.best.cell());
        found.then(|| (answer.best.cell(), answer.info.score))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
