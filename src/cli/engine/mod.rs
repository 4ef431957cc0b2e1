//! A Gomocup engine as a child process, seen from the manager's side.
//!
//! One thread reads the output of the engine, stamps each line with its time of
//! arrival and forwards the answers. Memory is bounded whatever the engine prints,
//! and every wait has a limit. This module does not judge the engine: a [`Failure`]
//! says what went wrong, and the caller decides on the penalty.

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

/// Milliseconds that Piskvork and c-gomoku-cli send as the time left of a game without a
/// limit.
const UNLIMITED_MS: i64 = 2_147_483_647;

/// Answer of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineAnswer {
    /// The ply; its points lie on the board.
    pub answer: Action,
    /// Time from the question to the arrival of the answer.
    pub elapsed: Duration,
    /// The last report of its search.
    pub report: LastReport,
    /// The first results claimed as proven, even if retracted later.
    pub claims: FirstClaims,
    /// The last `ERROR` or `UNKNOWN` line, printed with the answer or before the question.
    pub complaint: Option<String>,
}

impl EngineAnswer {
    /// Returns the game after the answer.
    ///
    /// # Errors
    /// [`Failure::Illegal`]: the ply is illegal.
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

/// A line of an engine that is no message, with its time.
#[derive(Debug)]
pub struct TimedReply {
    /// The parsed line.
    pub reply: Result<Reply, ReplyError>,
    /// Time of arrival.
    pub at: Instant,
}

/// A running engine. Dropping it kills the process and its descendants.
pub struct EngineProcess {
    process: Process,
    terms: Option<Terms>,
    /// The plies of the game that the engine knows, its own answers included.
    known_plies: Vec<Action>,
    complaint: Option<String>,
    /// Whether an ABOUT command is still unanswered.
    about_is_pending: bool,
}

impl EngineProcess {
    /// Runs the program; sends nothing yet.
    ///
    /// # Errors
    /// [`Failure::Spawn`]: the command cannot be read or run.
    pub fn spawn(spec: &EngineSpec) -> Result<EngineProcess, Failure> {
        EngineProcess::spawn_watched(spec, None)
    }

    /// Runs the program with an observer of its input and output.
    ///
    /// # Errors
    /// As [`EngineProcess::spawn`].
    pub fn spawn_watched(
        spec: &EngineSpec,
        watch: Option<Arc<dyn EngineObserver>>,
    ) -> Result<EngineProcess, Failure> {
        let process = Process::spawn(spec, watch)?;
        Ok(EngineProcess {
            process,
            terms: None,
            known_plies: Vec::new(),
            complaint: None,
            about_is_pending: false,
        })
    }

    /// Asks for the name by ABOUT. `None` if there is no answer within `wait`, which is no
    /// fault: a late answer does not disturb later ones. An engine that may take long to
    /// start should [begin](EngineProcess::begin) a game first.
    ///
    /// # Errors
    /// The engine ended or flooded its output.
    pub fn about(&mut self, wait: Duration) -> Result<Option<About>, Failure> {
        Ok(self.ask_about(wait)?.0)
    }

    /// Waits until the engine has read the limits of a game that was just started.
    /// Returns its message that it does not use one of them, if it prints one
    /// within `wait`.
    ///
    /// # Errors
    /// The engine ended or flooded its output.
    pub fn not_used(&mut self, wait: Duration) -> Result<Option<String>, Failure> {
        // Lines are read in order, so the answer comes after such a message.
        Ok(self.ask_about(wait)?.1)
    }

    /// Returns the answer to ABOUT, and an earlier message that a setting is not used.
    fn ask_about(&mut self, wait: Duration) -> Result<(Option<About>, Option<String>), Failure> {
        let until = Instant::now() + wait;
        self.process.write(&Command::About.to_wire())?;
        self.about_is_pending = true;
        let mut not_used = None;
        while let Some(line) = self.process.receive(until)? {
            not_used = not_used.or(line.not_used);
            let about = match line.reply {
                Ok(Reply::About(about)) => Some(about),
                Ok(Reply::Error(_) | Reply::Unknown(_)) | Err(_) => None,
                Ok(_) => continue,
            };
            self.about_is_pending = false;
            return Ok((about, not_used));
        }
        Ok((None, not_used))
    }

    /// Begins a game on an empty board: sends its name, if it has one, and `START`, waits for
    /// `OK`, then sends the limits.
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

    /// Begins a game as [`EngineProcess::start`] does, without sending the limits.
    ///
    /// # Errors
    /// No `OK` within `wait`, a refusal, an engine that ended or flooded its
    /// output.
    pub fn begin(&mut self, terms: impl Into<Terms>, wait: Duration) -> Result<(), Failure> {
        let terms = terms.into();
        self.terms = None;
        self.known_plies.clear();
        self.complaint = None;
        let start = terms.start();
        // Lines still in the pipe belong to the former game.
        self.process.clear()?;
        let until = Instant::now() + wait;
        self.process.write(&(terms.info_lines() + &start.to_wire()))?;
        let asked = start.keyword();
        let mut failure = Failure::Silent { asked, wait };
        loop {
            let Some(line) = self.process.receive(until)? else { return Err(failure) };
            match line.reply {
                Ok(Reply::Ok) => break,
                Ok(Reply::Error(text) | Reply::Unknown(text)) => {
                    failure = Failure::Refused { asked, text };
                    // A late answer to ABOUT looks the same.
                    if !mem::take(&mut self.about_is_pending) {
                        return Err(failure);
                    }
                }
                Ok(Reply::About(_)) => self.about_is_pending = false,
                // A greeting.
                _ => {}
            }
        }
        self.about_is_pending = false;
        self.terms = Some(terms);
        Ok(())
    }

    /// Sends the limits of the game just begun.
    ///
    /// # Errors
    /// The engine ended or does not read.
    pub fn limit(&mut self, limits: &EngineLimits) -> Result<(), Failure> {
        let rule = self.terms.and_then(Terms::rule);
        self.process.write(&limits.lines(rule))
    }

    /// Asks for the next ply of a game in progress, on the terms of its start. `time_left`
    /// is the engine's remaining time of the game in milliseconds, `None` without a limit.
    /// Waits for the answer for `wait`; the caller judges whether it is late or illegal.
    ///
    /// # Errors
    /// Anything but a ply on the board. After [`Failure::Illegal`] the engine can start
    /// another game; after any other failure it is unusable.
    /// [`Failure::Refused`] if no game was started.
    pub fn think(
        &mut self,
        game_state: &GameState,
        time_left: Option<i64>,
        wait: Duration,
    ) -> Result<EngineAnswer, Failure> {
        let Some(terms) = self.terms else {
            let text = "no game was started".into();
            return Err(Failure::Refused { asked: "a request for a move", text });
        };
        let question = self.question(terms, game_state);
        let read = |reply: &Reply| match (terms, reply) {
            // In plain Gomocup no other reply is a move.
            (Terms::Gomocup(_), Reply::Move(_)) | (Terms::Family(_), _) => {
                let action = action_of(game_state, &reply.ply()?, Axes::ColumnFirst);
                Some(action.map_err(|at| Failure::Illegal(format!("{at} is outside the board"))))
            }
            (Terms::Gomocup(_), _) => None,
        };
        let answer = self.ask(&question, time_left, wait, read)?;
        self.known_plies = game_state.actions().iter().chain([&answer.answer]).cloned().collect();
        Ok(answer)
    }

    /// Sends a question and waits for a reply that `read` accepts as its answer.
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
        self.known_plies.clear();
        let asked = Instant::now();
        self.process.write(&text)?;
        loop {
            let Some(line) = self.process.receive(asked + wait)? else {
                return Err(Failure::Silent { asked: "a request for a move", wait });
            };
            match line.reply.as_ref().ok().and_then(&read) {
                Some(answer) => {
                    return Ok(EngineAnswer {
                        answer: answer?,
                        elapsed: line.at.saturating_duration_since(asked),
                        claims: line.claims.since(asked),
                        report: line.report,
                        complaint: self.complaint.take(),
                    });
                }
                None => self.check_other(line)?,
            }
        }
    }

    /// Returns the command that makes the engine think about a game: only the last ply
    /// if it knows the others. Plain Gomocup sends a game of one stone as a board.
    fn question(&self, terms: Terms, game_state: &GameState) -> Command {
        let actions = game_state.actions();
        let gomocup = matches!(terms, Terms::Gomocup(_));
        match actions {
            [] => Command::Begin,
            [earlier @ .., last]
                if self.known_plies == earlier && !(gomocup && earlier.is_empty()) =>
            {
                Command::TurnPly(ply_of(last, Axes::ColumnFirst))
            }
            _ if gomocup => Command::Board(board_of(&plies::stones(actions))),
            _ => Command::Plies(plies::texts(game_state.contest(), actions).join(" ")),
        }
    }

    /// Reads the lines that came without a question. Most managers would take a move among
    /// them for the answer to the next question.
    fn drain_before_a_question(&mut self) -> Result<(), Failure> {
        while let Some(line) = self.process.try_receive()? {
            match line.reply.as_ref().ok().and_then(Reply::ply) {
                Some(ply) => {
                    let words = format!("sent a move without being asked: {ply}");
                    return Err(Failure::Protocol(words));
                }
                None => self.check_other(line)?,
            }
        }
        Ok(())
    }

    /// Checks a line that is no move, and notes complaints.
    fn check_other(&mut self, line: EngineLine) -> Result<(), Failure> {
        match line.reply {
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
                return Err(Failure::Protocol(format!("answered '{reply}' instead of a move")));
            }
            Ok(_) => {}
            Err(error) => {
                return Err(Failure::Protocol(format!("printed a malformed line: {error}")));
            }
        }
        Ok(())
    }

    /// Sends arbitrary lines. Afterwards the plies known to the engine are unknown to us.
    ///
    /// # Errors
    /// The engine ended or does not read.
    pub fn send(&mut self, lines: &str) -> Result<(), Failure> {
        self.known_plies.clear();
        self.process.write(lines)
    }

    /// Returns the next line that is no message; `None` if none comes
    /// until then.
    ///
    /// # Errors
    /// The engine ended or flooded its output.
    pub fn receive(&mut self, until: Instant) -> Result<Option<TimedReply>, Failure> {
        let line = self.process.receive(until)?;
        Ok(line.map(|line| TimedReply { reply: line.reply, at: line.at }))
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Stops the process and its descendants, as a judge does while the other side is to
    /// move, or continues them.
    #[cfg(target_os = "linux")]
    pub fn freeze(&self, on: bool) {
        process::freeze(self.process.id(), on);
    }

    /// Returns the anonymous memory of the process and its descendants in bytes, which is
    /// what a judge counts. `None` once it has ended.
    #[cfg(target_os = "linux")]
    pub fn private_memory(&self) -> Option<u64> {
        memory::private(self.process.id())
    }

    /// Returns the resident memory of the process and its descendants in bytes.
    #[cfg(target_os = "linux")]
    pub fn resident_memory(&self) -> Option<u64> {
        memory::resident(self.process.id())
    }

    /// Limits the address space of the process to its current size and `more` bytes; `None`
    /// removes the limit. Returns whether the system did so.
    #[cfg(target_os = "linux")]
    pub fn limit_addresses(&self, more: Option<u64>) -> bool {
        process::limit_addresses(self.process.id(), more)
    }

    /// Returns the peak memory of the process and its descendants in bytes; `None` if the
    /// system does not report it (Linux does).
    pub fn peak_memory(&self) -> Option<u64> {
        memory::peak(self.process.id())
    }

    /// Sends END and kills the process if it has not ended within `grace`. Returns a failure
    /// if it had to be killed, does not read, or was ended by a signal.
    pub fn close(mut self, grace: Duration) -> Option<Failure> {
        self.process.end(grace)
    }
}

/// Returns the list of `BOARD` for stones placed alternately, the last one by the opponent.
pub(super) fn board_of(stones: &[Cell]) -> Vec<Placed> {
    let owner =
        |i: usize| if (stones.len() - i).is_multiple_of(2) { Owner::Own } else { Owner::Opponent };
    stones.iter().enumerate().map(|(i, &at)| Placed::new(point(at), owner(i))).collect()
}

/// Converts a cell to a point of the protocol.
pub(super) fn point(cell: Cell) -> Point {
    Point::new(cell.x() as i32, cell.y() as i32)
}
