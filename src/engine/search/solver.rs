//! Solver for positions of five in a row on one board: VCF, VCT, and the best move
//! by an ordinary search where neither is found.

use std::sync::Arc;
use std::time::Instant;

use super::control::Control;
use super::history::History;
use super::params::Params;
use super::request::{Exclusions, Request};
use super::state::SearchState;
use super::worker::{Shared, Worker};
use crate::game::{Five, Position};
use crate::threat::{Meter, Watch};
use crate::tt::Table;
use goren_core::rules::{Rule, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, Move, Pace, Score, Stone};

/// Searches for wins of the side to move. `None` from a search for a VCF or VCT means that it found
/// none within its limits; there may still be one.
pub trait Solver: Send {
    /// Sets the position: its stones in any order, and the side to move. No side may
    /// have a winning line yet. A prefix that the list shares with the previous one
    /// stays on the board, which saves time.
    fn set_up(&mut self, stones: &[(Cell, Stone)], to_move: Color);
    /// Searches for a VCF, with a limit of `nodes` stones of the attacker, or until
    /// `control` stops it. Returns its first move and its length in plies.
    fn vcf(&mut self, nodes: u64, control: &Arc<Control>) -> Option<(Cell, usize)>;
    /// Searches for a shortest VCF, with a limit of `nodes` stones of the attacker, or
    /// until `control` stops it. Returns the moves of both sides.
    fn shortest_vcf(&mut self, nodes: u64, control: &Arc<Control>) -> Option<Vec<Cell>>;
    /// Searches for a VCT, with a limit of about `nodes` positions. Returns its first
    /// move and its length in plies.
    fn vct(&mut self, nodes: u64) -> Option<(Cell, usize)> {
        self.vct_in_thread(nodes, 0, &Arc::default())
    }
    /// As [`Solver::vct`], in thread number `thread` of several that share a table, or
    /// until `control` stops it. The number decides how near ties are broken, so that
    /// the threads do not all search the same moves.
    fn vct_in_thread(
        &mut self,
        nodes: u64,
        thread: u64,
        control: &Arc<Control>,
    ) -> Option<(Cell, usize)>;
    /// Searches for the best move and its score with `nodes` nodes, or until `control` stops it.
    /// Excludes the moves of `skip`; `None` if no other move is legal.
    fn best(&mut self, nodes: u64, skip: &[Cell], control: &Arc<Control>) -> Option<(Cell, Score)>;
    /// Nodes of all calls so far: stones of the attacker for VCF, positions for VCT,
    /// search nodes for [`Solver::best`].
    fn nodes(&self) -> u64;
}

/// Creates a solver for a rule and board size, at first on the empty board. It keeps its results in
/// `table`.
pub fn new_solver(setup: Setup, table: Arc<Table>) -> Box<dyn Solver> {
    struct New(Setup, Arc<Table>);
    impl Visitor for New {
        type Out = Box<dyn Solver>;
        fn visit<R: Rule>(self) -> Self::Out {
            Box::new(FiveSolver::<R> {
                position: Five::new(self.0),
                table: self.1,
                state: SearchState::default(),
                history: History::default(),
                params: Params::default(),
                nodes: 0,
                pace: Pace::default(),
            })
        }
    }
    with_rule(setup.rule, New(setup, table))
}

struct FiveSolver<R: Rule> {
    position: Five<R>,
    table: Arc<Table>,
    state: SearchState,
    history: History,
    params: Params,
    nodes: u64,
    /// Nodes of the VCF solver between clock checks.
    pace: Pace,
}

/// Clock of a solver call that only the control limits.
struct Untimed<'a>(&'a Control);

impl Watch for Untimed<'_> {
    fn look(&self) -> (Instant, bool) {
        let now = Instant::now();
        (now, self.0.is_over(now))
    }
}

impl<R: Rule> FiveSolver<R> {
    /// Runs a solver of the position for at most `nodes` nodes, or until `control` stops
    /// it, and counts its nodes.
    fn metered<T>(
        &mut self,
        nodes: u64,
        control: &Control,
        solver: impl FnOnce(&mut Five<R>, &mut Meter<'_>) -> Option<T>,
    ) -> Option<T> {
        let watch = Untimed(control);
        let mut meter = Meter::watched(nodes, self.pace, &watch);
        let found = solver(&mut self.position, &mut meter);
        self.nodes += meter.spent();
        self.pace = meter.pace();
        found
    }
}

impl<R: Rule> Solver for FiveSolver<R> {
    fn set_up(&mut self, stones: &[(Cell, Stone)], to_move: Color) {
        let present = self.position.board().stones();
        let same = present.zip(stones).take_while(|(a, b)| a == *b).count();
        while self.position.board().placed() > same {
            self.position.take_back();
        }
        for &(cell, stone) in &stones[same..] {
            self.position.set_up(cell, stone);
        }
        self.position.set_to_move(to_move);
    }

    fn vcf(&mut self, nodes: u64, control: &Arc<Control>) -> Option<(Cell, usize)> {
        let found = self.metered(nodes, control, Five::solve);
        found.map(|(m, plies)| (m.cell(), plies))
    }

    fn shortest_vcf(&mut self, nodes: u64, control: &Arc<Control>) -> Option<Vec<Cell>> {
        let found = self.metered(nodes, control, Five::shortest);
        found.map(|vcf| vcf.iter().map(|m| m.cell()).collect())
    }

    fn vct_in_thread(
        &mut self,
        nodes: u64,
        thread: u64,
        control: &Arc<Control>,
    ) -> Option<(Cell, usize)> {
        let request = Request { control: control.clone(), ..Request::nodes(nodes) };
        let position = self.position.clone();
        let shared = Shared::new(&position, &self.table, &request);
        let mut worker = Worker::new(position, &shared, &self.params, &mut self.history);
        let found = worker.vct_in_thread(nodes, thread);
        self.nodes += worker.nodes;
        found.map(|(m, plies)| (m.cell(), plies))
    }

    fn best(&mut self, nodes: u64, skip: &[Cell], control: &Arc<Control>) -> Option<(Cell, Score)> {
        let exclusions = Exclusions { root_moves: skip.to_vec(), ..Exclusions::default() };
        let request = Request { exclusions, control: control.clone(), ..Request::nodes(nodes) };
        let stones = self.position.board().placed();
        let (position, table) = (&self.position, &self.table);
        let answer = self.state.think(position, stones, false, table, &request, &mut |_| {});
        self.nodes += answer.info.nodes;
        let found = answer.best != Move::NONE && !skip.contains(&answer.best.cell());
        found.then(|| (answer.best.cell(), answer.info.score))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
