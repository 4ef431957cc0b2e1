//! `pbrain-goren` keeps within `INFO max_memory`, whatever was played before in
//! the same process. Linux only: what it holds is read from `/proc`.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What the last game of the test may hold, in bytes.
const LIMIT: u64 = 20 << 20;

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

    /// Sends some lines, the last of which has an answer.
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

    /// Begins a game under a limit, has the engine move, and tells the anonymous memory
    /// that it holds afterwards, in bytes. Pages of its program file are left out:
    /// whether they are private depends on the other processes that run the same file,
    /// such as those of other tests.
    fn play(&mut self, game: &str, limit: u64) -> u64 {
        assert_eq!(self.ask(&format!("INFO max_memory {limit}\n{game}")), "OK");
        let reply = self.ask("BEGIN");
        assert!(reply.contains(','), "{reply}");
        let path = format!("/proc/{}/smaps_rollup", self.process.id());
        let text = std::fs::read_to_string(path).expect("it lives");
        let lines = text.lines().filter(|line| line.starts_with("Anonymous:"));
        let kib = lines.map(|line| line.split_whitespace().nth(1).and_then(|n| n.parse().ok()));
        1024 * kib.map(|kib: Option<u64>| kib.expect("a number")).sum::<u64>()
    }
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
        let held = engine.play(small, LIMIT);
        assert!(held <= LIMIT, "{held} bytes after {variant}");
    }
}

#[test]
fn the_weights_of_all_rules_fit_the_least_limit() {
    // Twice through all rules: the weights of a rule that is left are freed.
    let least = 16 << 20;
    let mut engine = Engine::spawn();
    for rule in [0, 1, 4, 8, 9].repeat(2) {
        let game = format!("INFO timeout_turn 100\nINFO rule {rule}\nSTART 15");
        let held = engine.play(&game, least);
        assert!(held <= least, "{held} bytes with rule {rule}");
    }
}
