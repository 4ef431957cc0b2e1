//! Engine process, its pipes, and the thread that reads its output.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use goren_protocol::{LineBuffer, Reply, ReplyError};

use super::command_line::{self, EngineSpec};
use super::report::{Collected, LastReport, TimedClaims};
use super::{Failure, memory};

/// Maximum number of unread answers. Engines send one at a time.
const MAX_UNREAD: usize = 256;

/// Maximum number of bytes printed between two questions: days of reports for any real
/// engine, and readable within a second or so.
const FLOOD_BYTES: u64 = 8 << 20;

/// Time to wait for the exit status of an engine that closed its output.
const EXIT_WAIT: Duration = Duration::from_millis(300);

/// Observer of the input and output of an engine. It must not block.
pub trait EngineObserver: Send + Sync {
    /// Called with lines about to be sent.
    fn sent(&self, lines: &str, at: Instant);
    /// Called with the bytes of a read and their time of arrival.
    fn printed(&self, bytes: &[u8], at: Instant);
}

/// A line that is no mere report or message.
#[derive(Debug)]
pub(super) struct EngineLine {
    pub(super) reply: Result<Reply, ReplyError>,
    pub(super) at: Instant,
    /// The last report since the previous line.
    pub(super) report: LastReport,
    /// The first claims since the previous line.
    pub(super) claims: TimedClaims,
    /// The first message since the previous line that a setting is not used.
    pub(super) not_used: Option<String>,
}

/// State shared by the two threads.
#[derive(Default)]
struct Shared {
    /// Number of questions asked; each resets the count of printed bytes.
    questions: AtomicU64,
    flooded: AtomicBool,
}

/// A child process that is killed when dropped.
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    inbox: Receiver<Option<EngineLine>>,
    shared: Arc<Shared>,
    observer: Option<Arc<dyn EngineObserver>>,
    has_ended: bool,
}

impl Process {
    /// Runs the program. `observer` observes its input and output.
    pub(super) fn spawn(
        spec: &EngineSpec,
        observer: Option<Arc<dyn EngineObserver>>,
    ) -> Result<Process, Failure> {
        let line = command_line::read(spec)?;
        let mut command = Command::new(&line.program);
        command.args(&line.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // A pipe that nobody reads would block the engine.
        command.stderr(Stdio::null());
        if let Some(folder) = &line.folder {
            command.current_dir(folder);
        }
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Spawn(format!("{}: {error}", line.program.display())))?;
        let shared = Arc::new(Shared::default());
        let (send, inbox) = mpsc::sync_channel(MAX_UNREAD);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (own_shared, reader_observer) = (shared.clone(), observer.clone());
        let process =
            Process { child, stdin, inbox, shared: own_shared, observer, has_ended: false };
        let ready = process.stdin.as_ref().map_or(Ok(()), set_nonblocking);
        let reader = thread::Builder::new().name("engine".into());
        ready
            .and_then(|()| {
                reader.spawn(move || {
                    stdout.map(|pipe| read(pipe, reader_observer.as_deref(), &send, &shared))
                })
            })
            .map_err(|error| Failure::Spawn(error.to_string()))?;
        Ok(process)
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes whole lines.
    pub(super) fn write(&mut self, lines: &str) -> Result<(), Failure> {
        self.shared.questions.fetch_add(1, Relaxed);
        if let Some(observer) = &self.observer {
            observer.sent(lines, Instant::now());
        }
        let Some(stdin) = &mut self.stdin else { return Err(self.crash()) };
        match stdin.write_all(lines.as_bytes()).and_then(|()| stdin.flush()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                Err(Failure::Protocol("does not read its input".into()))
            }
            Err(_) => Err(self.crash()),
        }
    }

    /// Returns the next line that is no mere report; `None` if none comes until then.
    pub(super) fn receive(&mut self, until: Instant) -> Result<Option<EngineLine>, Failure> {
        let wait = until.saturating_duration_since(Instant::now());
        let received = self.inbox.recv_timeout(wait);
        self.check_flood()?;
        match received {
            Ok(Some(line)) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => Err(self.crash()),
        }
    }

    /// Returns the next line that has already come.
    pub(super) fn try_receive(&mut self) -> Result<Option<EngineLine>, Failure> {
        let received = self.inbox.try_recv();
        self.check_flood()?;
        match received {
            Ok(Some(line)) => Ok(Some(line)),
            Err(TryRecvError::Empty) => Ok(None),
            Ok(None) | Err(TryRecvError::Disconnected) => Err(self.crash()),
        }
    }

    /// Discards the lines that have come.
    pub(super) fn clear(&mut self) -> Result<(), Failure> {
        while self.try_receive()?.is_some() {}
        Ok(())
    }

    fn check_flood(&self) -> Result<(), Failure> {
        if self.shared.flooded.load(Relaxed) { Err(Failure::Flood) } else { Ok(()) }
    }

    /// Returns the reason why the engine no longer writes or reads.
    fn crash(&mut self) -> Failure {
        match self.wait(EXIT_WAIT) {
            Some(status) => Failure::Crash(status.to_string()),
            None => Failure::Crash("closed its pipes".into()),
        }
    }

    /// Waits for the end of the process.
    fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.has_ended = true;
                    return Some(status);
                }
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Sends `END`, and kills the process if it does not obey within `grace`. Returns a
    /// failure if it had to be killed, if `END` could not be sent, or if a signal ended it.
    pub(super) fn end(&mut self, grace: Duration) -> Option<Failure> {
        let unsent = self.write(&goren_protocol::Command::End.to_wire()).err();
        // Some engines only end when their input is closed.
        self.stdin = None;
        // Wait only briefly for an engine that does not read.
        let until = Instant::now() + if unsent.is_none() { grace } else { EXIT_WAIT.min(grace) };
        // Read its remaining output until it closes the pipe.
        while unsent.is_none() && matches!(self.receive(until), Ok(Some(_))) {}
        let status = self.wait(until.saturating_duration_since(Instant::now()));
        self.kill();
        match status {
            Some(status) if is_by_signal(status) => Some(Failure::Crash(status.to_string())),
            Some(_) => None,
            None => Some(unsent.unwrap_or(Failure::Silent { asked: "END", wait: grace })),
        }
    }

    fn kill(&mut self) {
        if self.has_ended {
            return;
        }
        self.has_ended = true;
        // Its child processes would survive it.
        let family = memory::family(self.child.id());
        // An error means that it has already ended.
        self.child.kill().ok();
        family.iter().skip(1).for_each(|&id| kill(id));
        self.child.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Whether a signal ended a process.
#[cfg(unix)]
fn is_by_signal(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal().is_some()
}

#[cfg(not(unix))]
fn is_by_signal(_status: ExitStatus) -> bool {
    false
}

/// Makes a write to an engine that reads nothing fail instead of blocking for ever.
#[cfg(unix)]
fn set_nonblocking(pipe: &ChildStdin) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(pipe, true)?)
}

#[cfg(not(unix))]
fn set_nonblocking(_pipe: &ChildStdin) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn kill(id: u32) {
    signal(id, rustix::process::Signal::KILL);
}

#[cfg(unix)]
fn signal(id: u32, signal: rustix::process::Signal) {
    use rustix::process::{Pid, kill_process};
    if let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // An error means that it has already ended.
        kill_process(id, signal).ok();
    }
}

/// Stops a process and its descendants, or continues them.
#[cfg(target_os = "linux")]
pub(super) fn freeze(id: u32, on: bool) {
    use rustix::process::Signal;
    let action = if on { Signal::STOP } else { Signal::CONT };
    memory::family(id).into_iter().for_each(|id| signal(id, action));
}

#[cfg(not(unix))]
fn kill(_id: u32) {}

/// Limits the address space of a process to its current size and `more` bytes; `None`: no limit.
#[cfg(target_os = "linux")]
pub(super) fn limit_addresses(id: u32, more: Option<u64>) -> bool {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) else { return false };
    let Some(used) = memory::addresses(id) else { return false };
    let current = more.map(|more| used + more);
    prlimit(Some(pid), Resource::As, Rlimit { current, maximum: None }).is_ok()
}

/// Reads until the pipe is closed. Never waits for the manager: a line that does not fit into
/// the inbox is dropped and counts as a flood.
fn read(
    mut pipe: ChildStdout,
    observer: Option<&dyn EngineObserver>,
    send: &SyncSender<Option<EngineLine>>,
    shared: &Shared,
) {
    let mut lines = LineBuffer::new();
    let mut chunk = [0; 16 << 10];
    let (mut question, mut bytes) = (0, 0);
    let mut collected = Collected::default();
    loop {
        let count = match pipe.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let at = Instant::now();
        if let Some(observer) = observer {
            observer.printed(&chunk[..count], at);
        }
        let newest = shared.questions.load(Relaxed);
        if question != newest {
            (question, bytes) = (newest, 0);
        }
        bytes += count as u64;
        if bytes > FLOOD_BYTES {
            flood(send, shared);
        }
        // A flood is drained, so that the pipe never fills up, but no longer parsed.
        if shared.flooded.load(Relaxed) {
            continue;
        }
        for line in lines.push(&chunk[..count]) {
            forward(&line, at, &mut collected, send, shared);
        }
    }
    if let Some(line) = lines.finish() {
        forward(&line, Instant::now(), &mut collected, send, shared);
    }
    // If the inbox is full, closing it has the same effect.
    send.try_send(None).ok();
}

fn forward(
    line: &[u8],
    at: Instant,
    collected: &mut Collected,
    send: &SyncSender<Option<EngineLine>>,
    shared: &Shared,
) {
    let reply = Reply::parse(line);
    match &reply {
        Ok(reply) if collected.collect(reply, at) => return,
        Err(ReplyError::Blank) => return,
        _ => {}
    }
    let (report, claims, not_used) = std::mem::take(collected).into_parts();
    if send.try_send(Some(EngineLine { reply, at, report, claims, not_used })).is_err() {
        flood(send, shared);
    }
}

/// Marks the flood. A manager that waits has an empty inbox and is woken; otherwise it
/// checks the mark later.
fn flood(send: &SyncSender<Option<EngineLine>>, shared: &Shared) {
    if !shared.flooded.swap(true, Relaxed) {
        send.try_send(None).ok();
    }
}
