//! Whole conversations of the managers.

use std::time::Instant;

use crate::engine::{Engine, ms};

#[test]
fn gomocup_judge_sends_a_burst_and_an_empty_board() {
    let mut engine = Engine::launch();
    engine.send_raw(
        b"START 15\r\nINFO timeout_turn 30000\r\nINFO timeout_match 180000\r\n\
          INFO max_memory 367001600\r\nINFO game_type 1\r\nINFO rule 0\r\n\
          INFO folder C:\\some where\\with blanks\r\nINFO max_node 2000\r\n",
    );
    engine.send_raw(b"INFO time_left 180000\r\nBOARD\r\nDONE\r\n");
    engine.expect("OK");
    let first = engine.mv();
    assert!(first.0 < 15 && first.1 < 15);
    let reply = if first == (8, 8) { (7, 7) } else { (8, 8) };
    engine
        .send_raw(format!("INFO time_left 178000\r\nTURN {},{}\r\n", reply.0, reply.1).as_bytes());
    let second = engine.mv();
    assert!(second != first && second != reply);
    engine.quiet();
    engine.end();
}

#[cfg(unix)]
#[test]
fn a_frozen_process_starts_its_clock_at_the_command() {
    let signal = |engine: &Engine, name: &str| {
        let id = engine.id().to_string();
        assert!(std::process::Command::new("kill").args([name, &id]).status().unwrap().success());
    };
    let mut engine = Engine::launch();
    engine.send("START 15\nINFO timeout_turn 1000\nINFO timeout_match 180000");
    signal(&engine, "-STOP");
    std::thread::sleep(ms(1_500));
    let asked = Instant::now();
    signal(&engine, "-CONT");
    engine.send("INFO time_left 180000\nBOARD\n7,7,2\nDONE");
    engine.expect("OK");
    engine.mv();
    assert!(asked.elapsed() > ms(300), "a whole second was there");
    assert!(asked.elapsed() < ms(2_000));
    engine.end();
}

#[test]
fn piskvork_plays_white_and_undoes_two_plies() {
    let mut engine = Engine::launch();
    engine.send("START 20");
    engine.expect("OK");
    engine.send(
        "INFO max_memory 1048576000\nINFO timeout_match 180000\nINFO timeout_turn 30000\n\
         INFO game_type 0\nINFO rule 0\nINFO max_node 2000\nINFO time_left 179990",
    );
    let first = engine.ask("TURN 10,10");
    let second = engine.ask("INFO time_left 178500\nTURN 11,11");
    engine.send(&format!("TAKEBACK {},{}", second.0, second.1));
    engine.expect("OK");
    engine.send("TAKEBACK 11,11");
    engine.expect("OK");
    let other = engine.ask("INFO time_left 177000\nTURN 12,12");
    assert!(other != first && other != (10, 10) && other != (12, 12));
    engine.quiet();
    engine.end();
}

#[test]
fn c_gomoku_cli_plays_two_games_in_one_process() {
    let mut engine = Engine::launch();
    engine.send("ABOUT");
    assert!(engine.line().starts_with("name="));
    engine.send("START 15");
    engine.expect("OK");
    engine.send(
        "INFO rule 4\nINFO timeout_turn 5000\nINFO timeout_match 120000\n\
         INFO max_memory 367001600\nINFO max_node 2000\nINFO thread_num 1",
    );
    engine.send("INFO time_left 120000\nBOARD\n7,7,2\n7,8,1\n9,9,2\nDONE");
    engine.mv();
    engine.ask("INFO time_left 119000\nTURN 0,0");
    engine.send("START 15");
    engine.expect("OK");
    engine.send("INFO rule 4\nINFO timeout_match 0\nINFO max_memory 367001600");
    engine.ask("INFO time_left 2147483647\nBEGIN");
    engine.quiet();
    engine.end();
}

#[test]
fn judge_local_wants_bare_words() {
    let mut engine = Engine::launch();
    engine.send("ABOUT");
    let about = engine.line();
    for part in about.split(',') {
        let (key, value) = part.split_once('=').expect("each field has one =");
        assert!(!value.contains('=') && value.starts_with('"') && value.ends_with('"'), "{key}");
    }
    for key in ["name=", " version=", " author=", " country="] {
        assert!(about.contains(key));
    }
    engine.send("START 15");
    engine.expect("OK");
    engine.send("INFO rule 1\nINFO timeout_turn 500\nINFO timeout_match 60000");
    engine.ask("INFO time_left 60000\nBEGIN");
    engine.end();
}

#[test]
fn qpiskvork_waits_for_nothing() {
    let mut engine = Engine::launch();
    engine.send(
        "START 15\r\nABOUT\r\nINFO timeout_match 0\r\nINFO timeout_turn 300\r\n\
         INFO max_memory 1073741824\r\nINFO game_type 0\r\nINFO rule 0\r\n\
         INFO time_left 2147483647\r\nBEGIN\r",
    );
    engine.expect("OK");
    assert!(engine.line().starts_with("name="));
    let first = engine.mv();
    // Inner lines end with LF, commands with CR LF.
    engine.send_raw(format!("BOARD\r\n{},{},1\n0,0,2\nDONE\r\n", first.0, first.1).as_bytes());
    engine.mv();
    engine.hang_up();
}

#[test]
fn unlimited_tournament_swap2() {
    let mut engine = Engine::launch();
    engine.send("START 15");
    engine.expect("OK");
    engine.send(
        "INFO timeout_turn 5400000\nINFO timeout_match 5400000\nINFO max_memory 0\n\
         INFO game_type 1\nINFO rule 1\nINFO max_node 20000\nINFO time_left 5400000",
    );
    engine.send("SWAP2BOARD\nDONE");
    assert_eq!(engine.answer().split(' ').count(), 3);
    engine.ask("INFO time_left 5300000\nBOARD\n7,7,2\n8,7,1\n9,9,2\nDONE");
    engine.end();
}
