//! `pbrain-goren`: the engine on stdin and stdout.
//!
//! One thread reads, one searches, and the main thread alone writes: each line with its
//! line end in one write, because qpiskvork takes every chunk for whole lines, and with a
//! plain LF, because JudgeLocal rejects `OK` followed by CR. The program writes to stderr
//! only if that is a terminal: Piskvork joins stdout and stderr in one pipe.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![deny(clippy::print_stderr)]

mod settings_file;

use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use goren_engine::{reserve, stack};
use goren_protocol::{LineBuffer, Parser, Reply};
use goren_session::{Flow, SearchEvent, Session};

/// When memory runs out, the engine answers `ERROR`.
#[global_allocator]
static ALLOCATOR: reserve::Allocator = reserve::Allocator;

/// Maximum number of lines and search events in the queue: never reached in practice, but
/// it bounds the memory that a runaway client can use up. The session bounds the commands
/// that wait for an answer.
const INBOX: usize = 1 << 14;

/// The database that `INFO usedatabase 1` opens, in the working directory.
const DATABASE: &str = "goren.db";

/// Interval of the checks, after the end of the input, whether somebody still waits for an
/// answer.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Stack size of the reading thread.
const READER_STACK: usize = 1 << 20;

enum Event {
    /// A line, and the time at which it was read.
    Line(Vec<u8>, Instant),
    EndOfInput,
    Search(SearchEvent),
}

/// What `--help` prints.
const USAGE: &str = "\
pbrain-goren: an engine that speaks the Gomocup protocol on stdin and stdout.

Usage: pbrain-goren [--help | --version | bench]

Without arguments it reads commands: START 15, BEGIN, TURN 7,7, INFO timeout_turn 1000, END.
Settings that a manager does not send, such as INFO thread_num 4, can be put in a file beside
the program with its name and .txt (pbrain-goren64.exe: pbrain-goren64.txt), or in the file
that GOREN_SETTINGS names. Relative paths in it are relative to its folder.
bench searches fixed positions and prints the nodes, which identify the search, and the speed.
To play in a terminal, use the tool goren: goren play (from the sources: cargo goren play).
";

/// Handles arguments that request something other than a session; managers pass none.
fn handle_arguments(arguments: &[String]) -> Option<ExitCode> {
    match arguments.first()?.as_str() {
        "--help" | "-h" => print!("{USAGE}"),
        "--version" | "-V" => println!("Goren {}", env!("CARGO_PKG_VERSION")),
        "bench" => match goren_engine::bench::five() {
            Ok(measured) => println!("{measured}"),
            Err(error) => {
                println!("ERROR {error}");
                return Some(ExitCode::FAILURE);
            }
        },
        // A manager that passes an unknown argument, such as Yixin-Board with `--force-utf8`,
        // still expects the protocol.
        other => {
            if io::stderr().is_terminal() {
                let message = format!("unknown argument {other:?} is ignored; see --help");
                let _ = writeln!(io::stderr(), "{message}");
            }
            return None;
        }
    }
    Some(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    if let Some(code) = handle_arguments(&arguments) {
        return code;
    }
    if !io::stderr().is_terminal() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    reserve::return_freed_memory();
    let mut out = Output { broken: false, deferred: Vec::new() };
    if !reserve::hold() {
        out.write(&Reply::Error("not enough memory to start".to_owned()));
        return ExitCode::FAILURE;
    }
    let (events, inbox) = mpsc::sync_channel(INBOX);
    let search_events = events.clone();
    // A failed send means that the process is about to exit.
    let observer = move |event| drop(search_events.send(Event::Search(event)));
    // Check the memory of both threads at once: separate checks might count it twice.
    let has_memory = reserve::is_available(stack::BYTES + READER_STACK + 2 * reserve::THREAD_START);
    let memory = if has_memory { Ok(()) } else { Err(io::Error::from(io::ErrorKind::OutOfMemory)) };
    let started = memory.and_then(|()| Session::new(Box::new(observer))).and_then(|session| {
        let reader = thread::Builder::new().name("read".into()).stack_size(READER_STACK);
        reader.spawn(move || read(&events))?;
        Ok(session)
    });
    let Ok(mut session) = started else {
        out.write(&Reply::Error("cannot start a thread".to_owned()));
        return ExitCode::FAILURE;
    };
    session.set_default_database(PathBuf::from(DATABASE));
    out.deferred = settings_file::apply(&mut session);
    let mut parser = Parser::new();
    if io::stdin().is_terminal() {
        session.greet(&mut |reply| out.write(&reply));
        out.release();
    }
    let mut wait = None;
    while let Some(event) = next(&inbox, wait) {
        let flow = match event {
            Event::EndOfInput => {
                wait = Some(POLL_INTERVAL);
                finish(&mut parser, &mut session, &mut out)
            }
            Event::Search(event) => session.search_event(event, &mut |reply| out.write(&reply)),
            Event::Line(line, at) => execute((&line, at), &mut parser, &mut session, &mut out),
        };
        if flow == Flow::Quit || out.broken {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// Returns the next event. After the end of the input (`wait`), returns `None` once nobody
/// reads the output: a client that has closed both is gone.
fn next(inbox: &Receiver<Event>, wait: Option<Duration>) -> Option<Event> {
    let Some(wait) = wait else { return inbox.recv().ok() };
    loop {
        match inbox.recv_timeout(wait) {
            Ok(event) => return Some(event),
            Err(RecvTimeoutError::Timeout) if !reader_is_gone() => {}
            Err(_) => return None,
        }
    }
}

/// Whether nobody reads our output any more, as far as the system reports it without a
/// write.
#[cfg(unix)]
fn reader_is_gone() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let gone = PollFlags::ERR | PollFlags::HUP;
    poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().intersects(gone)
}

/// Always false: on other systems only a failed write shows it.
#[cfg(not(unix))]
fn reader_is_gone() -> bool {
    false
}

/// Handles the end of the input: reports a truncated command, and still answers pending
/// requests.
fn finish(parser: &mut Parser, session: &mut Session, out: &mut Output) -> Flow {
    let truncated = parser.finish();
    let flow = truncated.map(|event| session.handle(event, &mut |reply| out.write(&reply)));
    if flow == Some(Flow::Quit) { Flow::Quit } else { session.end_of_input() }
}

/// Executes the commands that a line completes.
fn execute(
    (line, at): (&[u8], Instant),
    parser: &mut Parser,
    session: &mut Session,
    out: &mut Output,
) -> Flow {
    for command in parser.feed(line) {
        if session.handle_since(command, at, &mut |reply| out.write(&reply)) == Flow::Quit {
            return Flow::Quit;
        }
    }
    Flow::Continue
}

/// Reads lines until the end of the input.
fn read(events: &SyncSender<Event>) {
    let mut stdin = io::stdin().lock();
    let mut lines = LineBuffer::new();
    let mut chunk = [0; 4096];
    loop {
        let read = match stdin.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        // The manager's clock runs from here, even while the session is busy.
        let at = Instant::now();
        for line in lines.push(&chunk[..read]) {
            if events.send(Event::Line(line, at)).is_err() {
                return;
            }
        }
    }
    if let Some(line) = lines.finish()
        && events.send(Event::Line(line, Instant::now())).is_err()
    {
        return;
    }
    // A failed send means that the process is about to exit.
    drop(events.send(Event::EndOfInput));
}

/// The only writer of stdout.
struct Output {
    /// Whether a write failed because nobody reads any more.
    broken: bool,
    /// Messages to write after the first `OK`: managers expect nothing else before it.
    deferred: Vec<Reply>,
}

impl Output {
    fn write(&mut self, reply: &Reply) {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(reply.to_wire().as_bytes()).and_then(|()| stdout.flush());
        self.broken |= written.is_err();
        if *reply == Reply::Ok {
            self.release();
        }
    }

    /// Writes the deferred messages.
    fn release(&mut self) {
        for reply in std::mem::take(&mut self.deferred) {
            self.write(&reply);
        }
    }
}
