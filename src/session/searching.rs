//! Start and end of a search: lends the game to the search thread, sets its
//! limits, passes on its reports, and sends its one answer.

use std::sync::Arc;
use std::time::Duration;

use goren_protocol::Reply;

use super::active_search::ActiveSearch;
use super::allowance::Allowance;
use super::closing::Closing;
use super::command_error::CommandError;
use super::database::{self, Proves};
use super::gomocup::place;
use super::job::{Decision, Job, Lent, SearchEvent, Task};
use super::out::Out;
use super::report;
use super::state::{Flow, Session, State};
use super::strength::Strength;
use super::verbosity::Verbosity;
use super::yixin::{self, dialogue, exclusions, offers};
use goren_core::types::{Cell, CellSet};
use goren_engine::{Clock, Control, Engine, Request};

impl Session {
    pub(super) fn think(&mut self, task: Task, allowance: Allowance) -> Result<(), CommandError> {
        let first = matches!(&self.state, State::Idle(game) if game.stones().len() == 1);
        let swaps = task == Task::Move && first && self.settings.may_swap();
        let task = if swaps { Task::Choose } else { task };
        let mut request = self.request(&allowance);
        database::advice(self, task).apply(&mut request);
        // What a database says of the first move goes before.
        let free = request.exclusions.here.is_empty() && request.root_moves.is_empty();
        if let Some(m) = self.book(task, request.budget.hard).filter(|_| free) {
            // What is proven need not be searched.
            request.root_moves = vec![m];
            request.max_depth = Some(1);
        }
        self.think_within(task, request, allowance)
    }

    /// The move of a winning tree, unless the user excludes anything.
    fn book(&mut self, task: Task, hard: Duration) -> Option<Cell> {
        let exclusions = exclusions::exclusions(self);
        let free = exclusions.here.is_empty() && exclusions.lines.is_empty();
        let free = free && exclusions.cells.iter().all(CellSet::is_empty);
        let State::Idle(game) = &self.state else { return None };
        let advise = || self.proofs.advise(game.as_ref(), hard);
        (task == Task::Move && free).then(advise).flatten()
    }

    /// Bytes that the table may take, beside the trees in use.
    pub(super) fn table_bytes(&self) -> usize {
        self.settings.table_bytes(self.proofs.bytes())
    }

    /// The limits of a search by the settings, its time aside.
    pub(super) fn request(&self, allowance: &Allowance) -> Request {
        Request {
            budget: allowance.budget(),
            started: allowance.started(),
            max_depth: self.settings.max_depth(),
            max_nodes: self.settings.max_nodes(),
            threads: self.settings.threads(),
            exclusions: exclusions::exclusions(self),
            ..Request::default()
        }
    }

    /// The allowance of the current command, for a search of so many stones on so many
    /// cells.
    pub(super) fn allow(&self, stones: usize, area: usize) -> Allowance {
        Allowance::new(&self.clock(), self.arrived, (stones, area))
    }

    /// The same for a search of the current position.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn allow_here(&self) -> Result<Allowance, CommandError> {
        let (stones, area) = match &self.state {
            State::Idle(game) => game.measures(),
            State::Family(family_game) => family_game.measures(),
            State::Unstarted | State::Searching(_) => return Err(CommandError::NotStarted),
        };
        Ok(self.allow(stones, area))
    }

    pub(super) fn clock(&self) -> Clock {
        self.settings.clock().with_overshoot(self.overshoot.worst())
    }

    pub(super) fn think_within(
        &mut self,
        task: Task,
        mut request: Request,
        allowance: Allowance,
    ) -> Result<(), CommandError> {
        request.known_results = database::known_results(self, task, &allowance);
        // By the analysis of one line some boards play: a forced reply must come
        // at once there too.
        request.move_only = matches!(task, Task::Move | Task::Analyse);
        let lent = match std::mem::replace(&mut self.state, State::Unstarted) {
            State::Idle(game) => Lent::Game(game, Box::new(self.lend_engine())),
            State::Family(family_game) => Lent::Family(family_game),
            other => {
                self.state = other;
                return Err(CommandError::NotStarted);
            }
        };
        self.think_about(lent, task, request, allowance)
    }

    /// Takes the engine of the current game; another stands in until it is back.
    fn lend_engine(&mut self) -> Engine {
        std::mem::replace(&mut self.engine, Engine::with_hash(self.hash.clone()))
    }

    pub(super) fn think_about(
        &mut self,
        mut lent: Lent,
        task: Task,
        mut request: Request,
        allowance: Allowance,
    ) -> Result<(), CommandError> {
        if let Err(error) = self.secure_table(&allowance) {
            self.give_back(lent);
            return Err(error);
        }
        match &mut lent {
            Lent::Game(_, engine) => engine.set_params(&self.params),
            Lent::Family(game) | Lent::Opening(game, _) => game.decider.set_params(&self.params),
        }
        let control = Arc::new(Control::default());
        request.control = control.clone();
        let latest_end = self.closing.as_ref().map(Closing::share);
        latest_end.into_iter().for_each(|end| control.cap(end));
        self.state = State::Searching(Box::new(ActiveSearch {
            control,
            allowance,
            latest_end,
            height: lent.height(),
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
        let verbosity = match task {
            Task::Ponder => Verbosity::Silent,
            _ if self.settings.marks() => Verbosity::Marks,
            _ => Verbosity::Lines,
        };
        let games = self.games;
        self.search_thread.begin(Job { lent, task, request, strength, games, verbosity }).map_err(
            |job| {
                self.give_back(job.lent);
                CommandError::NoThread
            },
        )
    }

    /// The allowance for a search of so many stones on so many cells, with its table
    /// allocated. Commands that change the position and then search call it first, so
    /// that nothing has changed if there is no memory.
    pub(super) fn secure(&mut self, stones: usize, area: usize) -> Result<Allowance, CommandError> {
        let allowance = self.allow(stones, area);
        self.secure_table(&allowance)?;
        Ok(allowance)
    }

    /// Allocates the table for a search. A second call costs nothing, and is needed if a
    /// tree was opened or the table was cleared since the first.
    fn secure_table(&mut self, allowance: &Allowance) -> Result<(), CommandError> {
        // Of our own time even when the opponent's is used: the table stays.
        let request = Request {
            budget: allowance.budget(),
            max_nodes: self.settings.max_nodes(),
            threads: self.settings.threads(),
            ..Request::default()
        };
        self.hash.set_limit(self.table_bytes());
        self.hash.for_search(&request)?;
        Ok(())
    }

    /// Clears the results of all searches.
    pub(super) fn forget(&mut self) {
        self.hash.clear();
        match &mut self.state {
            State::Idle(_) => self.engine.forget(),
            State::Family(family_game) => family_game.decider.forget(),
            _ => {}
        }
    }

    /// Takes a lent game back.
    fn give_back(&mut self, lent: Lent) {
        self.state = match lent {
            Lent::Game(game, engine) => {
                self.engine = *engine;
                State::Idle(game)
            }
            Lent::Family(family_game) => State::Family(family_game),
            Lent::Opening(family_game, game) => {
                self.dialogue = Some(family_game).filter(|_| self.weights.in_use());
                State::Idle(game)
            }
        };
    }

    /// Handles an event of the search thread.
    pub fn search_event(&mut self, event: SearchEvent, out: Out) -> Flow {
        let axes = self.axes();
        let State::Searching(active) = &mut self.state else { return Flow::Continue };
        let height = active.height;
        let (lent, decision) = match event {
            SearchEvent::Report(info) => {
                out(report::line(&info, height));
                if self.settings.block() {
                    report::block(&info, axes).into_iter().for_each(|d| out(Reply::Detail(d)));
                }
                if info.pv_index == 0 {
                    active.told = Some(info);
                }
                return Flow::Continue;
            }
            SearchEvent::Mark(mark) => {
                if self.settings.marks() {
                    out(Reply::Realtime(report::realtime(mark, axes)));
                }
                return Flow::Continue;
            }
            SearchEvent::Holding(holding, lost) => {
                yixin::tell_holding(&holding, lost, height, out);
                return Flow::Continue;
            }
            SearchEvent::Done { lent, decision } => (lent, decision),
        };
        let (started, budget) = (active.allowance.started(), active.allowance.budget());
        let task = active.task;
        let proves = active.proves;
        let told = active.told.take();
        let forsaken = active.forsaken;
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
            self.database_state.write_back(&key, &record);
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

    /// Obeys the queued commands. One of them may start a search; then the rest stays
    /// queued.
    fn obey_waiting(&mut self, out: Out) -> Flow {
        self.begin_last_searches();
        let mut waiting = std::mem::take(&mut self.waiting);
        while let Some((event, at)) = waiting.pop_front() {
            let at = self.since_when(at, &waiting);
            if self.handle_since(event, at, out) == Flow::Quit {
                return Flow::Quit;
            }
        }
        if self.closing.is_some() && !self.is_searching() { Flow::Quit } else { Flow::Continue }
    }

    /// The one answer to the command that asked for a search.
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
                    || Reply::Error(CommandError::Over.to_string()),
                    |cell| Reply::Move(axes.point(cell)),
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_protocol::Parser;

    #[test]
    fn a_search_has_the_time_of_the_position_it_searches() {
        // Of a short match, where every stone or two change the budget.
        let times = "INFO timeout_turn 100000\nINFO timeout_match 9000\n";
        let cases = [
            ("START 15\nBEGIN", 0, 225),
            ("START 15\nTURN 7,7", 1, 225),
            ("START 15\nBOARD\n7,7,2\nDONE", 1, 225),
            ("START 15\nSWAP2BOARD\n7,7\n8,8\n9,7\nDONE", 3, 225),
            ("START 15\nPLAY 7,7\nYXNBEST 2", 1, 225),
            ("START 15\nYXSWAP2STEP1", 0, 225),
            ("START 15\nYXSOOSORVSTEP2\n7,7\n7,8\n7,9\nDONE", 3, 225),
            ("INFO variant connect6\nSTART 19\nBEGIN", 0, 361),
            ("INFO variant connect6\nSTART 19\nTURN 9,9", 1, 361),
            ("INFO variant connect6\nSTART 19\nPLIES j10 a1,b1 c1,d1", 5, 361),
        ];
        for (lines, stones, area) in cases {
            let mut session = Session::new(Box::new(|_| {})).unwrap();
            let (mut parser, mut said) = (Parser::new(), Vec::new());
            for line in format!("{times}{lines}").lines() {
                for event in parser.feed(line.as_bytes()) {
                    let flow = session.handle(event, &mut |reply| said.push(reply));
                    assert_eq!(flow, Flow::Continue);
                }
            }
            let State::Searching(active) = &session.state else { panic!("{lines}: {said:?}") };
            let budget = active.allowance.budget();
            assert_eq!(budget, session.clock().budget(stones, area), "{lines}");
            assert_ne!(budget, session.clock().budget(stones + 2, area), "{lines}");
        }
    }
}
