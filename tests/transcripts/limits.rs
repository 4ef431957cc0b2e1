//! Limits of time and memory, kept by the real process.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, RuleId, Setup};
use goren_core::types::Cell;
use goren_protocol::{Parser, Reply};
use goren_session::{Flow, Session};

use crate::engine::{Engine, ms};
use crate::positions::{over, words};

/// An engine on an empty board, with only these settings.
fn with(infos: &str) -> Engine {
    let mut engine = Engine::launch();
    engine.send("START 15");
    engine.expect("OK");
    engine.send(infos);
    engine
}

/// Time that the answer to a quiet position takes.
fn time_of_answer(engine: &mut Engine, x: usize) -> Duration {
    let asked = Instant::now();
    engine.ask(&format!("BOARD\n7,7,2\n8,{x},1\n9,9,2\nDONE"));
    asked.elapsed()
}

#[test]
fn the_first_answer_comes_quickly() {
    // The best of a few, as the machine may be busy.
    let best = (0..5).map(|_| {
        let asked = Instant::now();
        let mut engine = Engine::launch();
        engine.send("START 20");
        engine.expect("OK");
        asked.elapsed()
    });
    let best = best.min().unwrap();
    assert!(best < ms(100), "{best:?}");
}

#[test]
fn timeout_turn_zero_is_as_fast_as_possible() {
    let mut engine = with("INFO timeout_turn 0\nINFO timeout_match 180000\nINFO time_left 180000");
    time_of_answer(&mut engine, 2);
    let best = (3..7).map(|x| time_of_answer(&mut engine, x)).min().unwrap();
    assert!(best < ms(100), "{best:?}");
    engine.end();
}

#[test]
fn no_time_left_is_an_instant_move() {
    for left in ["0", "-1", "-900"] {
        let mut engine = with("INFO timeout_turn 30000\nINFO timeout_match 180000");
        engine.send(&format!("INFO time_left {left}"));
        let best = (3..7).map(|x| time_of_answer(&mut engine, x)).min().unwrap();
        assert!(best < ms(100), "{left}: {best:?}");
        engine.end();
    }
}

#[test]
fn time_left_of_2147483647_is_no_limit() {
    let mut engine = with("INFO timeout_turn 400\nINFO timeout_match 0\nINFO time_left 2147483647");
    let used: Vec<Duration> = (2..5).map(|x| time_of_answer(&mut engine, x)).collect();
    // One of a few is in time, as the machine may be busy.
    assert!(used[0] > ms(150) && used.iter().any(|&time| time < ms(400)), "{used:?}");
    engine.end();
}

#[test]
fn the_turn_limit_holds() {
    let mut engine = with("INFO timeout_turn 600\nINFO timeout_match 0");
    let used: Vec<Duration> = (2..5).map(|x| time_of_answer(&mut engine, x)).collect();
    // One of a few is in time, as the machine may be busy; the judges allow a second more.
    assert!(used.iter().any(|&time| time < ms(600)), "{used:?}");
    assert!(used.iter().all(|&time| time < ms(1_600)), "{used:?}");
    engine.end();
}

#[test]
fn a_match_limit_is_not_spent_on_one_turn() {
    let mut engine = with("INFO timeout_turn 30000\nINFO timeout_match 10000");
    engine.send("INFO time_left 10000");
    let used = time_of_answer(&mut engine, 2);
    assert!(used < ms(2_400), "{used:?}");
    engine.end();
}

/// Plays a game of two engines with `total` milliseconds each. Returns the smaller of the
/// times left.
fn least_left(total: i64) -> i64 {
    let mut players = [0, 1]
        .map(|_| with(&format!("INFO timeout_turn 1000\nINFO timeout_match {total}\nINFO rule 1")));
    let setup = Setup::new(RuleId::Standard, 15, 15).unwrap();
    let mut game_state = GameState::new(Contest::five(setup));
    let mut left = [total; 2];
    let mut command = "BEGIN".to_owned();
    while game_state.result().is_none() {
        let seat = game_state.actions().len() % 2;
        players[seat].send(&format!("INFO time_left {}", left[seat]));
        let asked = Instant::now();
        let (x, y) = players[seat].ask(&command);
        left[seat] -= asked.elapsed().as_millis() as i64;
        game_state.apply(&Action::stone(Cell::new(x, y))).unwrap();
        command = format!("TURN {x},{y}");
    }
    let seat = game_state.actions().len() % 2;
    over(&mut players[seat], &command, &words(game_state.result().unwrap()));
    players.into_iter().for_each(Engine::end);
    left.into_iter().min().unwrap()
}

#[test]
fn a_whole_game_fits_its_match_time() {
    // One of a few is in time, as the machine may be busy; the judges allow a second more.
    let in_time = (0..3).any(|_| {
        let left = least_left(2_000);
        assert!(left > -500, "{left}");
        left > 0
    });
    assert!(in_time, "all games took longer");
}

/// Black's newest stone makes two open threes that cross.
const DOUBLE_THREE: &str =
    "BOARD\n5,7,2\n0,0,1\n6,7,2\n0,2,1\n7,5,2\n14,0,1\n7,6,2\n14,14,1\n7,7,2\nDONE";

#[test]
fn settings_survive_start_restart_and_rectstart() {
    let mut engine = Engine::launch();
    engine.send("INFO timeout_turn 0\nINFO rule 4\nINFO max_memory 40000000");
    for command in ["START 15", "RESTART", "RECTSTART 16,15", "START 15"] {
        engine.send(command);
        engine.expect("OK");
        let asked = Instant::now();
        // White to move: renju forbids White nothing, and time is short.
        engine.ask("TURN 7,7");
        assert!(asked.elapsed() < ms(1_000), "30 s would be the default");
        let usage = engine.messages("yxshowhashusage");
        let kib: usize = usage[0].rsplit(' ').nth(1).unwrap().parse().unwrap();
        assert!(kib < 2_000, "{usage:?}: at least 4,096 KB without a limit");
        over(&mut engine, DOUBLE_THREE, "White wins: foul");
    }
    engine.end();
}

#[cfg(target_os = "linux")]
fn peak_memory(engine: &Engine) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn memory_keeps_within_its_limit() {
    for (limit, rule) in [(40_u64 << 20, 0), (64 << 20, 4), (367_001_600, 8)] {
        let mut engine = with(&format!("INFO max_memory {limit}\nINFO rule {rule}"));
        engine.send("INFO timeout_turn 700");
        for x in 2..4 {
            time_of_answer(&mut engine, x);
        }
        let peak = peak_memory(&engine);
        assert!(peak < limit, "{peak} of {limit}");
        engine.end();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_runaway_line_costs_no_memory() {
    let mut engine = Engine::started(15);
    let line = [b"TURN ".as_slice(), &vec![b'7'; 1 << 20]].concat();
    for _ in 0..32 {
        engine.send_raw(&line);
    }
    engine.send("");
    engine.error();
    let peak = peak_memory(&engine);
    assert!(peak < 32 << 20, "{peak}");
    engine.ask("TURN 7,7");
    engine.end();
}

/// Private memory of the engine in bytes, as judges count it.
#[cfg(target_os = "linux")]
fn private_memory(engine: &Engine) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", engine.id())).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("Private_"));
    lines.map(|line| line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10).sum()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_returned_when_the_limit_shrinks() {
    let mut engine = with("INFO timeout_match 0");
    // Tables of growing size, as an allocator is most likely to keep those.
    for (i, (mib, turn)) in [(350, 100), (350, 200), (350, 400), (16, 100), (350, 200), (16, 100)]
        .into_iter()
        .enumerate()
    {
        let limit: u64 = mib << 20;
        engine.send(&format!("INFO max_memory {limit}\nINFO timeout_turn {turn}"));
        time_of_answer(&mut engine, 1 + i);
        let used = private_memory(&engine);
        assert!(used < limit, "{used} of {limit}");
    }
    engine.end();
}

#[test]
fn the_clock_starts_when_the_command_is_read() {
    let (sender, events) = mpsc::channel();
    let mut session = Session::new(Box::new(move |event| drop(sender.send(event)))).unwrap();
    let mut parser = Parser::new();
    let mut send = |session: &mut Session, lines: &str, arrived: Instant| {
        let mut moved = false;
        let mut out = |reply: Reply| moved |= matches!(reply, Reply::Move(_));
        for event in lines.lines().flat_map(|line| parser.feed(line.as_bytes())) {
            assert_eq!(session.handle_since(event, arrived, &mut out), Flow::Continue);
        }
        while session.is_searching() {
            let event = events.recv().unwrap();
            assert_eq!(session.search_event(event, &mut out), Flow::Continue);
        }
        moved
    };
    send(&mut session, "START 15\nINFO timeout_turn 3000\nINFO timeout_match 0", Instant::now());
    // The best of a few, as the machine may be busy.
    let best = (2..5).map(|x| {
        let now = Instant::now();
        let board = format!("BOARD\n7,7,2\n8,{x},1\n9,9,2\nDONE");
        assert!(send(&mut session, &board, now - ms(2_500)));
        now.elapsed()
    });
    let best = best.min().unwrap();
    assert!(best < ms(1_500), "{best:?}: half a second was left");
    // So does the clock of a command that had to wait for the answer to another.
    let best = (2..5).map(|x| {
        let now = Instant::now();
        let board = format!("BOARD\n7,7,2\n8,{x},1\n9,9,2\nDONE");
        assert!(send(&mut session, &format!("{board}\n{board}"), now - ms(2_500)));
        now.elapsed()
    });
    let best = best.min().unwrap();
    assert!(best < ms(2_000), "{best:?}: half a second was left for both");
}
