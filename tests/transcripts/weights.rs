//! Weights from a file.

use std::fs;

use goren_core::rules::RuleId;
use goren_engine::eval::{Side, Weights};
use tempfile::NamedTempFile;

use crate::engine::Engine;

/// A temporary file for a test, removed when dropped. Its path has a blank, as paths may.
fn file(bytes: &[u8]) -> NamedTempFile {
    let file = tempfile::Builder::new().prefix("goren ").tempfile().unwrap();
    fs::write(&file, bytes).unwrap();
    file
}

/// The command that loads a file.
fn load(file: &NamedTempFile) -> String {
    format!("INFO weights {}", file.path().display())
}

/// Weights by which every position is even.
pub fn even(rule: RuleId) -> Vec<u8> {
    Weights::new(rule, &[Side::ZERO, Side::ZERO]).write()
}

/// The evaluations that come with the answer to a command.
fn evals(engine: &mut Engine, command: &str) -> Vec<String> {
    engine.send(command);
    let mut evals = Vec::new();
    loop {
        let line = engine.line();
        let words: Vec<&str> = line.split(' ').collect();
        match words.iter().position(|&word| word == "ev") {
            Some(at) => evals.push(words[at + 1].to_owned()),
            None => {
                assert!(line.contains(','), "no move: {line}");
                return evals;
            }
        }
    }
}

/// Whether the answer to a command came with evaluations, all of them even.
pub fn is_even(engine: &mut Engine, command: &str) -> bool {
    let evals = evals(engine, command);
    !evals.is_empty() && evals.iter().all(|eval| eval == "0")
}

pub const POSITION: &str = "BOARD\n7,7,2\n8,8,1\n9,7,2\nDONE";

/// The first game of a process was once played with other weights.
#[test]
fn weights_that_come_after_start_are_used_from_the_first_move_on() {
    let weights = file(&even(RuleId::Freestyle));
    let mut engine = Engine::started(15);
    engine.send(&load(&weights));
    assert!(is_even(&mut engine, "TURN 7,7"));
    engine.end();
}

#[test]
fn weights_are_used_from_the_next_position_on() {
    let weights = file(&even(RuleId::Freestyle));
    let mut engine = Engine::started(15);
    let before = evals(&mut engine, POSITION);
    assert!(before.iter().any(|eval| eval != "0"));
    engine.send(&load(&weights));
    // An impossible position does not use them up.
    engine.send("BOARD\n7,7,1\n7,7,2\nDONE");
    assert!(engine.line().starts_with("ERROR"));
    assert!(is_even(&mut engine, POSITION));
    // RESTART keeps them, like other settings.
    engine.send("RESTART");
    engine.expect("OK");
    assert!(is_even(&mut engine, POSITION));
    // The weights are for one rule only.
    engine.send("INFO rule 1\nSTART 15");
    engine.expect("OK");
    let message = engine.line();
    let name = weights.path().display();
    let expected = format!("MESSAGE weights {name} not used in gomoku: they are for freestyle");
    assert_eq!(message, expected);
    assert!(evals(&mut engine, POSITION).iter().any(|eval| eval != "0"));
    engine.end();
}

#[test]
fn unusable_weights_are_reported_in_a_message_and_change_nothing() {
    let mut damaged = even(RuleId::Freestyle);
    damaged[1000] ^= 1;
    let long = [even(RuleId::Freestyle), vec![0; 1 << 20]].concat();
    let bad = [
        (file(&damaged), "checksum"),
        (file(&long), "bytes instead of"),
        (file(b"hello"), "not a weights file"),
    ];
    let mut other = Engine::started(15);
    let expected = evals(&mut other, POSITION);
    other.end();
    let mut engine = Engine::started(15);
    for (file, reason) in &bad {
        engine.send(&load(file));
        let line = engine.line();
        let name = file.path().display().to_string();
        let is_refusal =
            line.starts_with("MESSAGE ") && line.contains(&name) && line.contains(reason);
        assert!(is_refusal, "{line}");
    }
    for path in ["no/such/file", "."] {
        engine.send(&format!("INFO weights {path}"));
        assert!(engine.line().starts_with(&format!("MESSAGE weights {path} not used: ")));
    }
    engine.send("RESTART");
    engine.expect("OK");
    assert_eq!(evals(&mut engine, POSITION), expected);
    engine.end();
}
