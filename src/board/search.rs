//! [`Runner`]: runs the searches ([`Task`]) of a page, on a thread or in a web worker.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::guide::{Guide, RemainingReplies, TreeClaim, TreeMove};
use goren_core::opening::{Event, GameState};
use goren_core::rules::{Contest, Setup};
use goren_core::types::{Cell, Color, Stone};
use goren_decide::{Balance, Balanced, Decider, Decision, Strength};
use goren_engine::{
    AnyPosition, Control, Engine, EngineError, Findings, Info, Report, Request, RootEvent,
    RootPosition, TableHandle, WeightSet, new_position,
};

/// Minimum time between two reports of lines.
const REPORT_INTERVAL: Duration = Duration::from_millis(60);
/// Node limit of a VCF search: stones of the attacker.
const VCF_NODES: u64 = 2_000_000;
/// Node limit of a search for the defender's move in a win by threats.
const REPLY_NODES: u64 = 20_000;

/// Work for a [`Runner`].
#[derive(Clone, Serialize, Deserialize, Debug)]
pub enum Task {
    /// Decides a ply for the seat to act.
    Decide {
        /// The game.
        game_state: Box<GameState>,
        /// Playing strength.
        strength: Strength,
        /// Seed of the random choices below full strength.
        seed: u64,
    },
    /// Finds the best lines of a position.
    Analyse {
        /// The game.
        contest: Contest,
        /// The position.
        root: RootPosition,
        /// Number of lines.
        lines: usize,
    },
    /// Finds the shortest win by fours of a colour.
    Vcf {
        /// Rule and board size.
        setup: Setup,
        /// Stones on the board.
        stones: Vec<(Cell, Stone)>,
        /// The attacker.
        color: Color,
    },
    /// Finds stones that bring the score of a position near 0: one of the side to move, or
    /// one of each side.
    Balance {
        /// The game.
        game_state: Box<GameState>,
        /// Whether to find two stones.
        two: bool,
    },
    /// Finds the best line of a position and reports it once, at the end of the search.
    Answer {
        /// The game.
        contest: Contest,
        /// The position.
        root: RootPosition,
    },
    /// Opens a winning tree.
    OpenTree {
        /// Its name.
        name: String,
    },
    /// Looks up the attacker's move in the open tree.
    TreeMove {
        /// The moves played from the root position of the tree; the attacker is to move.
        moves: Vec<Cell>,
    },
    /// Looks up the defender's replies in the open tree.
    RemainingReplies {
        /// The moves played from the root position of the tree; the defender is to move.
        moves: Vec<Cell>,
    },
    /// Closes the open tree and frees its memory.
    CloseTree,
    /// Finds a win by threats of the side to move.
    Vct {
        /// The game.
        contest: Contest,
        /// The position.
        root: RootPosition,
    },
}

/// A search to run. As JSON it may be sent to another process or worker, where it gets a
/// control of its own.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Job {
    /// Number by which the model recognises its results.
    pub number: u64,
    /// What to search.
    pub task: Task,
    /// Limits of the search, and the control that ends it.
    pub request: Request,
}

/// A result of a search. All but [`Found::Lines`] and [`Found::Reading`] end it.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub enum Found {
    /// The lines of an iteration, the best first.
    Lines(Vec<Info>),
    /// The ply decided on; `None` if the game is over.
    Decided(Option<Decision>),
    /// The analysis is over.
    Analysed,
    /// The moves of a win by fours, if there is one, and whether the search was exhaustive:
    /// ended neither by a limit nor by the user.
    Fours(Option<Vec<Cell>>, bool),
    /// The same for a win by threats, with its length in plies: the line may be shorter than
    /// the win.
    Threats(Option<(Vec<Cell>, usize)>, bool),
    /// The balancing stones, if there are any.
    Balanced(Option<Balanced>),
    /// The best line, and the moves proven to lose if the request asks for them.
    Answer(Box<Info>, Vec<Cell>),
    /// The claim of the opened winning tree; `None` if the control ended the opening.
    Tree(Option<Box<TreeClaim>>),
    /// Share of the tree's answer to the reply that has been read, from 0 to 1.
    Reading(f64),
    /// The tree's move.
    TreeMove(TreeMove),
    /// The defender's replies.
    RemainingReplies(Box<RemainingReplies>),
    /// The tree is closed.
    Closed,
    /// The search failed, with the reason.
    Failed(String),
}

impl Found {
    /// Whether this is the last result of the search.
    pub fn is_last(&self) -> bool {
        !matches!(self, Found::Lines(_) | Found::Reading(_))
    }
}

/// Runs one search after another, and keeps between them what speeds up the next.
pub struct Runner {
    hash: TableHandle,
    weights: WeightSet,
    engine: Engine,
    decider: Option<Decider>,
    position: Option<(Contest, Box<dyn AnyPosition>)>,
    guide: Option<Box<dyn Guide>>,
}

impl Runner {
    /// Creates a runner that uses a transposition table, which may be shared.
    pub fn new(hash: &TableHandle) -> Runner {
        Runner {
            hash: hash.clone(),
            weights: WeightSet::default(),
            engine: Engine::with_hash(hash.clone()),
            decider: None,
            position: None,
            guide: None,
        }
    }

    /// Adds a guide through winning trees.
    #[must_use]
    pub fn guided(self, guide: Box<dyn Guide>) -> Runner {
        Runner { guide: Some(guide), ..self }
    }

    /// Replaces the weights of the evaluation.
    #[must_use]
    pub fn weighted(self, weights: WeightSet) -> Runner {
        Runner { weights, ..self }
    }

    /// Runs a search until it is over or its control ends it. Reports exactly one
    /// [last](Found::is_last) result.
    pub fn run(&mut self, job: &Job, observer: &mut (dyn FnMut(Found) + Send)) {
        let started = match job.task {
            // The clock has been running since the ply was requested.
            Task::Decide { .. } => job.request.started,
            _ => Instant::now(),
        };
        let request = Request { started, ..job.request.clone() };
        let last = match &job.task {
            Task::Decide { game_state, strength, seed } => {
                Ok(Found::Decided(self.decide(game_state, (*strength, *seed), &request, observer)))
            }
            Task::Analyse { contest, root, lines } => {
                self.analyse(contest, root, *lines, &request, observer)
            }
            Task::Vcf { setup, stones, color } => self.fours(*setup, stones, *color, &request),
            Task::Balance { game_state, two } => {
                let mut decider = self.decider(game_state.contest());
                let balanced =
                    decider.balance(game_state, Balance { two: *two, bias: 0 }, &request);
                self.decider = Some(decider);
                Ok(Found::Balanced(balanced))
            }
            Task::Answer { contest, root } => self.answer(contest, root, &request),
            Task::Vct { contest, root } => self.threats(contest, root, &request),
            Task::OpenTree { .. }
            | Task::TreeMove { .. }
            | Task::RemainingReplies { .. }
            | Task::CloseTree => {
                let walked = self.walk(&job.task, &request.control, observer);
                observer(walked.unwrap_or_else(|error| Found::Failed(format!("{error:#}"))));
                return;
            }
        };
        observer(last.unwrap_or_else(|error| Found::Failed(error.to_string())));
    }

    /// Runs a task on a winning tree.
    fn walk(
        &mut self,
        task: &Task,
        control: &Control,
        observer: &mut (dyn FnMut(Found) + Send),
    ) -> Result<Found> {
        let guide = self.guide.as_mut().context("winning trees need the program")?;
        match task {
            Task::OpenTree { name } => {
                guide.open(name, control).map(|claim| Found::Tree(claim.map(Box::new)))
            }
            Task::TreeMove { moves } => {
                let mut pace = Pace::default();
                let mut on_progress = |share| {
                    if pace.is_due() {
                        observer(Found::Reading(share));
                    }
                };
                guide.tree_move(moves, control, &mut on_progress).map(Found::TreeMove)
            }
            Task::RemainingReplies { moves } => guide
                .remaining_replies(moves, control)
                .map(|replies| Found::RemainingReplies(Box::new(replies))),
            _ => {
                guide.close();
                Ok(Found::Closed)
            }
        }
    }

    fn decide(
        &mut self,
        game_state: &GameState,
        (strength, seed): (Strength, u64),
        request: &Request,
        observer: &mut (dyn FnMut(Found) + Send),
    ) -> Option<Decision> {
        let mut decider = self.decider(game_state.contest());
        decider.limit_strength(strength, seed);
        let mut pace = Pace::default();
        let decision = decider.decide(game_state, request, &mut |report| {
            if let Some(info) = report.best_pv().filter(|_| pace.is_due()) {
                observer(Found::Lines(vec![info.clone()]));
            }
        });
        self.decider = Some(decider);
        decision
    }

    /// Takes the decider of the last search if it is for the same game, else a new one.
    fn decider(&mut self, contest: &Contest) -> Decider {
        let last = self.decider.take().filter(|decider| decider.contest() == contest);
        last.unwrap_or_else(|| Decider::new(contest, &self.weights, &self.hash))
    }

    /// Takes the position of the last search if it is for the same game, else a new one, and
    /// sets it to `root`.
    fn position(&mut self, contest: &Contest, root: &RootPosition) -> Box<dyn AnyPosition> {
        let last = self.position.take().filter(|(of, _)| of == contest);
        let mut position =
            last.map_or_else(|| new_position(contest, &self.weights), |(_, position)| position);
        position.set(root);
        position
    }

    fn analyse(
        &mut self,
        contest: &Contest,
        root: &RootPosition,
        lines: usize,
        request: &Request,
        observer: &mut (dyn FnMut(Found) + Send),
    ) -> Result<Found, EngineError> {
        let position = self.position(contest, root);
        // The search may find a turn of two stones in both orders.
        let multi_pv = if lines > 1 { lines * root.stones_to_place } else { lines };
        let request = Request { multi_pv, ..request.clone() };
        let mut findings = Findings::with_turns(root.stones_to_place, lines);
        let mut pace = Pace::default();
        let answer = self.engine.go(&*position, &request, &mut |report| {
            if let Report::Pv(info) = report
                && findings.note(info)
                && pace.is_due()
            {
                observer(Found::Lines(findings.lines.clone()));
            }
        });
        self.position = Some((*contest, position));
        findings.settle(&answer?);
        observer(Found::Lines(findings.lines));
        Ok(Found::Analysed)
    }

    fn answer(
        &mut self,
        contest: &Contest,
        root: &RootPosition,
        request: &Request,
    ) -> Result<Found, EngineError> {
        let position = self.position(contest, root);
        let mut lost = Vec::new();
        let answer = self.engine.go(&*position, request, &mut |report| {
            if let Report::Root(RootEvent::Lost(cell)) = report {
                lost.push(*cell);
            }
        });
        self.position = Some((*contest, position));
        Ok(Found::Answer(Box::new(answer?.info), lost))
    }

    fn fours(
        &mut self,
        setup: Setup,
        stones: &[(Cell, Stone)],
        color: Color,
        request: &Request,
    ) -> Result<Found, EngineError> {
        let mut solver = self.engine.solver(setup)?;
        solver.set_up(stones, color);
        let line = solver.shortest_vcf(VCF_NODES, &request.control);
        let is_exhaustive = solver.nodes() < VCF_NODES && !is_over(request);
        Ok(Found::Fours(line, is_exhaustive))
    }

    fn threats(
        &mut self,
        contest: &Contest,
        root: &RootPosition,
        request: &Request,
    ) -> Result<Found, EngineError> {
        let mut position = self.position(contest, root);
        let found = self.engine.vct(&*position, request);
        let is_exhaustive = request.max_nodes.is_none() && !is_over(request);
        let line = found.map(|found| {
            found.map(|(m, plies)| {
                let line = self.played_out(&mut *position, contest, root, m.cell(), plies, request);
                (line, plies)
            })
        });
        self.position = Some((*contest, position));
        Ok(Found::Threats(line?, is_exhaustive))
    }

    /// Returns the line of a win by threats that begins with `first`: the attacker follows
    /// the proof, which is still in the table; a short search moves for the defender.
    fn played_out(
        &mut self,
        position: &mut dyn AnyPosition,
        contest: &Contest,
        root: &RootPosition,
        first: Cell,
        plies: usize,
        request: &Request,
    ) -> Vec<Cell> {
        let (attacker, mut root, mut next) = (root.to_move, root.clone(), Some(first));
        let mut line = Vec::new();
        while let Some(cell) = next {
            line.push(cell);
            play(&mut root, contest, cell);
            position.set(&root);
            if position.outcome().is_some() || line.len() >= plies || request.control.stopped() {
                break;
            }
            let found = if root.to_move == attacker {
                let found = self.engine.vct(position, request);
                found.map(|found| found.map(|(m, _)| m))
            } else {
                let brief = Request { max_nodes: Some(REPLY_NODES), ..request.clone() };
                self.engine.go(position, &brief, &mut |_| {}).map(|answer| Some(answer.best))
            };
            next = found.ok().flatten().filter(|m| m.is_some()).map(|m| m.cell());
        }
        line
    }
}

/// Whether a search is out of time or was ended.
fn is_over(request: &Request) -> bool {
    let Request { control, started, budget, .. } = request;
    control.is_over(Instant::now()) || started.elapsed() >= budget.hard
}

/// Plays a stone of the side to move.
fn play(root: &mut RootPosition, contest: &Contest, cell: Cell) {
    root.events.push(Event::Stone(cell, root.to_move));
    if root.stones_to_place > 1 {
        (root.stones_to_place, root.placed) = (root.stones_to_place - 1, root.placed + 1);
    } else {
        let turn = contest.variant.turn();
        (root.to_move, root.stones_to_place, root.placed) = (!root.to_move, turn, 0);
    }
}

/// Limits how often lines are reported.
#[derive(Default)]
struct Pace {
    last_report: Option<Instant>,
}

impl Pace {
    /// Whether a report is due; the first one always is.
    fn is_due(&mut self) -> bool {
        let due = self.last_report.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL);
        if due {
            self.last_report = Some(Instant::now());
        }
        due
    }
}

#[cfg(test)]
mod tests;
