//! Handing a game to the thinking thread and taking it back: what a search may
//! spend, what is told while it runs, and its one answer.

use std::sync::Arc;
use std::time::Duration;

use goren_protocol::Reply;

use super::closing::Closing;
use super::database::{self, Proves};
use super::gomocup::place;
use super::job::{Decision, Job, Lent, Task, Thought};
use super::out::Out;
use super::report;
use super::running::Thinking;
use super::state::{Flow, Session, State};
use super::strength::Strength;
use super::trouble::Trouble;
use super::voice::Voice;
use super::yixin::{self, bans, dialogue, offers};
use goren_core::types::{Cell, CellSet, MAX_SIDE};
use goren_engine::{Budget, Clock, Control, Engine, Request};

impl Session {
    pub(super) fn think(&mut self, task: Task) -> Result<(), Trouble> {
        let first = matches!(&self.state, State::Idle(game) if game.stones().len() == 1);
        let swaps = task == Task::Move && first && self.settings.may_swap();
        let task = if swaps { Task::Choose } else { task };
        let mut request = self.request();
        database::advice(self, task).apply(&mut request);
        // What a database says of the first move goes before.
        let free = request.bans.here.is_empty() && request.root_moves.is_empty();
        if let Some(m) = self.book(task, request.budget.hard).filter(|_| free) {
            // What is proven need not be searched.
            request.root_moves = vec![m];
            request.max_depth = Some(1);
        }
        self.think_within(task, request)
    }

    /// The move of a winning tree, unless the user bans anything.
    fn book(&mut self, task: Task, hard: Duration) -> Option<Cell> {
        let bans = bans::bans(self);
        let free = bans.here.is_empty() && bans.lines.is_empty();
        let free = free && bans.cells.iter().all(CellSet::is_empty);
        let State::Idle(game) = &self.state else { return None };
        let advise = || self.proofs.advise(game.as_ref(), hard);
        (task == Task::Move && free).then(advise).flatten()
    }

    /// Bytes that the table may take, beside the trees in use.
    pub(super) fn table_bytes(&self) -> usize {
        self.settings.table_bytes(self.proofs.bytes())
    }

    /// What the settings allow a search of the position at hand.
    pub(super) fn request(&self) -> Request {
        Request {
            budget: self.budget(),
            started: self.arrived,
            max_depth: self.settings.max_depth(),
            max_nodes: self.settings.max_nodes(),
            threads: self.settings.threads(),
            bans: bans::bans(self),
            ..Request::default()
        }
    }

    /// The time for a search of the position at hand.
    fn budget(&self) -> Budget {
        let (stones, area) = match &self.state {
            State::Idle(game) => game.measures(),
            State::Table(table) => table.measures(),
            _ => (0, MAX_SIDE * MAX_SIDE),
        };
        self.clock().budget(stones, area)
    }

    pub(super) fn clock(&self) -> Clock {
        self.settings.clock().with_overshoot(self.overshoot.worst())
    }

    pub(super) fn think_within(&mut self, task: Task, mut request: Request) -> Result<(), Trouble> {
        request.known = database::known(self, task);
        // By the analysis of one line some boards play: a forced reply must come
        // at once there too.
        request.move_only = matches!(task, Task::Move | Task::Analyse);
        let lent = match std::mem::replace(&mut self.state, State::Unstarted) {
            State::Idle(game) => Lent::Game(game, Box::new(self.lend_engine())),
            State::Table(table) => Lent::Table(table),
            other => {
                self.state = other;
                return Err(Trouble::NotStarted);
            }
        };
        self.think_about(lent, task, request)
    }

    /// The engine of the game at hand, another in its place until it is back.
    fn lend_engine(&mut self) -> Engine {
        std::mem::replace(&mut self.engine, Engine::with_hash(self.hash.clone()))
    }

    pub(super) fn think_about(
        &mut self,
        mut lent: Lent,
        task: Task,
        mut request: Request,
    ) -> Result<(), Trouble> {
        let (stones, area, height) = lent.measures();
        if let Err(trouble) = self.secure_table(stones, area) {
            self.give_back(lent);
            return Err(trouble);
        }
        let budget = request.budget;
        match &mut lent {
            Lent::Game(_, engine) => engine.set_params(&self.params),
            Lent::Table(game) | Lent::Opening(game, _) => game.decider.set_params(&self.params),
        }
        let control = Arc::new(Control::default());
        request.control = control.clone();
        let latest_end = self.closing.as_ref().map(Closing::share);
        latest_end.into_iter().for_each(|end| control.cap(end));
        self.state = State::Thinking(Box::new(Thinking {
            control,
            started: self.arrived,
            latest_end,
            budget,
            stones,
            area,
            height,
            task,
            proves: Proves::of(task, &request),
            told: None,
            forsaken: false,
            forbidden: None,
        }));
        let strength = match task {
            Task::Move => self.settings.strength(),
            // gomocalc, which alone sets a strength, plays by YXNBEST 1.
            Task::Analyse if request.multi_pv == 1 && !request.defend => self.settings.strength(),
            _ => Strength::FULL,
        };
        let voice = match task {
            Task::Ponder => Voice::Silent,
            _ if self.settings.marks() => Voice::Marks,
            _ => Voice::Lines,
        };
        let games = self.games;
        self.thinker.begin(Job { lent, task, request, strength, games, voice }).map_err(|job| {
            self.give_back(job.lent);
            Trouble::NoThread
        })
    }

    /// The table for a search of so many stones on so many cells. Commands that
    /// change the position and then search see to it first, so that nothing has
    /// changed if it cannot be had.
    pub(super) fn secure_table(&mut self, stones: usize, area: usize) -> Result<(), Trouble> {
        // Of our own time even when the opponent's is used: the table stays.
        let request = Request {
            budget: self.clock().budget(stones, area),
            max_nodes: self.settings.max_nodes(),
            threads: self.settings.threads(),
            ..Request::default()
        };
        self.hash.set_limit(self.table_bytes());
        self.hash.for_search(&request)?;
        Ok(())
    }

    /// Forgets all that was learnt from searches.
    pub(super) fn forget(&mut self) {
        self.hash.clear();
        match &mut self.state {
            State::Idle(_) => self.engine.forget(),
            State::Table(table) => table.decider.forget(),
            _ => {}
        }
    }

    /// A lent game is at hand again.
    fn give_back(&mut self, lent: Lent) {
        self.state = match lent {
            Lent::Game(game, engine) => {
                self.engine = *engine;
                State::Idle(game)
            }
            Lent::Table(table) => State::Table(table),
            Lent::Opening(table, game) => {
                self.dialogue = Some(table).filter(|_| self.weights.in_use());
                State::Idle(game)
            }
        };
    }

    /// Passes on what the thinking thread told.
    pub fn thought(&mut self, thought: Thought, out: Out) -> Flow {
        let axes = self.axes();
        let State::Thinking(thinking) = &mut self.state else { return Flow::Continue };
        let height = thinking.height;
        let (lent, decision) = match thought {
            Thought::Report(info) => {
                out(report::line(&info, height));
                if self.settings.block() {
                    report::block(&info, axes).into_iter().for_each(|d| out(Reply::Detail(d)));
                }
                if info.pv_index == 0 {
                    thinking.told = Some(info);
                }
                return Flow::Continue;
            }
            Thought::Mark(mark) => {
                if self.settings.marks() {
                    out(Reply::Realtime(report::realtime(mark, axes)));
                }
                return Flow::Continue;
            }
            Thought::Holding(holding, lost) => {
                yixin::tell_holding(&holding, lost, height, out);
                return Flow::Continue;
            }
            Thought::Done { lent, decision } => (lent, decision),
        };
        let (started, budget, task) = (thinking.started, thinking.budget, thinking.task);
        let proves = thinking.proves;
        let told = thinking.told.take();
        let forsaken = thinking.forsaken;
        self.give_back(lent);
        let proven = told.as_ref().and_then(|told| database::proven(self, proves, told));
        if task != Task::Ponder && !forsaken {
            self.answer(task, decision, out);
            let elapsed = started.elapsed();
            self.settings.spend(elapsed);
            self.overshoot.note(&budget, elapsed);
            offers::form_opinion(self, told.filter(|_| matches!(task, Task::Move | Task::Analyse)));
        }
        if let Some((key, record)) = proven {
            self.shelf.write_back(&key, &record);
        }
        let idle = self.waiting.is_empty();
        if self.obey_waiting(out) == Flow::Quit {
            return Flow::Quit;
        }
        if idle && task == Task::Move {
            self.ponder();
        }
        Flow::Continue
    }

    /// Obeys what waited for the answer. It may itself ask for thought; then the
    /// rest waits again.
    fn obey_waiting(&mut self, out: Out) -> Flow {
        self.begin_last_searches();
        let mut waiting = std::mem::take(&mut self.waiting);
        while let Some((event, at)) = waiting.pop_front() {
            let at = self.since_when(at, &waiting);
            if self.handle_since(event, at, out) == Flow::Quit {
                return Flow::Quit;
            }
        }
        if self.closing.is_some() && !self.is_thinking() { Flow::Quit } else { Flow::Continue }
    }

    /// The one answer to the command that asked for thought.
    fn answer(&mut self, task: Task, decision: Decision, out: Out) {
        let axes = self.axes();
        match decision {
            Decision::Ply(decision) => {
                let decision = decision.map(|decision| *decision);
                match self.step.take().filter(|_| task == Task::Dialogue) {
                    Some(step) => dialogue::answer_step(self, &step, decision, out),
                    None => self.answer_ply(decision, out),
                }
            }
            Decision::Swap => out(Reply::Swap),
            Decision::Open(stones) => {
                out(Reply::ThreeMoves(stones.map(|cell| axes.point(cell))));
            }
            Decision::Balance(wanted, found) => yixin::answer_balance(self, wanted, found, out),
            Decision::Move(best) => {
                let placed = match &mut self.state {
                    State::Idle(game) => place(game.as_mut(), best),
                    _ => None,
                };
                out(placed.map_or_else(
                    || Reply::Error(Trouble::Over.to_string()),
                    |cell| Reply::Move(axes.point(cell)),
                ));
            }
        }
    }
}
