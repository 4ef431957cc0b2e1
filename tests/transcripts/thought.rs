//! Commands that come during a search.

use std::time::Instant;

use crate::engine::{Engine, LATE, ms};

/// An engine in a search of half a minute.
fn thinking() -> Engine {
    let mut engine = Engine::launch();
    engine.send("INFO timeout_turn 30000\nSTART 15");
    engine.expect("OK");
    engine.send("BOARD\n7,7,2\n8,2,1\n9,9,2\nDONE");
    engine.silent_for(ms(150));
    engine
}

#[test]
fn end_during_a_search_exits_silently() {
    let mut engine = thinking();
    engine.send("END");
    engine.must_exit();
}

#[test]
fn a_closed_pipe_is_end() {
    Engine::started(15).hang_up();
    Engine::launch().hang_up();
}

#[test]
fn end_without_a_line_end_is_end() {
    let mut engine = Engine::started(15);
    engine.send_raw(b"END");
    engine.hang_up();
}

#[test]
fn end_within_a_list_or_for_a_path_is_end() {
    for open in ["BOARD\n7,7,2", "SWAP2BOARD", "YXBOARD 7,7,1", "YXHASHLOAD", "YXSETDATABASE"] {
        let mut engine = Engine::started(15);
        engine.send(&format!("{open}\nEND"));
        engine.must_exit();
    }
}

#[test]
fn move_now_is_obeyed_after_other_commands_and_final() {
    for now in [
        "yxshowforbid\nINFO timeout_turn 0",
        "ABOUT\nINFO time_left 0",
        "INFO timeout_turn 0\nINFO timeout_turn 30000",
    ] {
        let mut engine = thinking();
        let asked = Instant::now();
        engine.ask(now);
        assert!(asked.elapsed() < LATE, "{now}");
        match now {
            _ if now.starts_with("yx") => engine.expect("FORBID ."),
            _ if now.starts_with("ABOUT") => assert!(engine.line().starts_with("name=")),
            _ => {}
        }
        engine.end();
    }
    // After another search command it applies to that search.
    let mut engine = thinking();
    engine.send("TURN 0,7\nINFO timeout_turn 0");
    engine.silent_for(ms(300));
    engine.ask("STOP");
    engine.mv();
    engine.end();
}

#[test]
fn stop_during_a_search_gives_exactly_one_move() {
    for stop in ["STOP", "YXSTOP", "yxstop"] {
        let mut engine = thinking();
        let asked = Instant::now();
        engine.ask(stop);
        assert!(asked.elapsed() < LATE);
        engine.quiet();
        engine.send(stop);
        engine.quiet();
        engine.end();
    }
}

#[test]
fn stop_while_idle_is_silent() {
    let mut engine = Engine::launch();
    engine.send("YXSTOP\nSTOP");
    engine.quiet();
    engine.send("START 15");
    engine.expect("OK");
    engine.send("YXSTOP\nSTOP");
    engine.quiet();
    engine.end();
}

#[test]
fn move_now_is_a_timeout_of_zero_during_a_search() {
    let mut engine = thinking();
    let asked = Instant::now();
    engine.ask("INFO timeout_turn 0");
    assert!(asked.elapsed() < LATE);
    engine.quiet();
    engine.send("INFO timeout_turn 30000\nTURN 0,0");
    engine.silent_for(ms(300));
    engine.ask("STOP");
    engine.end();
}

#[test]
fn a_shorter_limit_takes_effect_during_a_search() {
    for info in ["INFO timeout_turn 400", "INFO time_left 1000", "INFO time_left -5"] {
        let mut engine = thinking();
        let asked = Instant::now();
        engine.ask(info);
        assert!(asked.elapsed() < LATE, "{info}");
        engine.end();
    }
}

#[test]
fn other_commands_wait_for_the_answer() {
    let mut engine = thinking();
    engine.send("ABOUT\nNONSENSE\nTURN 99,99\nTAKEBACK 7,7");
    engine.silent_for(ms(200));
    engine.ask("STOP");
    assert!(engine.line().starts_with("name="));
    assert!(engine.line().starts_with("UNKNOWN "));
    engine.error();
    engine.error();
    engine.end();
}

#[test]
fn two_search_commands_give_two_answers() {
    let mut engine = Engine::started(15);
    engine.send("BOARD\n7,7,2\nDONE\nBOARD\n7,7,2\n8,2,1\n9,9,2\nDONE\nABOUT");
    engine.mv();
    engine.mv();
    assert!(engine.line().starts_with("name="));
    engine.end();
}

#[test]
fn a_stop_after_waiting_commands_stops_them_too() {
    let mut engine = thinking();
    engine.send("BOARD\n1,1,2\nDONE\nSTOP");
    engine.mv();
    engine.mv();
    engine.quiet();
    engine.end();
}

#[test]
fn start_during_a_search_gives_one_move_and_then_ok() {
    let mut engine = thinking();
    engine.send("START 20");
    engine.mv();
    engine.expect("OK");
    engine.quiet();
    engine.end();
}

#[test]
fn database_queries_during_a_search_are_consumed() {
    let mut engine = thinking();
    engine.send("INFO time_left 99997826\nyxquerydatabaseallt\n7,7\n3,3\ndone");
    engine.silent_for(ms(200));
    engine.send("yxquerydatabaseall\ndone\nyxedittextdatabase \"BOARD\nDONE\"7,7\ndone");
    engine.silent_for(ms(100));
    let own = engine.ask("yxstop");
    engine.quiet();
    engine.send(&format!("TAKEBACK {},{}", own.0, own.1));
    engine.expect("OK");
    engine.send("TAKEBACK 9,9");
    engine.expect("OK");
    engine.end();
}

#[test]
fn reports_can_be_parsed_and_come_before_the_answer() {
    let mut engine = thinking();
    // The first report may take long on a busy machine.
    let mut messages = vec![engine.line()];
    let until = Instant::now() + ms(300);
    while let Some(line) = engine.line_within(until.saturating_duration_since(Instant::now())) {
        messages.push(line);
    }
    let (last, answer) = engine.talk("STOP");
    crate::engine::point(&answer);
    messages.extend(last);
    for line in &messages {
        let info = line.strip_prefix("MESSAGE ").and_then(goren_protocol::SearchInfo::parse);
        assert!(info.is_some_and(|info| info.depth > 0 && !info.pv.is_empty()), "{line}");
    }
    engine.end();
}

#[test]
fn reports_do_not_flood() {
    let mut engine = Engine::launch();
    engine.send("INFO timeout_turn 1000\nSTART 15");
    engine.expect("OK");
    engine.send("BOARD\n7,7,2\n8,2,1\n9,9,2\nDONE");
    let mut reports = 0;
    while engine.line().starts_with("MESSAGE ") {
        reports += 1;
    }
    assert!((1..=12).contains(&reports), "{reports}");
    engine.end();
}
