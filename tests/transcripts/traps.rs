//! Traps that broke real engines, one test each: commands and answers.

use crate::engine::{Engine, untimed};

/// Four in a row of the opponent's with one open end, and what stops it.
pub const MUST_BLOCK: &str = "BOARD\n3,7,2\n2,7,1\n4,7,2\n0,0,1\n5,7,2\n14,14,1\n6,7,2\nDONE";

pub const BLOCK: (usize, usize) = (7, 7);

/// Managers take any other answer for a move.
#[test]
fn settings_are_answered_only_by_messages() {
    let mut engine = Engine::launch();
    let keys = "INFO\nINFO nonsense\nINFO evaluate 3,3\nINFO folder /tmp/a b c\nINFO rule 77\n\
                INFO rule -1\nINFO rule x\nINFO max_memory -5\nINFO timeout_turn\n\
                INFO thread_num 99999999999999999999\nINFO game_type 9\nINFO rule 0\n\
                INFO strength 500\nINFO strength -1\nINFO strength 100";
    let rules = "0 is freestyle, 1 standard, 4 renju, 8 caro, 9 caro with exact fives; add 2 for a \
                 continuous game";
    // Only values that cannot be used are reported, no unknown keys.
    let expected = [
        format!("MESSAGE rule 77 is not supported: {rules}"),
        format!("MESSAGE rule -1 is not supported: {rules}"),
        "MESSAGE INFO rule \"x\" cannot be read".to_owned(),
        "MESSAGE strength 500 is taken as 100".to_owned(),
        "MESSAGE strength -1 is taken as 0".to_owned(),
    ];
    assert_eq!(engine.messages(keys), expected);
    engine.send("START 15");
    engine.expect("OK");
    assert_eq!(engine.messages(keys), expected);
    engine.end();
}

#[test]
fn impossible_sizes_are_errors() {
    let mut engine = Engine::launch();
    for line in [
        "START 4",
        "START 27",
        "START 0",
        "START -3",
        "START",
        "START x",
        "START 99999999999999",
        "RECTSTART 3,20",
        "RECTSTART 20",
    ] {
        engine.send(line);
        engine.error();
    }
    engine.send("START 15");
    engine.expect("OK");
    let first = engine.ask("BEGIN");
    engine.send("START 100");
    engine.error();
    // The previous game goes on.
    let reply = if first == (0, 0) { (1, 1) } else { (0, 0) };
    engine.send("INFO timeout_turn 0");
    engine.ask(&format!("TURN {},{}", reply.0, reply.1));
    engine.end();
}

#[test]
fn a_second_number_after_start_is_tolerated() {
    let mut engine = Engine::started(15);
    engine.send("start 15 15");
    engine.expect("OK");
    engine.ask("begin");
    engine.end();
}

#[test]
fn rectangular_boards() {
    let mut engine = Engine::started(15);
    engine.send("RECTSTART 20,10");
    engine.expect("OK");
    let (x, y) = engine.ask("BEGIN");
    assert!(x < 20 && y < 10);
    let free = if (x, y) == (19, 9) { "18,9" } else { "19,9" };
    engine.ask(&format!("TURN {free}"));
    engine.send("TURN 5,15");
    engine.error();
    engine.end();
}

#[test]
fn commands_before_start_are_errors() {
    let mut engine = Engine::launch();
    for line in [
        "BEGIN",
        "TURN 7,7",
        "BOARD\n7,7,2\nDONE",
        "RESTART",
        "TAKEBACK 7,7",
        "PLAY 7,7",
        "SWAP2BOARD\nDONE",
    ] {
        engine.send(line);
        engine.error();
    }
    engine.quiet();
    engine.end();
}

#[test]
fn turn_is_the_first_command_after_start() {
    let mut engine = Engine::started(20);
    assert_ne!(engine.ask("TURN 10,10"), (10, 10));
    engine.end();
}

#[test]
fn play_is_obeyed() {
    let mut engine = Engine::started(15);
    engine.send("PLAY 3,4");
    engine.expect("3,4");
    engine.send("TURN 3,4");
    engine.error();
    engine.ask("TURN 7,7");
    engine.end();
}

#[test]
fn unknown_commands_are_unknown_and_stop_nothing() {
    let mut engine = Engine::started(15);
    for line in ["FOO", "foo bar", "\u{fffd}\u{7}", "help", "MESSAGE hello"] {
        engine.send(line);
        assert!(engine.line().starts_with("UNKNOWN "));
    }
    engine.send_raw(b"\xff\xfe\x00rubbish\n");
    assert!(engine.line().starts_with("UNKNOWN "));
    engine.send("\n  \n\r\n");
    engine.quiet();
    engine.ask("TURN 7,7");
    engine.end();
}

#[test]
fn case_blanks_and_line_ends_do_not_matter() {
    let mut engine = Engine::started(15);
    engine.send_raw(b"  Start \t 15 \r\n");
    engine.expect("OK");
    engine.send_raw(b"Turn  7 ,\t8  \r\n");
    engine.mv();
    engine.send_raw(b"board\r7,7,2\r8,8,1\r9,8,2\rdone\r\n");
    engine.mv();
    engine.send_raw(b"BOARD 7,7,2 DONE\n");
    engine.mv();
    engine.end();
}

#[test]
fn suggest_and_debug_are_never_printed_and_answers_are_single() {
    let mut engine = Engine::started(15);
    let mut taken = Vec::new();
    for i in 0..4 {
        let at = (2 * i + 1, 14 - (i % 3) * 4);
        if taken.contains(&at) {
            continue;
        }
        taken.push(at);
        taken.push(engine.ask(&format!("TURN {},{}", at.0, at.1)));
        engine.quiet();
    }
    engine.end();
}

#[test]
fn the_same_transcript_gives_the_same_game() {
    let game = || {
        // Nodes alone are limited. Under a time limit the only candidate of an empty board
        // is searched for at most 2 ms, so that the game would depend on the clock.
        let mut engine = Engine::launch();
        engine.send("INFO max_node 2000\nSTART 15");
        engine.expect("OK");
        let mut lines = Vec::new();
        for turn in ["BEGIN", "TURN 0,0", "TURN 14,0", "TURN 0,14"] {
            engine.send(turn);
            loop {
                let line = engine.line();
                let done = !line.starts_with("MESSAGE ");
                lines.push(untimed(&line));
                if done {
                    break;
                }
            }
        }
        engine.end();
        lines
    };
    // Which reports are printed depends on time, except for the last.
    let last = |lines: Vec<String>| -> Vec<String> {
        let shown = |i: usize| {
            !lines[i].starts_with("MESSAGE ")
                || lines.get(i + 1).is_some_and(|next| !next.starts_with("MESSAGE "))
        };
        // The length of a proven PV depends on time too.
        let moves = |line: &str| line.find(" pv ").map_or(line.len(), |at| at);
        let stable = |line: &String| {
            if line.contains(" ev +M") || line.contains(" ev -M") {
                line[..moves(line)].to_string()
            } else {
                line.clone()
            }
        };
        (0..lines.len()).filter(|&i| shown(i)).map(|i| stable(&lines[i])).collect()
    };
    assert_eq!(last(game()), last(game()));
}

#[test]
fn a_conversation_of_complaints() {
    let mut engine = Engine::launch();
    let mut transcript = Vec::new();
    for line in [
        "TURN 7,7",
        "START 3",
        "START 15",
        "TURN 15,7",
        "TURN 7",
        "TAKEBACK 7,7",
        "NONSENSE 1 2",
        "BOARD\n1,1,1\n1,1,2\nDONE",
        "BOARD\nx\nDONE",
        "SWAP2BOARD\n1,1\nDONE",
        "DONE",
        "INFO rule 77",
        "BEGIN",
        "INFO rule 0",
    ] {
        transcript.push(format!("> {}", line.replace('\n', " / ")));
        if line.starts_with("INFO") {
            transcript.extend(engine.messages(line).iter().map(|message| format!("< {message}")));
        } else {
            engine.send(line);
            transcript.push(format!("< {}", engine.line()));
        }
    }
    engine.end();
    insta::assert_snapshot!(transcript.join("\n"));
}
