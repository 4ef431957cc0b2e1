//! Sessions of the Gomocup protocol and its Yixin-Board extension: what each
//! command does, and what is answered.
//!
//! Commands and the events of the search thread come in, replies go out through a
//! function; each command that asks for a decision gets exactly one answer, and
//! between answers nothing is said. A session never reads or writes a stream, and
//! never waits for the search.
//!
//! Begin with a [`Session`]. Whoever owns it feeds it the commands of a
//! [`Parser`](goren_protocol::Parser), and hands back what the search thread tells:
//!
//! ```
//! use std::sync::mpsc;
//!
//! use goren_protocol::{Parser, Reply};
//! use goren_session::{Flow, Session};
//!
//! let (tell, thoughts) = mpsc::channel();
//! let mut session = Session::new(Box::new(move |thought| drop(tell.send(thought))))?;
//! let (mut parser, mut replies) = (Parser::new(), Vec::new());
//! for line in ["START 15", "INFO timeout_turn 200", "TURN 7,7"] {
//!     for event in parser.feed(line.as_bytes()) {
//!         let flow = session.handle(event, &mut |reply| replies.push(reply));
//!         assert_eq!(flow, Flow::Continue);
//!     }
//! }
//! while session.is_thinking() {
//!     let flow = session.thought(thoughts.recv()?, &mut |reply| replies.push(reply));
//!     assert_eq!(flow, Flow::Continue);
//! }
//! assert_eq!(replies.first(), Some(&Reply::Ok));
//! assert!(matches!(replies.last(), Some(Reply::Move(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod axes;
mod balance;
mod closing;
mod database;
pub mod decide;
mod gomocup;
mod help;
mod ponder;
mod position;
mod proofs;
mod report;
mod settings;
mod strength;
mod swap2;
mod table;
mod teller;
mod thinker;
mod thinking;
mod trouble;
mod weights;
pub mod wire;
mod yixin;

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use goren_protocol::{About, Command, Event, Info, ParseError, Ply, Point, Reply, YixinCommand};

use self::closing::Closing;
use self::database::Shelf;
use self::proofs::Proofs;
use self::settings::Settings;
use self::table::{TableGame, Wanted};
use self::thinker::{Task, Thinker};
use self::thinking::Thinking;
use self::trouble::Trouble;
use self::weights::Loaded;
use self::yixin::bans::Banned;
use self::yixin::dialogue::Step;
use self::yixin::offers::Opinion;
use goren_core::rules::Setup;
use goren_core::types::Color;
use goren_engine::hash::has_room;
use goren_engine::search::time::Overshoot;
use goren_engine::{Engine, Game, Hash, Params, spare};

pub use self::thinker::Thought;
pub use self::yixin::hash;

/// Where replies go.
pub type Out<'a> = &'a mut dyn FnMut(Reply);

/// How long after START a rehearsal may last, and all that is done before its
/// OK. Managers wait for that a hundred times as long, but measure it.
const REHEARSAL: Duration = Duration::from_millis(15);
const WARM_UP: Duration = Duration::from_millis(30);

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
    /// The table of all searches.
    hash: Hash,
    /// What searches the game at hand, unless it is lent to the thinking thread.
    engine: Engine,
    weights: Loaded,
    proofs: Proofs,
    params: Params,
    shelf: Shelf,
    banned: Banned,
    /// The step of an opening that is being thought about, or was last, and
    /// what decided it.
    step: Option<Step>,
    /// Its stones, and the fifths offered.
    step_stones: Vec<Point>,
    dialogue: Option<Box<TableGame>>,
    /// Whether the position that was shown last, to be searched by another
    /// command, was none.
    refused: bool,
    /// What we thought of the game when we moved last.
    opinion: Option<Opinion>,
    /// Games begun.
    games: u64,
    thinker: Thinker,
    overshoot: Overshoot,
    /// What came during thought and must wait for the answer.
    waiting: VecDeque<(Event, Instant)>,
    /// When the command being obeyed arrived.
    arrived: Instant,
    /// That no more commands will come.
    closing: Option<Closing>,
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
    Thinking(Box<Thinking>),
}

impl Session {
    /// A session before START. `tell` is called from the thinking thread; what
    /// it gets must be handed to [`Session::thought`], in order.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn new(tell: Box<dyn FnMut(Thought) + Send>) -> io::Result<Session> {
        let hash = Hash::default();
        Ok(Session {
            settings: Settings::default(),
            wanted: Wanted::default(),
            state: State::Unstarted,
            engine: Engine::with_hash(hash.clone()),
            hash,
            weights: Loaded::default(),
            proofs: Proofs::default(),
            params: Params::default(),
            shelf: Shelf::default(),
            banned: Banned::default(),
            step: None,
            step_stones: Vec::new(),
            dialogue: None,
            refused: false,
            opinion: None,
            games: 0,
            thinker: Thinker::start(tell)?,
            overshoot: Overshoot::default(),
            waiting: VecDeque::new(),
            arrived: Instant::now(),
            closing: None,
            human: false,
        })
    }

    /// Greets a human at a terminal, who will then also be helped.
    pub fn greet(&mut self, out: Out) {
        self.human = true;
        help::greeting().for_each(out);
    }

    /// Whether an answer is due.
    pub fn is_thinking(&self) -> bool {
        let busy = matches!(self.state, State::Thinking(_));
        busy && !(self.is_pondering() && self.waiting.is_empty())
    }

    /// Obeys a command, or complains about a line that is none.
    pub fn handle(&mut self, event: Event, out: Out) -> Flow {
        self.handle_since(event, Instant::now(), out)
    }

    /// The same with a command that has come at `arrived`: its clock runs since
    /// then, though something else had to be finished first.
    pub fn handle_since(&mut self, event: Event, arrived: Instant, out: Out) -> Flow {
        if event == Ok(Command::End) {
            if let State::Thinking(thinking) = &self.state {
                thinking.control.stop();
            }
            return Flow::Quit;
        }
        self.arrived = arrived;
        if self.is_pondering() {
            self.during_pondering(event, out);
        } else if self.is_thinking() {
            self.during_thought(event, out);
        } else {
            self.obey(event, out);
        }
        Flow::Continue
    }

    /// What may not wait for the answer is done at once, the rest is kept.
    fn during_thought(&mut self, event: Event, out: Out) {
        let same = matches!(&event, Ok(Command::Yixin(YixinCommand::Board(list)))
            if self.is_of_the_step(list));
        let closing = self.closing.is_some();
        let State::Thinking(thinking) = &mut self.state else { return };
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
            // But where none of them is for a search, a time is about this one.
            Ok(Command::Info(info))
                if self.waiting.is_empty() && !matches!(info, Info::UseDatabase(_))
                    || is_time(info) && self.waiting.iter().all(|(event, _)| is_aside(event)) =>
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
            // Yixin-Boards show the position, START and all, right behind the
            // step of an opening that they ask for: that is no new game. Only
            // another position is.
            Ok(Command::Start { .. }) if thinking.task == Task::Dialogue => {}
            Ok(Command::Yixin(YixinCommand::Board(_)))
                if thinking.task == Task::Dialogue && same => {}
            // A new position: nobody needs this search any more, but its one
            // answer is still expected. Yixin-Board 2.1 sends its yxstop after
            // these, and swallows one move. A new game whose opening is ours
            // begins with the first step alone.
            Ok(
                Command::Start { .. }
                | Command::RectStart { .. }
                | Command::Restart
                | Command::Yixin(
                    YixinCommand::Board(_) | YixinCommand::Swap2Step1 | YixinCommand::SoosorvStep1,
                ),
            ) if !closing => {
                let asked_for = thinking.control.stopped();
                thinking.control.stop();
                // But it does not count the searches of a user who wants to
                // know, and would play their answer in the new position. What
                // is said of an opening all of them take for the one at hand.
                thinking.forsaken |= !asked_for
                    && (thinking.task == Task::Dialogue
                        || self.settings.is_first_yixin_board()
                            && matches!(thinking.task, Task::Analyse | Task::Balance(_)));
            }
            _ => {}
        }
        self.waiting.push_back((event, self.arrived));
    }

    /// Notes a setting. What cannot be used is told as a MESSAGE: any other
    /// answer to an INFO would be taken for a move.
    fn inform(&mut self, info: &Info, out: Out) {
        match info {
            Info::Weights(path) => {
                if let Err(error) = self.weights.load(Path::new(path)) {
                    out(Reply::Message(format!("weights {path} not used: {error}")));
                }
                self.dialogue = None;
            }
            Info::Proof(path) => {
                if let Err(error) = self.proofs.load(Path::new(path)) {
                    out(Reply::Message(format!("proof {path} not used: {error}")));
                }
                self.tell_faults(out);
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
            Info::Malformed { key, value } => {
                self.wanted.unreadable(key, value);
                self.settings.apply(info);
            }
            Info::Folder(path) => self.keep_files_in(Path::new(path)),
            Info::UseDatabase(on) => self.use_database(*on, out),
            Info::DatabaseReadonly(on) => self.keep_database(*on),
            Info::Rule(_) => {
                self.settings.apply(info);
                self.turn_to_rule();
            }
            _ => self.settings.apply(info),
        }
    }

    /// Builds a game that has not begun by the rule that now holds. Commands
    /// would do that; but then their time counts.
    fn turn_to_rule(&mut self) {
        let (State::Idle(game), Ok(variant)) = (&self.state, self.settings.variant()) else {
            return;
        };
        if game.setup().rule == variant.rule || !game.stones().is_empty() {
            return;
        }
        let until = self.arrived + REHEARSAL / 3;
        if self.game().is_ok()
            && let State::Idle(game) = &self.state
        {
            self.engine.rehearse(&**game, until);
        }
    }

    /// Applies changed times to the running search.
    fn hurry(&self) {
        if let State::Thinking(thinking) = &self.state
            && thinking.task != Task::Ponder
        {
            let hard = self.clock().budget(thinking.stones, thinking.area).hard;
            let hard = thinking.latest_end.map_or(hard, |end| end.min(hard));
            thinking.control.cap(hard);
            if hard <= thinking.started.elapsed() {
                // A longer time behind it is for the next move.
                thinking.control.stop();
            }
        }
    }

    fn obey(&mut self, event: Event, out: Out) {
        let at_table = matches!(self.state, State::Table(_));
        let done = match event {
            Err(error) => {
                self.refused |= matches!(
                    error,
                    ParseError::Invalid {
                        command: "BOARD" | "SWAP2BOARD" | "YXBOARD" | "PLIES",
                        ..
                    }
                );
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
                Some(at) if !at_table && ply.is_single() => self.turn(at, out),
                _ => self.turn_ply(&ply, out),
            },
            Ok(Command::Plies(texts)) => self.plies(&texts, out),
            Ok(command @ (Command::Board(_) | Command::Play(_) | Command::Swap2Board(_)))
                if at_table =>
            {
                Err(Trouble::NotHere(command.keyword()))
            }
            Ok(Command::Begin) => self.begin(),
            Ok(Command::Turn(at)) => self.turn(at, out),
            Ok(Command::Board(list)) => self.board(&list, out),
            Ok(Command::Takeback(at)) => self.take_back(at, out),
            Ok(Command::Play(at)) => self.play(at, out),
            Ok(Command::Swap2Board(list)) => self.swap2(&list, out),
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
        // A move may have been looked up.
        self.tell_faults(out);
        if let Err(trouble) = done {
            out(Reply::Error(trouble.to_string()));
        }
    }

    /// Tells what is wrong with files that are in use.
    fn tell_faults(&mut self, out: Out) {
        self.proofs.faults().into_iter().for_each(|fault| out(Reply::Message(fault)));
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
        if !spare::keep() || !has_room() {
            return Err(Trouble::NoRoom);
        }
        if let Some(contest) = self.wanted.contest(side(width), side(height))? {
            return self.start_table(&contest, out);
        }
        let rule = self.settings.variant()?.rule;
        let setup = Setup::new(rule, side(width), side(height))?;
        let same = |game: &dyn Game| game.setup() == setup && self.weights.in_use();
        // While there may be no room for it, the game before is kept.
        let new = match &self.state {
            State::Idle(game) if same(&**game) => None,
            _ => Some(self.weights.new_game(setup)),
        };
        if let Some(game) = &new {
            self.engine.rehearse(&**game, self.arrived + REHEARSAL);
            self.warm_up();
        }
        if spare::is_given_up() {
            return Err(Trouble::NoRoom);
        }
        // Emptying a large table takes a moment.
        out(Reply::Ok);
        self.settings.new_game();
        self.games += 1;
        let mut game = match (new, std::mem::replace(&mut self.state, State::Unstarted)) {
            (None, State::Idle(game)) => game,
            (new, _) => new.unwrap_or_else(|| self.weights.new_game(setup)),
        };
        self.engine.forget();
        if game.set_up(&[], Color::Black).is_err() {
            game = self.weights.new_game(setup);
        }
        self.refused = false;
        self.state = State::Idle(game);
        self.settle_weights();
        Ok(())
    }

    /// Has the memory that the first search needs fetched in the time for START,
    /// which nobody counts.
    fn warm_up(&self) {
        self.hash.set_limit(self.table_bytes());
        self.hash.prepare(self.arrived + WARM_UP);
    }

    /// After the game at hand was built anew.
    fn settle_weights(&mut self) {
        if self.weights.settle() {
            // What the table knows was measured by the old weights.
            self.hash.clear();
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
}

/// Whether a setting is about time.
fn is_time(info: &Info) -> bool {
    use Info::{TimeIncrement, TimeLeft, TimeoutMatch, TimeoutTurn};
    matches!(info, TimeoutTurn(_) | TimeoutMatch(_) | TimeLeft(_) | TimeIncrement(_))
}

/// Whether something that waits is about neither another search nor another
/// position.
fn is_aside(event: &Event) -> bool {
    use YixinCommand::{Database, ShowForbid, ShowInfo};
    match event {
        Err(_) | Ok(Command::About | Command::Stop | Command::Info(_)) => true,
        Ok(Command::Yixin(command)) => matches!(command, Database(_) | ShowForbid | ShowInfo),
        Ok(_) => false,
    }
}

impl Drop for Session {
    /// Nobody waits for the answer any more.
    fn drop(&mut self) {
        if let State::Thinking(thinking) = &self.state {
            thinking.control.stop();
        }
    }
}

fn about() -> About {
    About::new("Goren", env!("CARGO_PKG_VERSION"), "the Goren authors", "international")
}
