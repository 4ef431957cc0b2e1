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
    AnyPosition, Control, Engine, EngineError, Findings, Hash, Info, Report, Request, RootEvent,
    RootPosition, WeightSet, new_position,
};

/// Time between two reports of lines.
const PAUSE: Duration = Duration::from_millis(60);
/// Most stones of the attacker in a search for a win by fours.
const VCF_NODES: u64 = 2_000_000;
/// Nodes of a search for the defender's move in a win by threats.
const REPLY_NODES: u64 = 20_000;

/// What is searched.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub enum Task {
    /// A ply of the seat to act in a game.
    Decide {
        /// The game.
        game_state: Box<GameState>,
        /// How well it is decided.
        strength: Strength,
        /// Seed of what is chosen by chance below full strength.
        seed: u64,
    },
    /// The best lines of a position.
    Analyse {
        /// The game.
        contest: Contest,
        /// The position.
        root: RootPosition,
        /// Number of lines.
        lines: usize,
    },
    /// The shortest win by fours of a colour.
    Vcf {
        /// The board.
        setup: Setup,
        /// What stands on it.
        stones: Vec<(Cell, Stone)>,
        /// Who attacks.
        color: Color,
    },
    /// Stones that bring the score of a position near 0: one of the side to move, or one of
    /// each side.
    Balance {
        /// The game.
        game_state: Box<GameState>,
        /// Whether there are to be two.
        two: bool,
    },
    /// The best line of a position, told when the search is over.
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
    /// The move of the open tree.
    TreeMove {
        /// The moves behind the position of its claim; the attacker is to move.
        moves: Vec<Cell>,
    },
    /// What the defender can do by the open tree.
    RemainingReplies {
        /// The moves behind the position of its claim; the defender is to move.
        moves: Vec<Cell>,
    },
    /// Frees what the open tree takes.
    CloseTree,
    /// A win by threats of the side to move.
    Vct {
        /// The game.
        contest: Contest,
        /// The position.
        root: RootPosition,
    },
}

/// A search that is to be run. As JSON it may go to another process or worker, where it
/// has a control of its own.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Job {
    /// Its number, by which the model knows what is found.
    pub number: u64,
    /// What is searched.
    pub task: Task,
    /// Its limits. Its control ends it.
    pub request: Request,
}

/// What a search has found.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub enum Found {
    /// The lines of an iteration, the best first.
    Lines(Vec<Info>),
    /// The ply decided on; `None` if the game is over. The search is over.
    Decided(Option<Decision>),
    /// The analysis is over.
    Analysed,
    /// The moves of a win by fours, if one was found; else whether all was searched, and not
    /// ended by a limit or a person. The search is over.
    Fours(Option<Vec<Cell>>, bool),
    /// The same of a win by threats, with its length in plies: the line may be shorter than
    /// the win. The search is over.
    Threats(Option<(Vec<Cell>, usize)>, bool),
    /// The balancing stones, if there are any. The search is over.
    Balanced(Option<Balanced>),
    /// The best line, and the first stones that are proven to lose where they were asked
    /// for. The search is over.
    Answer(Box<Info>, Vec<Cell>),
    /// A winning tree was opened, unless that was ended meanwhile.
    Tree(Option<Box<TreeClaim>>),
    /// How much of what the tree says of the reply was read, from 0 to 1.
    Reading(f64),
    /// What came of the question for the tree's move. The search is over.
    TreeMove(TreeMove),
    /// What the defender can do. The search is over.
    RemainingReplies(Box<RemainingReplies>),
    /// The tree is closed.
    Closed,
    /// Nothing could be searched.
    Failed(String),
}

impl Found {
    /// Whether nothing more comes of the search.
    pub fn is_last(&self) -> bool {
        !matches!(self, Found::Lines(_) | Found::Reading(_))
    }
}

/// Runs one search after another, and keeps between them what helps the next.
pub struct Runner {
    hash: Hash,
    weights: WeightSet,
    engine: Engine,
    decider: Option<Decider>,
    position: Option<(Contest, Box<dyn AnyPosition>)>,
    guide: Option<Box<dyn Guide>>,
}

impl Runner {
    /// One that uses a table, which others may use too.
    pub fn new(hash: &Hash) -> Runner {
        Runner {
            hash: hash.clone(),
            weights: WeightSet::default(),
            engine: Engine::with_hash(hash.clone()),
            decider: None,
            position: None,
            guide: None,
        }
    }

    /// The same with a guide through winning trees.
    #[must_use]
    pub fn guided(self, guide: Box<dyn Guide>) -> Runner {
        Runner { guide: Some(guide), ..self }
    }

    /// The same with weights of its own for the evaluation.
    #[must_use]
    pub fn weighted(self, weights: WeightSet) -> Runner {
        Runner { weights, ..self }
    }

    /// Runs a search until it is over or its control ends it. Exactly one thing that
    /// [is the last](Found::is_last) is found.
    pub fn run(&mut self, job: &Job, observer: &mut (dyn FnMut(Found) + Send)) {
        let started = match job.task {
            // A clock has run since the ply was asked for.
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

    /// What is asked of a winning tree.
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
                let mut share = |share| {
                    if pace.is_due() {
                        observer(Found::Reading(share));
                    }
                };
                guide.tree_move(moves, control, &mut share).map(Found::TreeMove)
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

    /// The decider of the search before if it is for the same game, else a new one.
    fn decider(&mut self, contest: &Contest) -> Decider {
        let kept = self.decider.take().filter(|decider| decider.contest() == contest);
        kept.unwrap_or_else(|| Decider::new(contest, &self.weights, &self.hash))
    }

    /// A position of a game, set.
    fn position(&mut self, contest: &Contest, root: &RootPosition) -> Box<dyn AnyPosition> {
        let kept = self.position.take().filter(|(of, _)| of == contest);
        let mut position =
            kept.map_or_else(|| new_position(contest, &self.weights), |(_, position)| position);
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
        // A turn of two stones may come in both orders.
        let multi_pv = if lines > 1 { lines * root.stones_to_place } else { lines };
        let request = Request { multi_pv, ..request.clone() };
        let mut findings = Findings::of_turns(root.stones_to_place, lines);
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
        let is_whole = solver.nodes() < VCF_NODES && !is_over(request);
        Ok(Found::Fours(line, is_whole))
    }

    fn threats(
        &mut self,
        contest: &Contest,
        root: &RootPosition,
        request: &Request,
    ) -> Result<Found, EngineError> {
        let mut position = self.position(contest, root);
        let found = self.engine.vct(&*position, request);
        let is_whole = request.max_nodes.is_none() && !is_over(request);
        let line = found.map(|found| {
            found.map(|(m, plies)| {
                let line = self.played_out(&mut *position, contest, root, m.cell(), plies, request);
                (line, plies)
            })
        });
        self.position = Some((*contest, position));
        Ok(Found::Threats(line?, is_whole))
    }

    /// A win by threats that begins with a move: the attacker goes on by the proof, which
    /// is still in the table, the defender by a short search.
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
            after(&mut root, contest, cell);
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

/// Whether the time of a search is over, or somebody ended it.
fn is_over(request: &Request) -> bool {
    let Request { control, started, budget, .. } = request;
    control.is_over(Instant::now()) || started.elapsed() >= budget.hard
}

/// The position after a stone of the side to move.
fn after(root: &mut RootPosition, contest: &Contest, cell: Cell) {
    root.events.push(Event::Stone(cell, root.to_move));
    if root.stones_to_place > 1 {
        (root.stones_to_place, root.placed) = (root.stones_to_place - 1, root.placed + 1);
    } else {
        let turn = contest.variant.turn();
        (root.to_move, root.stones_to_place, root.placed) = (!root.to_move, turn, 0);
    }
}

/// When lines were told last.
#[derive(Default)]
struct Pace {
    last: Option<Instant>,
}

impl Pace {
    /// Whether a report is due; the first one always is.
    fn is_due(&mut self) -> bool {
        let due = self.last.is_none_or(|last| last.elapsed() >= PAUSE);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }
}

#[cfg(test)]
mod tests;
