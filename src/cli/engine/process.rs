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
use super::report::{Collected, Firsts, LastReport};
use super::{Failure, memory};

/// Answers that may wait to be looked at. Engines send one at a time.
const INBOX: usize = 256;

/// Bytes an engine may print between two questions: days of reports for any
/// real engine, and read within a second or so.
const FLOOD_BYTES: u64 = 8 << 20;

/// How long the exit status of an engine that closed its output is waited for.
const LAST_BREATH: Duration = Duration::from_millis(300);

/// Looks on at what is sent to an engine and what it prints. It must not wait for
/// anything.
pub trait EngineObserver: Send + Sync {
    /// Lines that are sent now.
    fn sent(&self, lines: &str, at: Instant);
    /// The bytes of a read, and when they came.
    fn printed(&self, bytes: &[u8], at: Instant);
}

/// A line that is not only a report or a message.
#[derive(Debug)]
pub(super) struct EngineLine {
    pub(super) reply: Result<Reply, ReplyError>,
    pub(super) at: Instant,
    /// The last report before it, since the line before.
    pub(super) report: LastReport,
    /// The first claims since the line before.
    pub(super) claims: Firsts,
    /// The first message since the line before that a setting is not used.
    pub(super) not_used: Option<String>,
}

/// State shared by the two threads.
#[derive(Default)]
struct Shared {
    /// Questions asked: the count of printed bytes begins anew with each.
    questions: AtomicU64,
    flooded: AtomicBool,
}

/// A child process that is killed when dropped.
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    inbox: Receiver<Option<EngineLine>>,
    shared: Arc<Shared>,
    watch: Option<Arc<dyn EngineObserver>>,
    gone: bool,
}

impl Process {
    /// Runs the program. All that is sent to it and that it prints is also shown to
    /// `watch`, as it comes.
    pub(super) fn spawn(
        spec: &EngineSpec,
        watch: Option<Arc<dyn EngineObserver>>,
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
        let (send, inbox) = mpsc::sync_channel(INBOX);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (for_us, for_reader) = (shared.clone(), watch.clone());
        let process = Process { child, stdin, inbox, shared: for_us, watch, gone: false };
        let ready = process.stdin.as_ref().map_or(Ok(()), never_block);
        let reader = thread::Builder::new().name("engine".into());
        ready
            .and_then(|()| {
                reader.spawn(move || {
                    stdout.map(|pipe| read(pipe, for_reader.as_deref(), &send, &shared))
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
        if let Some(watch) = &self.watch {
            watch.sent(lines, Instant::now());
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

    /// The next line that is no mere report; `None` if there is none until
    /// then.
    pub(super) fn receive(&mut self, until: Instant) -> Result<Option<EngineLine>, Failure> {
        let wait = until.saturating_duration_since(Instant::now());
        let received = self.inbox.recv_timeout(wait);
        self.check_flood()?;
        match received {
            Ok(Some(said)) => Ok(Some(said)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => Err(self.crash()),
        }
    }

    /// The next line that has already come.
    pub(super) fn heard(&mut self) -> Result<Option<EngineLine>, Failure> {
        let received = self.inbox.try_recv();
        self.check_flood()?;
        match received {
            Ok(Some(said)) => Ok(Some(said)),
            Err(TryRecvError::Empty) => Ok(None),
            Ok(None) | Err(TryRecvError::Disconnected) => Err(self.crash()),
        }
    }

    /// Forgets what has come.
    pub(super) fn clear(&mut self) -> Result<(), Failure> {
        while self.heard()?.is_some() {}
        Ok(())
    }

    fn check_flood(&self) -> Result<(), Failure> {
        if self.shared.flooded.load(Relaxed) { Err(Failure::Flood) } else { Ok(()) }
    }

    /// Why the engine no longer speaks or reads.
    fn crash(&mut self) -> Failure {
        match self.wait(LAST_BREATH) {
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
                    self.gone = true;
                    return Some(status);
                }
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// `END`, and death if it does not obey within `grace`. Returns what was wrong with its
    /// end: that, that it could not be told, or a signal.
    pub(super) fn end(&mut self, grace: Duration) -> Option<Failure> {
        let untold = self.write(&goren_protocol::Command::End.to_wire()).err();
        // A closed pipe is all that some engines understand.
        self.stdin = None;
        // One that does not read is not waited for long.
        let until = Instant::now() + if untold.is_none() { grace } else { LAST_BREATH.min(grace) };
        // Read what it still writes, until it closes its output.
        while untold.is_none() && matches!(self.receive(until), Ok(Some(_))) {}
        let status = self.wait(until.saturating_duration_since(Instant::now()));
        self.kill();
        match status {
            Some(status) if is_by_signal(status) => Some(Failure::Crash(status.to_string())),
            Some(_) => None,
            None => Some(untold.unwrap_or(Failure::Silent { asked: "END", wait: grace })),
        }
    }

    fn kill(&mut self) {
        if self.gone {
            return;
        }
        self.gone = true;
        // Its child processes would survive it.
        let family = memory::family(self.child.id());
        // An error means that it has ended by itself.
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

/// A write to an engine that reads nothing must fail, not wait for ever.
#[cfg(unix)]
fn never_block(pipe: &ChildStdin) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(pipe, true)?)
}

#[cfg(not(unix))]
fn never_block(_pipe: &ChildStdin) -> io::Result<()> {
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
        // An error means that it has ended by itself.
        kill_process(id, signal).ok();
    }
}

/// Stops a process and what it started, or lets them go on.
#[cfg(target_os = "linux")]
pub(super) fn freeze(id: u32, on: bool) {
    use rustix::process::Signal;
    let wanted = if on { Signal::STOP } else { Signal::CONT };
    memory::family(id).into_iter().for_each(|id| signal(id, wanted));
}

#[cfg(not(unix))]
fn kill(_id: u32) {}

/// Bounds the addresses of a process to those it uses and `more` bytes; `None` for no bound.
#[cfg(target_os = "linux")]
pub(super) fn limit_addresses(id: u32, more: Option<u64>) -> bool {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) else { return false };
    let Some(used) = memory::addresses(id) else { return false };
    let current = more.map(|more| used + more);
    prlimit(Some(pid), Resource::As, Rlimit { current, maximum: None }).is_ok()
}

/// Reads until the pipe is closed. Never waits for the manager: what does not
/// fit is dropped, and the engine known to flood.
fn read(
    mut pipe: ChildStdout,
    watch: Option<&dyn EngineObserver>,
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
        if let Some(watch) = watch {
            watch.printed(&chunk[..count], at);
        }
        let newest = shared.questions.load(Relaxed);
        if question != newest {
            (question, bytes) = (newest, 0);
        }
        bytes += count as u64;
        if bytes > FLOOD_BYTES {
            flood(send, shared);
        }
        // A flood is still drained, so that the engine sees no full pipe, but
        // no longer looked at.
        if shared.flooded.load(Relaxed) {
            continue;
        }
        for line in lines.push(&chunk[..count]) {
            hand_on(&line, at, &mut collected, send, shared);
        }
    }
    if let Some(line) = lines.finish() {
        hand_on(&line, Instant::now(), &mut collected, send, shared);
    }
    // Should the inbox be full, its closing says the same.
    send.try_send(None).ok();
}

fn hand_on(
    line: &[u8],
    at: Instant,
    collected: &mut Collected,
    send: &SyncSender<Option<EngineLine>>,
    shared: &Shared,
) {
    let reply = Reply::parse(line);
    match &reply {
        Ok(reply) if collected.take_in(reply, at) => return,
        Err(ReplyError::Blank) => return,
        _ => {}
    }
    let (report, claims, not_used) = std::mem::take(collected).into_parts();
    if send.try_send(Some(EngineLine { reply, at, report, claims, not_used })).is_err() {
        flood(send, shared);
    }
}

/// Makes the flood known. A manager that waits has an empty inbox, and is
/// woken; one that does not will find the mark.
fn flood(send: &SyncSender<Option<EngineLine>>, shared: &Shared) {
    if !shared.flooded.swap(true, Relaxed) {
        send.try_send(None).ok();
    }
}
