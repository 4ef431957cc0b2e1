//! An engine process with a transcript of all its lines, and checks of its answers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use goren_protocol::Reply;

use super::fault::{EngineFault, FaultKind};
use super::transcript::SharedTranscript;
use crate::engine::{EngineProcess, EngineSpec, Failure, TimedReply};

/// Longest wait for an answer that needs no search. The machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longest wait for an engine to exit.
const GRACE: Duration = Duration::from_secs(10);

/// An engine process whose lines are all recorded.
pub(super) struct WatchedEngine {
    pub(super) process: EngineProcess,
    pub(super) transcript: SharedTranscript,
}

impl From<Failure> for EngineFault {
    fn from(failure: Failure) -> EngineFault {
        let kind = match failure {
            Failure::Spawn(_) | Failure::Crash(_) => FaultKind::Crash,
            Failure::Silent { .. } => FaultKind::Silent,
            Failure::Illegal(_) => FaultKind::Illegal,
            Failure::Flood | Failure::Protocol(_) | Failure::Refused { .. } => FaultKind::Line,
        };
        EngineFault::new(kind, failure.to_string())
    }
}

/// Result of a run of an engine, or a fault and the transcript that shows it.
pub(super) type EngineResult<T> = Result<T, (EngineFault, String)>;

/// Runs a command, in a folder if one is given; does `work`, and ends the process.
pub(super) fn run<T>(
    command: &str,
    folder: Option<PathBuf>,
    work: impl FnOnce(&mut WatchedEngine) -> Result<T, EngineFault>,
) -> EngineResult<T> {
    let mut engine = WatchedEngine::new(command, folder).map_err(|fault| (fault, String::new()))?;
    let done = work(&mut engine);
    let transcript = engine.transcript.clone();
    let closed = engine.close();
    done.and_then(|value| closed.map(|()| value)).map_err(|fault| (fault, transcript.text()))
}

impl WatchedEngine {
    /// Runs a command, in a folder if one is given.
    pub(super) fn new(
        command: &str,
        folder: Option<PathBuf>,
    ) -> Result<WatchedEngine, EngineFault> {
        let spec = EngineSpec { command: command.to_owned(), folder };
        let transcript = SharedTranscript::new();
        let watch = Arc::new(transcript.clone());
        Ok(WatchedEngine { process: EngineProcess::spawn_watched(&spec, Some(watch))?, transcript })
    }

    /// Sends lines.
    pub(super) fn send(&mut self, lines: &str) -> Result<(), EngineFault> {
        Ok(self.process.send(lines)?)
    }

    /// Returns the next line that is no message, if one comes by `until`.
    pub(super) fn receive(&mut self, until: Instant) -> Result<Option<TimedReply>, EngineFault> {
        let line = self.process.receive(until)?;
        self.check_lines()?;
        Ok(line)
    }

    fn check_lines(&self) -> Result<(), EngineFault> {
        self.transcript.take_odd().map_or(Ok(()), |odd| Err(EngineFault::new(FaultKind::Line, odd)))
    }

    /// Fails if the engine has printed an unexpected line other than a message.
    pub(super) fn expect_silence(&mut self) -> Result<(), EngineFault> {
        match self.receive(Instant::now())? {
            None => Ok(()),
            Some(line) => Err(EngineFault::new(
                FaultKind::Line,
                format!("printed an unexpected line: {}", quote(&line)),
            )),
        }
    }

    /// Sends lines whose answer needs no search, and checks the answer.
    pub(super) fn expect(
        &mut self,
        lines: &str,
        due: &str,
        is_due: impl Fn(&Reply) -> bool,
    ) -> Result<(), EngineFault> {
        self.expect_silence()?;
        self.send(lines)?;
        let silent =
            || EngineFault::new(FaultKind::Silent, format!("no {due} within {PATIENCE:?}"));
        let line = self.receive(Instant::now() + PATIENCE)?.ok_or_else(silent)?;
        match &line.reply {
            Ok(reply) if is_due(reply) => Ok(()),
            _ => {
                Err(EngineFault::new(FaultKind::Line, format!("{} instead of {due}", quote(&line))))
            }
        }
    }

    /// Sends lines that must be answered by `OK`.
    pub(super) fn expect_ok(&mut self, lines: &str) -> Result<(), EngineFault> {
        self.expect(lines, "OK", |reply| *reply == Reply::Ok)
    }

    /// Asks for the name of the engine; by its answer all earlier lines have arrived.
    pub(super) fn expect_name(&mut self) -> Result<(), EngineFault> {
        self.expect("ABOUT\n", "its name", |reply| matches!(reply, Reply::About(_)))
    }

    /// Total time that the threads of the engine have waited for a core, as far as the system
    /// reports it.
    pub(super) fn waited(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process.id()));
        let waits = tasks.into_iter().flatten().flatten().filter_map(|task| {
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split_whitespace().nth(1)?.parse::<u64>().ok()
        });
        Duration::from_nanos(waits.sum())
    }

    /// Ends the process. Lines that still arrive must be messages, and the process must exit
    /// by itself, not by a signal.
    pub(super) fn close(self) -> Result<(), EngineFault> {
        let failure = self.process.close(GRACE);
        if let Some(odd) = self.transcript.take_odd() {
            return Err(EngineFault::new(FaultKind::Line, odd));
        }
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }
}

/// Quotes a line for the text of a fault.
pub(super) fn quote(line: &TimedReply) -> String {
    match &line.reply {
        Ok(reply) => format!("'{reply}'"),
        Err(error) => format!("a malformed line ({error})"),
    }
}
