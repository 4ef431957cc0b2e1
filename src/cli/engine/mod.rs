//! A Gomocup engine as a child process, seen from the manager's side.
//!
//! One thread reads what the engine writes, stamps each line with its time of
//! arrival and hands on what is an answer. Memory is bounded whatever the
//! engine prints, and every wait has an end. The engine is judged by nobody
//! here: a [`Failure`] says what went wrong, the caller says what it costs.

mod command_line;
mod failure;
mod limits;
mod memory;
mod process;
mod report;
mod terms;
#[cfg(all(test, unix))]
mod tests;
mod transcript;

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use goren_protocol::{About, Command, Owner, Placed, Point, Reply, ReplyError, Setting};

use super::plies;
use goren_core::opening::{Action, GameState};
use goren_core::types::Cell;
use goren_session::wire::{Axes, action_of, ply_of};
use process::{EngineLine, Process};

pub use command_line::{EngineSpec, words};
pub use failure::Failure;
pub use limits::EngineLimits;
pub(super) use memory::own_resident;
pub use process::EngineObserver;
pub use report::{FirstClaims, LastReport, ResultClaim};
pub use terms::Terms;
pub(super) use transcript::Transcript;

/// What Piskvork and c-gomoku-cli send as the time left of a game without a
/// limit, in milliseconds.
const UNLIMITED_MS: i64 = 2_147_483_647;

/// The answer of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineAnswer {
    /// Its ply. Its points lie on the board.
    pub answer: Action,
    /// From the question to the arrival of the answer.
    pub elapsed: Duration,
    /// The last report of its search.
    pub report: LastReport,
    /// The first results it claimed to be proven, even if it took them back.
    pub claims: FirstClaims,
    /// The last `ERROR` or `UNKNOWN` it printed beside the answer, or before
    /// the question.
    pub complaint: Option<String>,
}

impl EngineAnswer {
    /// The game after the answer.
    ///
    /// # Errors
    /// [`Failure::Illegal`]: it is.
    pub fn played(&self, game_state: &GameState) -> Result<GameState, Failure> {
        let mut next = game_state.clone();
        match next.apply(&self.answer) {
            Ok(()) => Ok(next),
            Err(why) => {
                let ply = ply_of(&self.answer, Axes::ColumnFirst);
                Err(Failure::Illegal(format!("{ply}: {why}")))
            }
        }
    }
}

/// A line of an engine that is no message.
#[derive(Debug)]
pub struct Heard {
    /// What it says.
    pub reply: Result<Reply, ReplyError>,
    /// When it came.
    pub at: Instant,
}

/// A running engine. Killed, with what it started, when dropped.
pub struct EngineProcess {
    process: Process,
    terms: Option<Terms>,
    /// The plies it has been told of, and its own answers.
    known: Vec<Action>,
    complaint: Option<String>,
    /// Whether it was asked ABOUT and has not answered yet.
    owes_about: bool,
}

impl EngineProcess {
    /// Runs the program; asks nothing yet.
    ///
    /// # Errors
    /// [`Failure::Spawn`]: the command cannot be read or run.
    pub fn spawn(spec: &EngineSpec) -> Result<EngineProcess, Failure> {
        EngineProcess::spawn_watched(spec, None)
    }

    /// The same, with somebody who looks on.
    ///
    /// # Errors
    /// As [`EngineProcess::spawn`].
    pub fn spawn_watched(
        spec: &EngineSpec,
        watch: Option<Arc<dyn EngineObserver>>,
    ) -> Result<EngineProcess, Failure> {
        let process = Process::spawn(spec, watch)?;
        let known = Vec::new();
        Ok(EngineProcess { process, terms: None, known, complaint: None, owes_about: false })
    }

    /// Asks who it is. `None` if it says nothing of the kind within `wait`,
    /// which is no fault: later answers are not disturbed. An engine that may take long to
    /// start should [begin](EngineProcess::begin) a game first.
    ///
    /// # Errors
    /// The engine ended or flooded its output.
    pub fn about(&mut self, wait: Duration) -> Result<Option<About>, Failure> {
        Ok(self.introduction(wait)?.0)
    }

    /// Waits until the engine has read the limits of a game that was just started.
    /// Returns its message that it does not use one of them, if it prints one
    /// within `wait`.
    ///
    /// # Errors
    /// The engine ended or flooded its output.
    pub fn not_used(&mut self, wait: Duration) -> Result<Option<String>, Failure> {
        // Lines are read in order, so the answer comes after such a message.
        Ok(self.introduction(wait)?.1)
    }

    /// Its answer to ABOUT, and its message before it that a setting is not used.
    fn introduction(&mut self, wait: Duration) -> Result<(Option<About>, Option<String>), Failure> {
        let until = Instant::now() + wait;
        self.process.write(&Command::About.to_wire())?;
        self.owes_about = true;
        let mut not_used = None;
        while let Some(said) = self.process.receive(until)? {
            not_used = not_used.or(said.not_used);
            let about = match said.reply {
                Ok(Reply::About(about)) => Some(about),
                Ok(Reply::Error(_) | Reply::Unknown(_)) | Err(_) => None,
                Ok(_) => continue,
            };
            self.owes_about = false;
            return Ok((about, not_used));
        }
        Ok((None, not_used))
    }

    /// Begins a game on an empty board: its name, if it has one, `START`, `OK`,
    /// then the limits.
    ///
    /// # Errors
    /// Those of [`EngineProcess::begin`].
    pub fn start(
        &mut self,
        terms: impl Into<Terms>,
        limits: &EngineLimits,
        wait: Duration,
    ) -> Result<(), Failure> {
        self.begin(terms, wait)?;
        self.limit(limits)
    }

    /// Begins a game as [`EngineProcess::start`] does, but for the limits.
    ///
    /// # Errors
    /// No `OK` within `wait`, a refusal, an engine that ended or flooded its
    /// output.
    pub fn begin(&mut self, terms: impl Into<Terms>, wait: Duration) -> Result<(), Failure> {
        let terms = terms.into();
        self.terms = None;
        self.known.clear();
        self.complaint = None;
        let start = terms.start();
        // What is still in the pipe belongs to the game before.
        self.process.clear()?;
        let until = Instant::now() + wait;
        self.process.write(&(terms.naming() + &start.to_wire()))?;
        let asked = start.keyword();
        let mut failure = Failure::Silent { asked, wait };
        loop {
            let Some(said) = self.process.receive(until)? else { return Err(failure) };
            match said.reply {
                Ok(Reply::Ok) => break,
                Ok(Reply::Error(text) | Reply::Unknown(text)) => {
                    failure = Failure::Refused { asked, text };
                    // A late answer to ABOUT looks the same.
                    if !mem::take(&mut self.owes_about) {
                        return Err(failure);
                    }
                }
                Ok(Reply::About(_)) => self.owes_about = false,
                // Greetings.
                _ => {}
            }
        }
        self.owes_about = false;
        self.terms = Some(terms);
        Ok(())
    }

    /// Tells the limits of the game that was begun.
    ///
    /// # Errors
    /// The engine ended or does not read.
    pub fn limit(&mut self, limits: &EngineLimits) -> Result<(), Failure> {
        let rule = self.terms.and_then(Terms::rule);
        self.process.write(&limits.lines(rule))
    }

    /// Asks for the next ply of a game in progress, in the words it was started
    /// in. `time_left` is the time of the whole game that is left to the engine
    /// in milliseconds, `None` if it has no limit. An answer is waited for as
    /// long as `wait`; whether it comes too late or is illegal is for the caller
    /// to judge.
    ///
    /// # Errors
    /// Anything but a ply on the board. After [`Failure::Illegal`] the engine may be
    /// started again; after any other failure it is of no use.
    /// [`Failure::Refused`] if no game was started.
    pub fn think(
        &mut self,
        game_state: &GameState,
        time_left: Option<i64>,
        wait: Duration,
    ) -> Result<EngineAnswer, Failure> {
        let Some(terms) = self.terms else {
            return Err(Failure::Refused { asked: "a move", text: "no game was started".into() });
        };
        let question = self.question(terms, game_state);
        let read = |reply: &Reply| match (terms, reply) {
            // In the words of Gomocup nothing else is a move.
            (Terms::Gomocup(_), Reply::Move(_)) | (Terms::Family(_), _) => {
                let action = action_of(game_state, &reply.ply()?, Axes::ColumnFirst);
                Some(action.map_err(|at| Failure::Illegal(format!("{at} is outside the board"))))
            }
            (Terms::Gomocup(_), _) => None,
        };
        let answer = self.ask(&question, time_left, wait, read)?;
        self.known = game_state.actions().iter().chain([&answer.answer]).cloned().collect();
        Ok(answer)
    }

    /// Puts a question and waits for what `read` takes for its answer.
    fn ask(
        &mut self,
        question: &Command,
        time_left: Option<i64>,
        wait: Duration,
        read: impl Fn(&Reply) -> Option<Result<Action, Failure>>,
    ) -> Result<EngineAnswer, Failure> {
        self.drain_before_a_question()?;
        let time_left = time_left.unwrap_or(UNLIMITED_MS);
        let mut text = Command::Info(Setting::TimeLeft(time_left)).to_wire();
        text.push_str(&question.to_wire());
        self.known.clear();
        let asked = Instant::now();
        self.process.write(&text)?;
        loop {
            let Some(said) = self.process.receive(asked + wait)? else {
                return Err(Failure::Silent { asked: "a move", wait });
            };
            match said.reply.as_ref().ok().and_then(&read) {
                Some(answer) => {
                    return Ok(EngineAnswer {
                        answer: answer?,
                        elapsed: said.at.saturating_duration_since(asked),
                        claims: said.claims.since(asked),
                        report: said.report,
                        complaint: self.complaint.take(),
                    });
                }
                None => self.overhear(said)?,
            }
        }
    }

    /// What must be sent to make the engine think about a game: the last ply
    /// alone if it knows the others. A game of one stone is told as a board in
    /// the words of Gomocup.
    fn question(&self, terms: Terms, game_state: &GameState) -> Command {
        let actions = game_state.actions();
        let gomocup = matches!(terms, Terms::Gomocup(_));
        match actions {
            [] => Command::Begin,
            [before @ .., last] if self.known == before && !(gomocup && before.is_empty()) => {
                Command::TurnPly(ply_of(last, Axes::ColumnFirst))
            }
            _ if gomocup => Command::Board(board_of(&plies::stones(actions))),
            _ => Command::Plies(plies::texts(game_state.contest(), actions).join(" ")),
        }
    }

    /// Looks at what was said while nothing was asked. A move among it would
    /// be taken for the answer to the next question by most managers.
    fn drain_before_a_question(&mut self) -> Result<(), Failure> {
        while let Some(said) = self.process.heard()? {
            match said.reply.as_ref().ok().and_then(Reply::ply) {
                Some(ply) => return Err(Failure::Protocol(format!("moved unasked: {ply}"))),
                None => self.overhear(said)?,
            }
        }
        Ok(())
    }

    /// Judges a line that is no move.
    fn overhear(&mut self, said: EngineLine) -> Result<(), Failure> {
        match said.reply {
            // Judges and c-gomoku-cli go on waiting after these.
            Ok(Reply::Error(text)) => self.complaint = Some(format!("ERROR {text}")),
            Ok(Reply::Unknown(text)) => self.complaint = Some(format!("UNKNOWN {text}")),
            Ok(
                reply @ (Reply::Suggest(_)
                | Reply::TwoMoves(_)
                | Reply::ThreeMoves(_)
                | Reply::Ply(_)
                | Reply::Swap),
            ) => {
                return Err(Failure::Protocol(format!("answered '{reply}' where a move was due")));
            }
            Ok(_) => {}
            Err(error) => {
                return Err(Failure::Protocol(format!("printed a malformed line: {error}")));
            }
        }
        Ok(())
    }

    /// Sends lines as they are, whatever they ask. What was said of a game
    /// before is no longer known to hold.
    ///
    /// # Errors
    /// The engine ended or does not read.
    pub fn send(&mut self, lines: &str) -> Result<(), Failure> {
        self.known.clear();
        self.process.write(lines)
    }

    /// The next line that is no message, and when it came; `None` if there is
    /// none until then.
    ///
    /// # Errors
    /// The engine ended or flooded its output.
    pub fn receive(&mut self, until: Instant) -> Result<Option<Heard>, Failure> {
        let said = self.process.receive(until)?;
        Ok(said.map(|said| Heard { reply: said.reply, at: said.at }))
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Stops the process and what it started, as a judge does while the other
    /// side is to move; or lets them run again.
    #[cfg(target_os = "linux")]
    pub fn freeze(&self, on: bool) {
        process::freeze(self.process.id(), on);
    }

    /// The memory that the process and what it started have to themselves, in
    /// bytes: what a judge counts. `None` once it has ended.
    #[cfg(target_os = "linux")]
    pub fn private_memory(&self) -> Option<u64> {
        memory::private(self.process.id())
    }

    /// The memory that the process and what it started hold, in bytes.
    #[cfg(target_os = "linux")]
    pub fn resident_memory(&self) -> Option<u64> {
        memory::resident(self.process.id())
    }

    /// Lets the process have `more` bytes of addresses beyond those it has; `None`: any
    /// number. Whether the system did so.
    #[cfg(target_os = "linux")]
    pub fn limit_addresses(&self, more: Option<u64>) -> bool {
        process::limit_addresses(self.process.id(), more)
    }

    /// The most memory that the process and what it started ever held, in
    /// bytes; `None` where the system does not tell (it does on Linux).
    pub fn peak_memory(&self) -> Option<u64> {
        memory::peak(self.process.id())
    }

    /// Says goodbye and kills what has not ended within `grace`. Returns that as a failure,
    /// that it does not read, or that a signal ended it.
    pub fn close(mut self, grace: Duration) -> Option<Failure> {
        self.process.end(grace)
    }
}

/// The list of `BOARD` for stones that were placed alternately, the last of them
/// by the opponent.
pub(super) fn board_of(stones: &[Cell]) -> Vec<Placed> {
    let owner =
        |i: usize| if (stones.len() - i).is_multiple_of(2) { Owner::Own } else { Owner::Opponent };
    stones.iter().enumerate().map(|(i, &at)| Placed::new(point(at), owner(i))).collect()
}

/// A cell as it goes over the wire.
pub(super) fn point(cell: Cell) -> Point {
    Point::new(cell.x() as i32, cell.y() as i32)
}
