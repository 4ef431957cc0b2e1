//! A game in progress: what each command does, and what is answered.
//!
//! Commands and the thoughts of the search come in as events, replies go out
//! through a function; each command that asks for a decision gets exactly one
//! answer, and between answers nothing is said. Never reads or writes a
//! stream, and never waits for the search.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod database;
pub mod decide;
mod gomocup;
mod help;
pub(crate) mod memory;
mod position;
mod report;
mod settings;
mod swap2;
mod table;
mod thinker;
mod trouble;
mod weights;
pub mod wire;
mod yixin;

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use goren_protocol::{About, Command, Event, Info, ParseError, Ply, Reply, YixinCommand};

use self::database::Shelf;
use self::gomocup::place;
use self::memory::Memory;
use self::position::Axes;
use self::settings::Settings;
use self::table::{TableGame, Wanted};
use self::thinker::{Decision, Job, Lent, Task, Thinker};
use self::trouble::Trouble;
use self::weights::Loaded;
use crate::rules::Setup;
use crate::search::time::{Budget, Overshoot};
use crate::search::{Control, Game, Limits, Params};
use crate::types::Color;

pub use self::thinker::Thought;

/// Where replies go.
pub type Out<'a> = &'a mut dyn FnMut(Reply);

/// Whether to go on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Flow {
    /// More events are welcome.
    Continue,
    /// The process must exit at once, without another word.
    Quit,
}

/// The state of a game and of all settings.
pub struct Session {
    settings: Settings,
    wanted: Wanted,
    state: State,
    axes: Axes,
    memory: Memory,
    weights: Loaded,
    params: Params,
    shelf: Shelf,
    thinker: Thinker,
    overshoot: Overshoot,
    /// What came during thought and must wait for the answer.
    waiting: VecDeque<Event>,
    /// When the command being obeyed arrived.
    arrived: Instant,
    /// Whether a human types the commands.
    human: bool,
}

enum State {
    /// Before START.
    Unstarted,
    /// Waiting for a command.
    Idle(Box<dyn Game>),
    /// Likewise, in a game named by `INFO variant`.
    Table(Box<TableGame>),
    /// The game is with the thinking thread.
    Thinking(Thinking),
}

struct Thinking {
    control: Arc<Control>,
    started: Instant,
    budget: Budget,
    stones: usize,
    area: usize,
    height: usize,
}

impl Session {
    /// A session before START. `tell` is called from the thinking thread; what
    /// it gets must be handed to [`Session::thought`], in order.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn new(tell: Box<dyn FnMut(Thought) + Send>) -> io::Result<Session> {
        Ok(Session {
            settings: Settings::default(),
            wanted: Wanted::default(),
            state: State::Unstarted,
            axes: Axes::default(),
            memory: Memory::default(),
            weights: Loaded::default(),
            params: Params::default(),
            shelf: Shelf::default(),
            thinker: Thinker::start(tell)?,
            overshoot: Overshoot::default(),
            waiting: VecDeque::new(),
            arrived: Instant::now(),
            human: false,
        })
    }

    /// Greets a human at a terminal, who will then also be helped.
    pub fn greet(&mut self, out: Out) {
        self.human = true;
        help::greeting().for_each(out);
    }

    /// Whether an answer is being thought about.
    pub fn is_thinking(&self) -> bool {
        matches!(self.state, State::Thinking(_))
    }

    /// Obeys a command, or complains about a line that is none.
    pub fn handle(&mut self, event: Event, out: Out) -> Flow {
        if event == Ok(Command::End) {
            if let State::Thinking(thinking) = &self.state {
                thinking.control.stop();
            }
            return Flow::Quit;
        }
        self.arrived = Instant::now();
        if self.is_thinking() {
            self.during_thought(event, out);
        } else {
            self.obey(event, out);
        }
        Flow::Continue
    }

    /// What may not wait for the answer is done at once, the rest is kept.
    fn during_thought(&mut self, event: Event, out: Out) {
        let State::Thinking(thinking) = &self.state else { return };
        match &event {
            Ok(Command::Stop) => {
                thinking.control.stop();
                if self.waiting.is_empty() {
                    return;
                }
            }
            // Piskvork's "move now" is a timeout_turn of 0 during thought.
            // Behind waiting commands a setting is about them, and waits too.
            // To open a database takes its time.
            Ok(Command::Info(info))
                if self.waiting.is_empty() && !matches!(info, Info::UseDatabase(_)) =>
            {
                self.inform(info, out);
                self.hurry();
                return;
            }
            // Both Yixin-Boards query the database during thought; a list of
            // coordinates that is no position to play.
            Ok(Command::Yixin(YixinCommand::Database(command)))
                if self.waiting.is_empty() && database::is_quick(command) =>
            {
                self.database(command, out);
                return;
            }
            // A new position: nobody needs this search any more, but its one
            // answer is still expected. Yixin-Board 2.1 sends its yxstop after
            // these, and swallows one move.
            Ok(
                Command::Start { .. }
                | Command::RectStart { .. }
                | Command::Restart
                | Command::Yixin(YixinCommand::Board(_)),
            ) => thinking.control.stop(),
            _ => {}
        }
        self.waiting.push_back(event);
    }

    /// Notes a setting. What cannot be used is told as a MESSAGE: any other
    /// answer to an INFO would be taken for a move.
    fn inform(&mut self, info: &Info, out: Out) {
        match info {
            Info::Weights(path) => {
                if let Err(error) = self.weights.load(Path::new(path)) {
                    out(Reply::Message(format!("weights {path} not used: {error}")));
                }
            }
            Info::Params(list) => {
                if let Err(error) = self.params.set_all(list) {
                    out(Reply::Message(format!("params not used: {error}")));
                }
            }
            Info::Variant(name) => {
                if let Err(error) = self.wanted.variant(name) {
                    out(Reply::Message(format!("variant not used: {error}")));
                }
            }
            Info::Opening(name) => {
                if let Err(error) = self.wanted.opening(name) {
                    out(Reply::Message(format!("opening not used: {error}")));
                }
            }
            Info::TieBreak(on) => self.wanted.tie_break(*on),
            Info::UseDatabase(on) => self.use_database(*on, out),
            Info::DatabaseReadonly(on) => self.keep_database(*on),
            _ => self.settings.apply(info),
        }
    }

    /// Applies changed times to the running search.
    fn hurry(&self) {
        if let State::Thinking(thinking) = &self.state {
            let clock = self.settings.clock().with_overshoot(self.overshoot.worst());
            let budget = clock.budget(thinking.stones, thinking.area);
            thinking.control.cap(budget.hard);
        }
    }

    fn obey(&mut self, event: Event, out: Out) {
        let at_table = matches!(self.state, State::Table(_));
        let done = match event {
            Err(error) => {
                self.complain(&error, out);
                Ok(())
            }
            Ok(Command::Start { width, height } | Command::RectStart { width, height }) => {
                self.start(width, height, out)
            }
            Ok(Command::Restart) => self.restart(out),
            Ok(Command::Begin) if at_table => self.begin_table(),
            Ok(Command::Turn(at)) if at_table => self.turn_ply(&Ply::one(at), out),
            Ok(Command::Takeback(at)) if at_table => self.take_back_ply(at, out),
            Ok(Command::TurnPly(ply)) => match ply.first() {
                // Words after the coordinate mean nothing to Gomocup.
                Some(at) if !at_table && ply.is_single() => self.turn(at),
                _ => self.turn_ply(&ply, out),
            },
            Ok(Command::Plies(texts)) => self.plies(&texts),
            Ok(command @ (Command::Board(_) | Command::Play(_) | Command::Swap2Board(_)))
                if at_table =>
            {
                Err(Trouble::NotHere(command.keyword()))
            }
            Ok(Command::Begin) => self.begin(),
            Ok(Command::Turn(at)) => self.turn(at),
            Ok(Command::Board(list)) => self.board(&list),
            Ok(Command::Takeback(at)) => self.take_back(at, out),
            Ok(Command::Play(at)) => self.play(at, out),
            Ok(Command::Swap2Board(list)) => self.swap2(&list),
            Ok(Command::Info(info)) => {
                self.inform(&info, out);
                Ok(())
            }
            Ok(Command::About) => {
                out(Reply::About(about()));
                Ok(())
            }
            // Idle already. Yixin-Board sends yxstop with every undo.
            Ok(Command::Stop) | Ok(Command::End) => Ok(()),
            Ok(Command::Yixin(command)) => self.yixin(command, out),
        };
        if let Err(trouble) = done {
            out(Reply::Error(trouble.to_string()));
        }
    }

    fn complain(&self, error: &ParseError, out: Out) {
        match error {
            ParseError::Unknown { text } if self.human && help::wanted(text) => {
                help::lines().for_each(out);
            }
            // Yixin-Board 2.1 takes lines it does not know for moves, and an
            // unknown list leaves its lines behind.
            ParseError::Unknown { .. } | ParseError::Stray { .. }
                if self.settings.yixin() || error.is_extension() => {}
            _ => out(error.reply()),
        }
    }

    fn start(&mut self, width: u32, height: u32, out: Out) -> Result<(), Trouble> {
        let side = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        if let Some(contest) = self.wanted.contest(side(width), side(height)) {
            self.start_table(&contest?, out);
            return Ok(());
        }
        let rule = self.settings.variant()?.rule;
        let setup = Setup::new(rule, side(width), side(height))?;
        // Answer first: the tables of the rule are built only once, but then
        // they take a moment.
        out(Reply::Ok);
        self.axes = self.settings.axes();
        self.settings.new_game();
        let mut game = match std::mem::replace(&mut self.state, State::Unstarted) {
            State::Idle(game) if game.setup() == setup && self.weights.in_use() => game,
            _ => self.weights.new_game(setup),
        };
        game.forget();
        if game.set_up(&[], Color::Black).is_err() {
            game = self.weights.new_game(setup);
        }
        self.state = State::Idle(game);
        self.settle_weights();
        Ok(())
    }

    /// After the game at hand was built anew.
    fn settle_weights(&mut self) {
        if self.weights.settle() {
            // What the table knows was measured by the old weights.
            self.memory.clear();
        }
    }

    fn restart(&mut self, out: Out) -> Result<(), Trouble> {
        let (width, height) = match &self.state {
            State::Table(table) => {
                let contest = table.course.contest();
                (contest.width, contest.height)
            }
            _ => {
                let setup = self.idle()?.setup();
                (setup.width, setup.height)
            }
        };
        self.start(width as u32, height as u32, out)
    }

    fn think(&mut self, task: Task) -> Result<(), Trouble> {
        let limits = Limits {
            clock: self.settings.clock().with_overshoot(self.overshoot.worst()),
            started: self.arrived,
            max_depth: self.settings.max_depth(),
            max_nodes: self.settings.max_nodes(),
            threads: self.settings.threads(),
            root_moves: self.stored_moves(task),
        };
        let mut lent = match std::mem::replace(&mut self.state, State::Unstarted) {
            State::Idle(game) => Lent::Game(game),
            State::Table(table) => Lent::Table(table),
            other => {
                self.state = other;
                return Err(Trouble::NotStarted);
            }
        };
        let (stones, area, height) = lent.measures();
        let budget = limits.clock.budget(stones, area);
        let useful = memory::useful_bytes(budget.hard, limits.max_nodes, limits.threads);
        let table = match self.memory.table(useful, self.settings.table_bytes()) {
            Ok(table) => table,
            Err(error) => {
                self.give_back(lent);
                return Err(error.into());
            }
        };
        match &mut lent {
            Lent::Game(game) => game.tune(&self.params),
            Lent::Table(game) => game.decider.tune(&self.params),
        }
        let control = Arc::new(Control::default());
        self.state = State::Thinking(Thinking {
            control: control.clone(),
            started: self.arrived,
            budget,
            stones,
            area,
            height,
        });
        self.thinker.begin(Job { lent, task, table, limits, control }).map_err(|job| {
            self.give_back(job.lent);
            Trouble::NoThread
        })
    }

    /// A lent game is at hand again.
    fn give_back(&mut self, lent: Lent) {
        self.state = match lent {
            Lent::Game(game) => State::Idle(game),
            Lent::Table(table) => State::Table(table),
        };
    }

    /// Passes on what the thinking thread told.
    pub fn thought(&mut self, thought: Thought, out: Out) -> Flow {
        let State::Thinking(thinking) = &self.state else { return Flow::Continue };
        let (lent, decision) = match thought {
            Thought::Report(info) => {
                out(Reply::Search(report::search_info(&info, thinking.height)));
                return Flow::Continue;
            }
            Thought::Done { lent, decision } => (lent, decision),
        };
        let (started, budget) = (thinking.started, thinking.budget);
        self.give_back(lent);
        match decision {
            Decision::Ply(decision) => self.answer_ply(decision.map(|decision| *decision), out),
            other => out(self.answer(other)),
        }
        let elapsed = started.elapsed();
        self.settings.spend(elapsed);
        self.overshoot.note(&budget, elapsed);
        // What waited may itself ask for thought; then the rest waits again.
        for event in std::mem::take(&mut self.waiting) {
            if self.handle(event, out) == Flow::Quit {
                return Flow::Quit;
            }
        }
        Flow::Continue
    }

    /// The one answer to the command that asked for thought.
    fn answer(&mut self, decision: Decision) -> Reply {
        let axes = self.axes;
        match decision {
            Decision::Ply(_) => Reply::Error(Trouble::Over.to_string()),
            Decision::Swap => Reply::Swap,
            Decision::Open(stones) => Reply::ThreeMoves(stones.map(|cell| axes.point(cell))),
            Decision::Move(best) => {
                let placed = match &mut self.state {
                    State::Idle(game) => place(game.as_mut(), best),
                    _ => None,
                };
                placed.map_or_else(
                    || Reply::Error(Trouble::Over.to_string()),
                    |cell| Reply::Move(axes.point(cell)),
                )
            }
        }
    }
}

fn about() -> About {
    About::new("Goren", env!("CARGO_PKG_VERSION"), "the Goren authors", "international")
}
