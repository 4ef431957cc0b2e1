//! Pondering, limited strength, and a swap after the first stone.

use std::collections::HashSet;
use std::time::Instant;

use crate::engine::{Engine, LATE, ms};

fn pondering(rule: u32) -> Engine {
    let mut engine = Engine::launch();
    engine.reads_block = true;
    engine
        .send("info show_detail 3\nyxshowinfo\nSTART 15\nINFO timeout_turn 300\nINFO pondering 1");
    engine.line();
    engine.line();
    engine.expect("OK");
    engine.send(&format!("INFO rule {rule}\nboard\n7,7,2\n8,6,1\n9,9,2\ndone"));
    engine.mv();
    engine
}

/// Checks that no line at all comes for a while.
fn mute(engine: &mut Engine) {
    assert_eq!(engine.line_within(ms(250)), None);
}

#[test]
fn pondering_prints_nothing_and_any_command_ends_it() {
    let mut engine = pondering(0);
    mute(&mut engine);
    let asked = Instant::now();
    engine.ask("INFO time_left 99997826\nturn 0,7");
    assert!(asked.elapsed() < LATE);
    mute(&mut engine);
    engine.send("start 15\nyxboard\n7,7,2\ndone\nyxshowforbid");
    engine.expect("OK");
    engine.expect("FORBID .");
    mute(&mut engine);
    engine.quiet();
    engine.end();
}

#[test]
fn a_stop_while_pondering_is_silent() {
    let mut engine = pondering(0);
    engine.send("yxstop");
    mute(&mut engine);
    engine.ask("turn 0,7");
    engine.send("INFO pondering 0");
    mute(&mut engine);
    engine.ask("turn 0,8");
    engine.quiet();
    engine.end();
}

#[test]
fn questions_are_answered_while_pondering() {
    let mut engine = pondering(2);
    // White has moved: Black's fouls are asked for after every move.
    engine.send("yxblockreset\nyxblockpathreset\nyxshowforbid\nyxquerydatabaseall\n7,7\ndone");
    assert!(engine.line().starts_with("FORBID "));
    mute(&mut engine);
    engine.ask("turn 0,7");
    engine.end();
}

/// Whether the engine uses the processor for a while, without printing anything.
#[cfg(target_os = "linux")]
fn ponders(engine: &mut Engine) -> bool {
    // Processor ticks of 10 ms that all its threads have used.
    let ticks = |engine: &Engine| {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", engine.id())).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let used = fields.split_whitespace().skip(11).take(2);
        used.map(|ticks| ticks.parse::<u32>().unwrap()).sum::<u32>()
    };
    let before = ticks(engine);
    mute(engine);
    ticks(engine) - before >= 4
}

/// As [`ponders`], but a busy machine may give the engine no time for a while.
#[cfg(target_os = "linux")]
fn keeps_pondering(engine: &mut Engine) -> bool {
    (0..8).any(|_| ponders(engine))
}

#[cfg(target_os = "linux")]
#[test]
fn named_games_ponder_once_their_opening_is_over() {
    let mut engine = Engine::launch();
    engine.send("INFO timeout_turn 300\nINFO pondering 1\nINFO variant pente\nINFO opening swap-2");
    engine.send("START 19");
    engine.expect("OK");
    engine.talk("BEGIN");
    // The engine does not know whether the other seat swaps.
    mute(&mut engine);
    assert!(!ponders(&mut engine));
    engine.send("INFO opening free\nSTART 19");
    engine.expect("OK");
    engine.talk("BEGIN");
    assert!(keeps_pondering(&mut engine));
    let asked = Instant::now();
    engine.talk("TURN 0,0");
    assert!(asked.elapsed() < LATE);
    engine.end();
}

/// A command on the opponent's time once ended the pondering for good.
#[cfg(target_os = "linux")]
#[test]
fn commands_interrupt_pondering_only_for_a_moment() {
    let mut engine = pondering(0);
    assert!(keeps_pondering(&mut engine));
    engine.send("ABOUT");
    assert!(engine.line().starts_with("name="));
    assert!(keeps_pondering(&mut engine));
    engine.send("no command at all");
    assert!(keeps_pondering(&mut engine));
    engine.send("yxdraw");
    engine.expect("MESSAGE DRAW REJECT");
    assert!(keeps_pondering(&mut engine));
    engine.end();
    // A stop ends it, also one after or before a command that is still to be answered.
    for commands in ["ABOUT\nyxstop", "yxstop\nABOUT"] {
        let mut engine = pondering(0);
        engine.send(commands);
        engine.line();
        mute(&mut engine);
        assert!(!ponders(&mut engine), "{commands}");
        engine.end();
    }
}

/// A command that waited for the move once kept the engine from pondering until the next move.
#[cfg(target_os = "linux")]
#[test]
fn commands_during_a_search_leave_the_pondering_after_it() {
    let mut engine = Engine::launch();
    engine.send("START 15\nINFO timeout_turn 300\nINFO pondering 1");
    engine.expect("OK");
    engine.ask("BOARD\n7,7,2\n8,6,1\n9,9,2\nDONE\nABOUT");
    assert!(engine.line().starts_with("name="));
    assert!(keeps_pondering(&mut engine));
    engine.end();
}

#[test]
fn forbidden_points_follow_the_rule_while_pondering() {
    let mut engine = pondering(1);
    // Two threes of Black's would meet, and Black is to move.
    engine.ask("board\n5,7,2\n0,5,1\n6,7,2\n0,9,1\n7,5,2\n14,5,1\n7,6,2\ndone");
    engine.send("yxshowforbid");
    engine.expect("FORBID .");
    engine.send("INFO rule 4\nyxshowforbid");
    let line = engine.line();
    let fresh = {
        engine.send("INFO pondering 0\nyxshowforbid");
        engine.line()
    };
    assert_eq!(line, fresh);
    assert!(line.len() > "FORBID .".len(), "{line}");
    engine.end();
}

#[test]
fn the_engine_exits_while_pondering() {
    pondering(0).end();
    pondering(0).hang_up();
}

#[test]
fn the_opponents_time_is_not_charged() {
    let mut engine = Engine::launch();
    engine.send("START 15");
    engine.expect("OK");
    engine.send(
        "INFO timeout_turn 1000\nINFO timeout_match 4000\nINFO time_left 4000\nINFO pondering 1",
    );
    engine.ask("board\n7,7,2\n8,6,1\n9,9,2\ndone");
    // Longer than all the time there is.
    assert_eq!(engine.line_within(ms(4_500)), None);
    let asked = Instant::now();
    engine.ask("turn 0,7");
    assert!(asked.elapsed() > ms(60), "a game without time moves at once");
    engine.end();
}

#[test]
fn a_weak_player_moves_fast_varies_its_games_and_sees_fives() {
    let mut engine = Engine::launch();
    engine.send("INFO timeout_turn 30000\nINFO strength 0\nSTART 15");
    engine.expect("OK");
    let mut moves = HashSet::new();
    let asked = Instant::now();
    for _ in 0..12 {
        engine.send("RESTART");
        engine.expect("OK");
        moves.insert(engine.ask("BOARD\n7,7,2\n8,6,1\n9,9,2\nDONE"));
    }
    assert!(asked.elapsed() < LATE * 6);
    assert!(moves.len() >= 3, "{moves:?}");
    let five = "BOARD\n3,7,2\n3,6,1\n4,7,2\n4,6,1\n5,7,2\n5,6,1\n0,0,2\n6,6,1\n14,14,2\nDONE";
    let block = "BOARD\n3,7,2\n2,7,1\n4,7,2\n0,0,1\n5,7,2\n14,14,1\n6,7,2\nDONE";
    assert!([(2, 6), (7, 6)].contains(&engine.ask(five)));
    assert_eq!(engine.ask(block), (7, 7));
    engine.end();
}

#[test]
fn the_second_player_may_swap_if_it_is_asked_for_a_move() {
    let mut engine = Engine::launch();
    engine.send("START 15");
    engine.expect("OK");
    engine.send("INFO RULE 5\nINFO SHOW_DETAIL 2\nINFO MAX_NODE 3000\nINFO SWAPABLE 1");
    engine.reads_block = true;
    engine.send("BOARD 7,7,2 DONE");
    assert_eq!(engine.answer(), "SWAP");
    engine.send("BOARD 0,0,2 DONE");
    engine.mv();
    engine.send("INFO SWAPABLE 0\nBOARD 7,7,2 DONE");
    engine.mv();
    engine.end();
}
