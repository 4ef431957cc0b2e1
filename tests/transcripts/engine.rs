//! The engine as a child process, watched closely.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Longest wait for a line. Tests run on loaded machines.
const PATIENCE: Duration = Duration::from_secs(20);

/// Time after which a prompt answer or exit is late. Builds without optimisation take
/// up to a second for what a search does before it checks the clock; a busy disk may
/// take as long to store a database at the exit.
pub const LATE: Duration = Duration::from_secs(5);

/// A temporary folder for a test, removed when dropped. Its path has a blank, as paths may.
pub fn own_folder() -> TempDir {
    tempfile::Builder::new().prefix("goren ").tempdir().unwrap()
}

pub struct Engine {
    /// The folder in which it was started, unless the caller owns it.
    _folder: Option<TempDir>,
    child: Child,
    stdin: Option<ChildStdin>,
    chunks: Receiver<Vec<u8>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    unread: Vec<u8>,
    /// Whether it may print the `INFO` block, which only some GUIs can read.
    pub reads_block: bool,
}

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Reads `x,y` as strictly as c-gomoku-cli: digits, a comma, digits.
pub fn point(line: &str) -> (usize, usize) {
    let (x, y) = line.split_once(',').unwrap_or_else(|| panic!("no move: {line:?}"));
    let number = |s: &str| {
        assert!(!s.is_empty() && s.bytes().all(|b| b.is_ascii_digit()), "no move: {line:?}");
        s.parse().unwrap()
    };
    (number(x), number(y))
}

/// A line without its times and speeds.
pub fn untimed(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let timed = |i: usize| i > 0 && matches!(words[i - 1], "tm" | "n/ms");
    (0..words.len()).map(|i| if timed(i) { "-" } else { words[i] }).collect::<Vec<_>>().join(" ")
}

impl Engine {
    /// Starts an engine in a folder of its own.
    pub fn launch() -> Engine {
        let folder = own_folder();
        let mut engine = Engine::launch_in(folder.path());
        engine._folder = Some(folder);
        engine
    }

    /// Starts an engine in a folder.
    pub fn launch_in(folder: &Path) -> Engine {
        Engine::launch_with(folder, None)
    }

    /// Starts an engine in a folder, with a settings file.
    pub fn launch_with(folder: &Path, settings: Option<&Path>) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-goren"));
        command.env_remove("GOREN_SETTINGS");
        if let Some(settings) = settings {
            command.env("GOREN_SETTINGS", settings);
        }
        let mut child = command
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, chunks) = mpsc::channel();
        let mut stdout = child.stdout.take().unwrap();
        thread::spawn(move || {
            let mut chunk = [0; 1 << 16];
            while let Ok(read @ 1..) = stdout.read(&mut chunk) {
                if sender.send(chunk[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut pipe = child.stderr.take().unwrap();
        let stderr = Some(thread::spawn(move || {
            let mut text = Vec::new();
            let _ = pipe.read_to_end(&mut text);
            text
        }));
        let stdin = child.stdin.take();
        Engine {
            _folder: None,
            child,
            stdin,
            chunks,
            stderr,
            unread: Vec::new(),
            reads_block: false,
        }
    }

    /// Starts an engine that plays quickly, on an empty board.
    pub fn started(size: usize) -> Engine {
        let mut engine = Engine::launch();
        engine.send("INFO max_node 2000\nINFO timeout_turn 10000");
        engine.send(&format!("START {size}"));
        engine.expect("OK");
        engine
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends lines, ended by LF.
    pub fn send(&mut self, lines: &str) {
        self.send_raw(format!("{lines}\n").as_bytes());
    }

    pub fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// The next line, if one comes within a time.
    pub fn line_within(&mut self, wait: Duration) -> Option<String> {
        let end = Instant::now() + wait;
        loop {
            if let Some(at) = self.unread.iter().position(|&b| b == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=at).collect();
                let line = String::from_utf8(line).unwrap();
                let line = line.strip_suffix('\n').unwrap().to_owned();
                assert!(!line.contains('\r'), "JudgeLocal wants a plain LF: {line:?}");
                assert!(!line.trim().is_empty(), "a blank line");
                assert_ne!(line.trim(), "MESSAGE", "Piskvork takes it for a move");
                assert!(!line.starts_with("DEBUG") && !line.starts_with("SUGGEST"), "{line}");
                return Some(line);
            }
            match self.chunks.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(chunk) => {
                    // qpiskvork drops text that comes without its line end.
                    assert_eq!(chunk.last(), Some(&b'\n'), "a line in two writes");
                    self.unread.extend(chunk);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    pub fn line(&mut self) -> String {
        self.line_within(PATIENCE).expect("no line in time")
    }

    /// Whether a line is a message or part of the `INFO` block, and so no answer.
    fn is_message(&self, line: &str) -> bool {
        line.starts_with("MESSAGE ") || self.reads_block && line.starts_with("INFO ")
    }

    /// The next line that is no MESSAGE.
    pub fn answer(&mut self) -> String {
        loop {
            let line = self.line();
            if !self.is_message(&line) {
                return line;
            }
        }
    }

    /// Sends lines. Returns the messages up to the next answer, and that answer.
    pub fn talk(&mut self, lines: &str) -> (Vec<String>, String) {
        self.send(lines);
        let mut messages = Vec::new();
        loop {
            let line = self.line();
            if !self.is_message(&line) {
                return (messages, line);
            }
            messages.push(line);
        }
    }

    /// Sends lines that are answered only by messages. Returns the messages.
    pub fn messages(&mut self, lines: &str) -> Vec<String> {
        let (messages, last) = self.talk(&format!("{lines}\nABOUT"));
        assert!(last.starts_with("name="), "{last}");
        messages
    }

    /// Checks that the next line is exactly this one.
    pub fn expect(&mut self, expected: &str) {
        assert_eq!(self.line(), expected);
    }

    /// Sends lines. Returns all lines up to and including the first that begins with
    /// `last`.
    pub fn lines_until(&mut self, lines: &str, last: &str) -> Vec<String> {
        self.send(lines);
        let mut received = Vec::new();
        while !received.last().is_some_and(|line: &String| line.starts_with(last)) {
            received.push(self.line());
        }
        received
    }

    /// Reads the answer, which must be a move.
    pub fn mv(&mut self) -> (usize, usize) {
        point(&self.answer())
    }

    /// Reads the next line, which must be an error.
    pub fn error(&mut self) -> String {
        let line = self.line();
        assert!(line.starts_with("ERROR "), "{line}");
        line
    }

    /// Sends lines and returns the move they ask for.
    pub fn ask(&mut self, lines: &str) -> (usize, usize) {
        self.send(lines);
        self.mv()
    }

    /// Checks that nothing is left unread: the answer to ABOUT comes next.
    pub fn quiet(&mut self) {
        self.send("ABOUT");
        let line = self.line();
        assert!(line.starts_with("name="), "said without need: {line}");
    }

    /// Checks that only messages come for a while, as during a search.
    pub fn silent_for(&mut self, wait: Duration) {
        let end = Instant::now() + wait;
        while let Some(line) = self.line_within(end.saturating_duration_since(Instant::now())) {
            assert!(self.is_message(&line), "said too early: {line}");
        }
    }

    /// Sends END: the engine must exit at once without another word.
    pub fn end(mut self) {
        assert_eq!(self.line_within(Duration::ZERO), None);
        self.send("END");
        self.must_exit();
    }

    /// Closes the pipe instead, with no command left to answer.
    pub fn hang_up(mut self) {
        self.stdin = None;
        self.must_exit();
    }

    /// Sends bytes and closes the pipe. Returns all lines that come until the engine
    /// exits by itself.
    pub fn script(mut self, bytes: &str) -> Vec<String> {
        self.send_raw(bytes.as_bytes());
        self.stdin = None;
        let mut lines = Vec::new();
        while let Some(line) = self.line_within(PATIENCE) {
            lines.push(line);
        }
        self.must_exit();
        lines
    }

    /// Waits for the exit, which must be prompt, clean and silent.
    pub fn must_exit(mut self) {
        let asked = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(asked.elapsed() < LATE, "still running");
            thread::sleep(ms(2));
        };
        assert!(status.success(), "{status}");
        while let Ok(chunk) = self.chunks.recv_timeout(PATIENCE) {
            let text = String::from_utf8_lossy(&chunk).into_owned();
            // Reports of a search may still be in the pipe.
            assert!(text.lines().all(|line| self.is_message(line)), "last words: {text}");
        }
        let stderr = self.stderr.take().unwrap().join().unwrap();
        assert_eq!(String::from_utf8_lossy(&stderr), "", "stderr is the same pipe in Piskvork");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
