//! An engine at the table: what is said to it, what must come back, and what
//! is written down of both.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use goren_protocol::Reply;

use super::fault::{Fault, Kind};
use super::transcript::Shared;
use crate::engine::{Engine, EngineSpec, Failure, Heard};

/// Longest wait for an answer that takes no thought. Machines may be busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long an engine may take to leave.
const GRACE: Duration = Duration::from_secs(2);

/// An engine whose every line is written down.
pub(super) struct Table {
    pub(super) engine: Engine,
    pub(super) said: Shared,
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Fault {
        let kind = match failure {
            Failure::Spawn(_) | Failure::Crash(_) => Kind::Crash,
            Failure::Silent { .. } => Kind::Silent,
            Failure::Illegal(_) => Kind::Illegal,
            Failure::Flood | Failure::Protocol(_) | Failure::Refused { .. } => Kind::Line,
        };
        Fault::new(kind, failure.to_string())
    }
}

impl Table {
    /// Runs a command, in a folder if one is given.
    pub(super) fn new(command: &str, folder: Option<PathBuf>) -> Result<Table, Fault> {
        let spec = EngineSpec { command: command.to_owned(), folder };
        let said = Shared::new();
        let of_reader = said.clone();
        let watch = move |chunk: &[u8], at| of_reader.hear(chunk, at);
        Ok(Table { engine: Engine::spawn_watched(&spec, Some(Box::new(watch)))?, said })
    }

    /// Says lines.
    pub(super) fn say(&mut self, lines: &str) -> Result<(), Fault> {
        self.said.note(lines);
        Ok(self.engine.send(lines)?)
    }

    /// The next line that is no message, until then.
    pub(super) fn hear(&mut self, until: Instant) -> Result<Option<Heard>, Fault> {
        let heard = self.engine.hear(until)?;
        self.check_lines()?;
        Ok(heard)
    }

    fn check_lines(&self) -> Result<(), Fault> {
        self.said.take_odd().map_or(Ok(()), |odd| Err(Fault::new(Kind::Line, odd)))
    }

    /// Fails if anything but messages has come that nobody asked for.
    pub(super) fn quiet(&mut self) -> Result<(), Fault> {
        match self.hear(Instant::now())? {
            None => Ok(()),
            Some(heard) => Err(Fault::new(Kind::Line, format!("said unasked: {}", told(&heard)))),
        }
    }

    /// Says lines whose answer takes no thought, and checks it.
    pub(super) fn expect(
        &mut self,
        lines: &str,
        due: &str,
        is_due: impl Fn(&Reply) -> bool,
    ) -> Result<(), Fault> {
        self.quiet()?;
        self.say(lines)?;
        let silent = || Fault::new(Kind::Silent, format!("no {due} within {PATIENCE:?}"));
        let heard = self.hear(Instant::now() + PATIENCE)?.ok_or_else(silent)?;
        match &heard.reply {
            Ok(reply) if is_due(reply) => Ok(()),
            _ => Err(Fault::new(Kind::Line, format!("{} where {due} was due", told(&heard)))),
        }
    }

    /// Says lines that must be answered by `OK`.
    pub(super) fn expect_ok(&mut self, lines: &str) -> Result<(), Fault> {
        self.expect(lines, "OK", |reply| *reply == Reply::Ok)
    }

    /// Has the engine say its name: all that it said before has come then.
    pub(super) fn expect_name(&mut self) -> Result<(), Fault> {
        self.expect("ABOUT\n", "its name", |reply| matches!(reply, Reply::About(_)))
    }

    /// How long the threads of the engine have waited for a core since they
    /// began, as far as the system tells.
    pub(super) fn waited(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.engine.id()));
        let waits = tasks.into_iter().flatten().flatten().filter_map(|task| {
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split_whitespace().nth(1)?.parse::<u64>().ok()
        });
        Duration::from_nanos(waits.sum())
    }

    /// Says goodbye; what still comes must be talk.
    pub(super) fn close(self) -> Result<(), Fault> {
        self.engine.close(GRACE);
        self.said.take_odd().map_or(Ok(()), |odd| Err(Fault::new(Kind::Line, odd)))
    }
}

/// A line in words.
pub(super) fn told(heard: &Heard) -> String {
    match &heard.reply {
        Ok(reply) => format!("'{reply}'"),
        Err(error) => format!("rubbish ({error})"),
    }
}
