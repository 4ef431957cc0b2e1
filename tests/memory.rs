//! `pbrain-goren` keeps within `INFO max_memory`, whatever games it played before in
//! the same process. Linux only: memory use is read from `/proc`.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Smallest limit that the engine keeps to, in bytes.
const LEAST: u64 = 16 << 20;

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn spawn() -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-goren"));
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = process.stdin.take().expect("it has an input");
        let output = BufReader::new(process.stdout.take().expect("it has an output"));
        Engine { process, input, output }
    }

    /// Sends lines and returns the first reply to them that is not a MESSAGE.
    fn ask(&mut self, lines: &str) -> String {
        writeln!(self.input, "{lines}").expect("it reads");
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("it answers") > 0, "it has ended");
            if !line.starts_with("MESSAGE") {
                return line.trim_end().to_owned();
            }
        }
    }

    /// Starts a game, sends the limit as late as a manager may, has the engine move, and
    /// returns the memory in use afterwards.
    fn play(&mut self, game: &str, limit: u64) -> u64 {
        assert_eq!(self.ask(game), "OK");
        let reply = self.ask(&format!("INFO max_memory {limit}\nBEGIN"));
        assert!(reply.contains(','), "{reply}");
        self.memory()
    }

    fn memory(&self) -> u64 {
        anonymous(self.process.id())
    }
}

/// Anonymous memory of a process in bytes. Pages of its program file do not count:
/// whether they are private depends on the other processes that run the same file, such
/// as those of other tests.
fn anonymous(process: u32) -> u64 {
    let path = format!("/proc/{process}/smaps_rollup");
    let text = std::fs::read_to_string(path).expect("it lives");
    let lines = text.lines().filter(|line| line.starts_with("Anonymous:"));
    let kib = lines.map(|line| line.split_whitespace().nth(1).and_then(|n| n.parse().ok()));
    1024 * kib.map(|kib: Option<u64>| kib.expect("a number")).sum::<u64>()
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn memory_of_earlier_games_is_returned_when_the_limit_shrinks() {
    let mut engine = Engine::spawn();
    let small = "INFO timeout_turn 30\nINFO variant renju\nSTART 5";
    let variants = ["gomoku", "pente", "connect6", "four-in-a-row", "renju"];
    for variant in variants {
        let side = if variant == "connect6" { 19 } else { 6 };
        engine.play(&format!("INFO variant {variant}\nSTART {side}"), 100 << 20);
        let used = engine.play(small, LEAST);
        assert!(used <= LEAST, "{used} bytes after {variant}");
    }
}

/// START trims the heaps with this function. Only glibc's allocator has such a call.
#[test]
#[cfg(target_env = "gnu")]
fn trimming_returns_free_pages_between_pieces_in_use() {
    let pieces: Vec<Box<[u8; 1024]>> = (0..1 << 16).map(|i| Box::new([i as u8; 1024])).collect();
    let in_use: Vec<_> = pieces.into_iter().step_by(64).collect();
    let before = anonymous(std::process::id());
    goren_engine::reserve::trim();
    let after = anonymous(std::process::id());
    assert!(after + (32 << 20) < before, "{before} bytes before, {after} after");
    assert!(in_use.iter().map(|piece| usize::from(piece[9])).sum::<usize>() > 0);
}

#[test]
fn all_games_fit_the_least_limit_one_after_another() {
    // The memory that a game frees is scattered over the heaps of four threads.
    let games = [
        ("caro", 26, 350 << 20),
        ("renju", 20, LEAST),
        ("connect6", 19, 350 << 20),
        ("four-in-a-row", 6, LEAST),
        ("pente", 19, 100 << 20),
        ("standard", 15, LEAST),
        ("irensei", 15, 350 << 20),
        ("four-in-a-row", 8, LEAST),
        ("gomoku", 15, 100 << 20),
        ("caro", 15, LEAST),
        ("freestyle", 20, 100 << 20),
        ("pente", 15, LEAST),
        ("connect6", 19, LEAST),
    ];
    let mut engine = Engine::spawn();
    for (variant, side, limit) in games.repeat(3) {
        let settings = format!("INFO timeout_turn 40\nINFO thread_num 4\nINFO variant {variant}");
        engine.play(&format!("{settings}\nSTART {side}"), limit);
        // The first stone may need no search.
        let turn = match variant {
            "connect6" => "1,1 2,1".to_owned(),
            "four-in-a-row" => format!("0,{}", side - 1),
            _ => "1,1".to_owned(),
        };
        let reply = engine.ask(&format!("TURN {turn}"));
        assert!(reply.contains(','), "{reply}");
        let used = engine.memory();
        assert!(used <= limit, "{used} bytes where {limit} are allowed: {variant} {side}x{side}");
    }
}

#[test]
fn the_weights_of_all_rules_fit_the_least_limit() {
    // Twice through all rules: leaving a rule must free its weights.
    let mut engine = Engine::spawn();
    for rule in [0, 1, 4, 8, 9].repeat(2) {
        let game = format!("INFO timeout_turn 100\nINFO rule {rule}\nSTART 15");
        let used = engine.play(&game, LEAST);
        assert!(used <= LEAST, "{used} bytes with rule {rule}");
    }
}
