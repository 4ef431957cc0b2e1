//! The swap2 dialogue.

use std::time::Instant;

use crate::engine::{Engine, LATE, ms, point};

#[test]
fn three_stones_open_the_game() {
    for rule in [0, 1, 4, 8] {
        let mut engine = Engine::started(15);
        engine.send(&format!("INFO rule {rule}\nSWAP2BOARD\nDONE"));
        let answer = engine.answer();
        let mut stones: Vec<_> = answer.split(' ').map(point).collect();
        assert_eq!(stones.len(), 3);
        assert!(stones.iter().all(|&(x, y)| x < 15 && y < 15));
        stones.sort_unstable();
        stones.dedup();
        assert_eq!(stones.len(), 3, "{answer}");
        engine.quiet();
        // BOARD sets the position, whatever the engine answered before.
        engine.ask("BOARD\n7,7,2\n8,7,1\n9,9,2\nDONE");
        engine.end();
    }
}

#[test]
fn after_three_or_five_stones_the_better_colour_is_taken() {
    // Three stones against one, with nothing in the way: nobody stays White.
    let mut engine = Engine::started(15);
    engine.send("INFO max_node 20000");
    engine.send("SWAP2BOARD\n7,7\n0,0\n8,8\n14,0\n7,8\nDONE");
    assert_eq!(engine.answer(), "SWAP");
    engine.quiet();
    // White has a three and the move.
    engine.send("SWAP2BOARD\n0,0\n7,7\n14,0\n8,8\n14,14\nDONE");
    let fourth = point(&engine.answer());
    assert!(fourth.0 < 15 && fourth.1 < 15);
    engine.send("SWAP2BOARD\n7,7\n8,7\n9,9\nDONE");
    let answer = engine.answer();
    if answer != "SWAP" {
        assert!(![(7, 7), (8, 7), (9, 9)].contains(&point(&answer)));
    }
    engine.quiet();
    engine.end();
}

#[test]
fn wrong_openings_are_errors() {
    let mut engine = Engine::started(15);
    for list in ["7,7", "7,7\n8,8", "7,7\n8,8\n7,7", "7,7\n8,8\n15,1", "x", "1,1\n2,2\n3,3\n4,4"] {
        engine.send(&format!("SWAP2BOARD\n{list}\nDONE"));
        engine.error();
    }
    // The last list was no position.
    engine.send("TURN 7,7");
    assert!(engine.error().contains("refused"));
    engine.send("SWAP2BOARD\nDONE");
    assert_eq!(engine.answer().split(' ').count(), 3);
    engine.ask("BOARD\n7,7,2\nDONE");
    engine.end();
}

#[test]
fn an_opening_keeps_its_time_and_can_be_stopped() {
    let mut engine = Engine::launch();
    engine.send("INFO timeout_turn 1000\nSTART 15");
    engine.expect("OK");
    // One of a few is in time, as the machine may be busy.
    let in_time = (0..3).any(|_| {
        let asked = Instant::now();
        engine.send("SWAP2BOARD\nDONE");
        assert_eq!(engine.answer().split(' ').count(), 3);
        asked.elapsed() < ms(1_000)
    });
    assert!(in_time, "all took longer");
    engine.send("INFO timeout_turn 30000\nSWAP2BOARD\nDONE");
    engine.silent_for(ms(100));
    let asked = Instant::now();
    engine.send("STOP");
    assert_eq!(engine.answer().split(' ').count(), 3);
    assert!(asked.elapsed() < LATE);
    engine.send("SWAP2BOARD\nDONE");
    engine.silent_for(ms(100));
    engine.send("INFO timeout_turn 0");
    assert_eq!(engine.answer().split(' ').count(), 3);
    engine.quiet();
    engine.end();
}

#[test]
fn a_game_may_go_on_by_turn_after_the_opening() {
    let mut engine = Engine::started(15);
    engine.send("SWAP2BOARD\n7,7\n0,0\n8,8\n14,0\n7,8\nDONE");
    assert_eq!(engine.answer(), "SWAP");
    engine.ask("TURN 9,9");
    engine.end();
}
