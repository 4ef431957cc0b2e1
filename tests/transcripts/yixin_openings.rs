//! Swap2 and Soosorv-8 in the dialect of the Yixin-Boards.

use crate::engine::{Engine, ms};

fn board(rule: u32) -> Engine {
    let mut engine = Engine::launch();
    engine.send("info show_detail 1\nyxshowinfo\nSTART 15\nINFO max_node 60000");
    engine.line();
    engine.line();
    engine.expect("OK");
    engine.send(&format!(
        "INFO max_depth 225\nINFO timeout_turn 2000000\nINFO timeout_match 100000000\n\
                          INFO time_left 100000000\nINFO rule {rule}"
    ));
    engine
}

/// Sends lines. Returns the messages about the opening, without its name.
fn step(engine: &mut Engine, lines: &str, name: &str) -> Vec<String> {
    let messages = engine.messages(lines);
    let prefix = format!("MESSAGE {name} ");
    messages.iter().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
}

/// The cell of a line such as `MOVE1 7 8`.
fn cell(line: &str, word: &str) -> (usize, usize) {
    let mut words = line.split(' ');
    assert_eq!(words.next(), Some(word), "{line}");
    let mut number = || words.next().unwrap().parse::<usize>().unwrap();
    let cell = (number(), number());
    assert!(cell.0 < 15 && cell.1 < 15, "{line}");
    cell
}

#[test]
fn swap2() {
    let mut engine = board(0);
    let moves = step(&mut engine, "yxswap2step1", "SWAP2");
    assert_eq!(moves.len(), 3, "{moves:?}");
    let words = ["MOVE1", "MOVE2", "MOVE3"];
    let stones: Vec<_> = moves.iter().zip(words).map(|(line, word)| cell(line, word)).collect();
    assert!(stones[0] != stones[1] && stones[1] != stones[2] && stones[0] != stones[2]);
    // Three against nothing near: Black is taken.
    engine.send("INFO time_left 99000000\nstart 15\nyxboard\n7,7,2\n0,0,1\n8,8,2\ndone");
    engine.expect("OK");
    assert_eq!(step(&mut engine, "yxswap2step2", "SWAP2"), ["SWAP1 YES"]);
    // Black's stones are poor: White stays.
    engine.send("start 15\nyxboard\n0,0,2\n7,7,1\n14,14,2\ndone");
    engine.expect("OK");
    assert_eq!(step(&mut engine, "yxswap2step2", "SWAP2"), ["SWAP1 NO"]);
    engine.send("start 15\nyxboard\n7,7,2\n0,0,1\n8,8,2\n14,0,1\n7,8,2\ndone");
    engine.expect("OK");
    assert_eq!(step(&mut engine, "yxswap2step3", "SWAP2"), ["SWAP2 YES"]);
    engine.send("start 15\nyxboard\n0,0,2\n7,7,1\n14,0,2\n8,8,1\n14,14,2\ndone");
    engine.expect("OK");
    assert_eq!(step(&mut engine, "yxswap2step3", "SWAP2"), ["SWAP2 NO"]);
    // A step that does not fit the stones; then the game continues.
    engine.send("yxswap2step2");
    engine.error();
    engine.send("start 15\nboard\n7,7,2\n0,0,1\n8,8,2\ndone");
    engine.expect("OK");
    engine.mv();
    engine.end();
}

#[test]
fn soosorv() {
    let mut engine = board(2);
    let moves = step(&mut engine, "yxsoosorvstep1", "SOOSORV");
    let words = ["MOVE1", "MOVE2", "MOVE3"];
    let stones: Vec<_> = moves.iter().zip(words).map(|(line, word)| cell(line, word)).collect();
    assert_eq!(stones.len(), 3, "{moves:?}");
    assert_eq!(stones[0], (7, 7));
    let three: String = stones.iter().map(|(row, column)| format!("{row},{column}\n")).collect();
    let swap = step(&mut engine, &format!("yxsoosorvstep2\n{three}done"), "SOOSORV");
    assert!(["SWAP1 Y", "SWAP1 N"].contains(&swap[0].as_str()) && swap.len() == 1, "{swap:?}");
    let fourth = step(&mut engine, &format!("yxsoosorvstep3\n{three}done"), "SOOSORV");
    assert_eq!(fourth.len(), 1, "{fourth:?}");
    let at = cell(&fourth[0], "MOVE4");
    let offers: usize = fourth[0].rsplit(' ').next().unwrap().parse().unwrap();
    assert!((1..=8).contains(&offers) && !stones.contains(&at));
    let four = format!("{three}{},{}\n", at.0, at.1);
    let swap = step(&mut engine, &format!("yxsoosorvstep4 {offers}\n{four}done"), "SOOSORV");
    assert!(["SWAP2 Y", "SWAP2 N"].contains(&swap[0].as_str()) && swap.len() == 1, "{swap:?}");
    let offered = step(&mut engine, &format!("yxsoosorvstep5 {offers}\n{four}done"), "SOOSORV");
    assert_eq!(offered.first().unwrap(), "MOVE5 REFRESH");
    assert_eq!(offered.last().unwrap(), "MOVE5 DONE");
    let fifths: Vec<_> = offered[1..=offers].iter().map(|line| cell(line, "MOVE5")).collect();
    assert_eq!(offered.len(), offers + 2);
    let all: String = fifths.iter().map(|(row, column)| format!("{row},{column}\n")).collect();
    let choice = step(&mut engine, &format!("yxsoosorvstep6\n{four}{all}done"), "SOOSORV");
    assert_eq!(choice.len(), 1);
    assert!(fifths.contains(&cell(&choice[0], "MOVE5C")), "{choice:?}");
    for wrong in [
        "yxsoosorvstep2\n7,7\n8,8\ndone",
        "yxsoosorvstep2\n0,0\n8,8\n9,9\ndone",
        "yxsoosorvstep2\n7,7\n8,8\n99,9\ndone",
        "yxsoosorvstep5 0\n7,7\n8,8\n9,9\n6,6\ndone",
        "yxsoosorvstep6\ndone",
    ] {
        engine.send(wrong);
        engine.error();
    }
    engine.quiet();
    engine.end();
}

#[test]
fn a_step_without_limits_ends_and_can_be_stopped() {
    let mut engine = board(0);
    engine.send("INFO max_node -1\nyxswap2step1\nyxstop");
    let messages = engine.messages("");
    assert_eq!(messages.iter().filter(|line| line.starts_with("MESSAGE SWAP2 MOVE")).count(), 3);
    engine.end();
}

#[test]
fn showing_the_position_does_not_cut_a_step_short() {
    let mut engine = board(2);
    let choose = "yxsoosorvstep6\n7,7\n7,8\n8,8\n6,6\n9,9\n0,0\ndone";
    let alone = step(&mut engine, choose, "SOOSORV");
    // The last point: a step cut short would know only the first.
    assert_eq!(alone, ["MOVE5C 0 0"]);
    // As the boards do on every click, right after the step.
    let shown = "start 15\nyxboard\n7,7,2\n7,8,1\n8,8,2\n6,6,1\n9,9,2\n0,0,1\ndone\nyxshowforbid";
    let (messages, ok) = engine.talk(&format!("{choose}\n{shown}"));
    let line = format!("MESSAGE SOOSORV {}", alone[0]);
    assert!(ok == "OK" && messages.contains(&line), "{messages:?}");
    engine.expect("FORBID .");
    engine.end();
}

#[test]
fn a_new_game_that_begins_with_our_opening_ends_a_search_without_limits() {
    for (rule, first, name) in [(0, "yxswap2step1", "SWAP2"), (2, "yxsoosorvstep1", "SOOSORV")] {
        let mut engine = board(rule);
        engine.send("INFO max_node -1\nboard\n7,7,2\n8,8,1\n9,8,2\ndone");
        engine.silent_for(ms(100));
        // The board discards one move before the opening.
        engine.send(&format!("INFO max_node 60000\n{first}"));
        engine.mv();
        let messages = engine.messages("");
        let prefix = format!("MESSAGE {name} MOVE");
        assert_eq!(
            messages.iter().filter(|line| line.starts_with(&prefix)).count(),
            3,
            "{messages:?}"
        );
        engine.end();
    }
}

#[test]
fn results_for_another_position_are_not_reported() {
    let mut engine = board(2);
    engine.send("INFO max_node -1\nyxsoosorvstep3\n7,7\n7,8\n8,8\ndone");
    engine.silent_for(ms(100));
    // A stone was taken back.
    let (messages, ok) = engine.talk("start 15\nyxboard\n7,7,2\n7,8,1\ndone");
    assert!(ok == "OK" && !messages.iter().any(|line| line.contains("MOVE4")), "{messages:?}");
    engine.send("yxsoosorvstep3\n7,7\n7,8\n8,8\ndone");
    engine.silent_for(ms(100));
    // A new game began.
    let messages = engine.messages("INFO max_node 60000\nyxsoosorvstep1");
    let moves: Vec<_> = messages.iter().filter(|line| line.contains("SOOSORV ")).collect();
    assert_eq!(moves.len(), 3, "{messages:?}");
    assert!(moves[0].contains("MOVE1"), "{messages:?}");
    engine.end();
}

/// The engine once placed the best first stone, which the opponent took.
#[test]
fn a_first_stone_that_may_be_taken_is_level() {
    let edge = |(x, y): (usize, usize)| x.min(14 - x).min(y).min(14 - y);
    for asked in ["yxboard\ndone\nyxnbest 1", "begin"] {
        let mut engine = board(5);
        let free = {
            let mut engine = board(0);
            let at = engine.ask(asked);
            engine.end();
            at
        };
        let offered = engine.ask(asked);
        assert!(edge(offered) < edge(free), "{asked}: {offered:?}, {free:?}");
        engine.end();
    }
}
