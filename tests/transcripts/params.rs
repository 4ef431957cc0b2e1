//! Search parameters, set by `INFO params NAME VALUE ...`.

use goren_engine::Params;

use crate::engine::{Engine, ms, untimed};

const POSITION: &str = "BOARD\n7,7,2\n8,8,1\n9,7,2\nDONE";
const REPLY: &str = "TURN 4,9";
/// Parameters that make quite another search.
const OTHER: &str = "quiescence_plies 4 lmp_base 1500 lmr_base 2048";

/// An engine that searches to the same depth whatever its parameters.
fn started() -> Engine {
    let mut engine = Engine::launch();
    engine.send("INFO max_depth 6\nINFO timeout_turn 60000\nSTART 15");
    engine.expect("OK");
    engine
}

/// The last report of a search and the move it led to.
fn search(engine: &mut Engine, command: &str) -> [String; 2] {
    engine.send(command);
    let mut report = String::new();
    loop {
        let line = engine.line();
        if !line.starts_with("MESSAGE ") {
            assert!(line.contains(','), "no move: {line}");
            return [untimed(&report), line];
        }
        report = line;
    }
}

/// Searches without anything left from earlier searches.
fn fresh_search(engine: &mut Engine) -> [String; 2] {
    engine.send("yxhashclear");
    search(engine, POSITION)
}

/// All parameters with their default values.
fn defaults() -> String {
    let words = Params::SPECS.iter().map(|spec| format!("{} {}", spec.name, spec.default));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn params_change_the_searches_that_follow() {
    let mut engine = started();
    let before = fresh_search(&mut engine);
    assert_eq!(fresh_search(&mut engine), before);
    engine.send(&format!("INFO params {OTHER}"));
    engine.quiet();
    let after = fresh_search(&mut engine);
    assert_ne!(after, before);
    // A new game keeps them, like other settings.
    engine.send("RESTART");
    engine.expect("OK");
    assert_eq!(fresh_search(&mut engine), after);
    engine.send("START 15");
    engine.expect("OK");
    assert_eq!(fresh_search(&mut engine), after);
    // Parameters that are not named stay: setting them one by one gives the same.
    engine.send(&format!("info PARAMS  {}", defaults()));
    for pair in ["quiescence_plies 4", "lmp_base\t1500", "lmr_base   2048 "] {
        engine.send(&format!("INFO params {pair}"));
    }
    engine.quiet();
    assert_eq!(fresh_search(&mut engine), after);
    engine.send(&format!("INFO params {}", defaults()));
    engine.quiet();
    assert_eq!(fresh_search(&mut engine), before);
    engine.end();
}

#[test]
fn params_may_come_before_the_game_and_during_a_search() {
    let mut engine = started();
    let before = fresh_search(&mut engine);
    engine.send(&format!("INFO params {OTHER}"));
    let expected = fresh_search(&mut engine);
    assert_ne!(expected, before);
    engine.end();

    let mut engine = Engine::launch();
    engine.send(&format!("INFO params {OTHER}\nINFO max_depth 6\nINFO timeout_turn 60000"));
    engine.send("START 15");
    engine.expect("OK");
    assert_eq!(fresh_search(&mut engine), expected);

    engine.send(&format!("INFO params {}\nINFO max_depth 0", defaults()));
    engine.send(POSITION);
    engine.silent_for(ms(50));
    engine.send(&format!("INFO params {OTHER}\nSTOP"));
    engine.mv();
    engine.send("INFO max_depth 6");
    assert_eq!(fresh_search(&mut engine), expected);
    engine.end();
}

#[test]
fn a_bad_list_is_reported_in_one_message_and_changes_nothing() {
    let no_such = "there is no parameter";
    let depth = "razor_depth must be a whole number from 0 to 20";
    let plies = "quiescence_plies must be a whole number from 4 to 100";
    let bad = [
        ("nosuch 3", format!("{no_such} \"nosuch\"")),
        ("nosuch", format!("{no_such} \"nosuch\"")),
        ("7", format!("{no_such} \"7\"")),
        ("Razor_depth 7", format!("{no_such} \"Razor_depth\"")),
        ("razor_depth=7", format!("{no_such} \"razor_depth=7\"")),
        ("razor_depth 21", depth.to_owned()),
        ("razor_depth -1", depth.to_owned()),
        ("razor_depth 7.5", depth.to_owned()),
        ("razor_depth seven", depth.to_owned()),
        ("razor_depth 99999999999999999999", depth.to_owned()),
        // Valid pairs in a bad list are not used either.
        ("quiescence_plies 100 razor_depth", depth.to_owned()),
        ("quiescence_plies", plies.to_owned()),
        ("quiescence_plies 100 razor_depth 21", depth.to_owned()),
        ("lmp_base 100 quiescence_plies 3 razor_depth 7", plies.to_owned()),
        ("lmp_base 100 nosuch 1", format!("{no_such} \"nosuch\"")),
    ];
    // The same game with bad lists and without any.
    let game = |bad: &[(&str, String)]| {
        let mut engine = started();
        let send_bad = |engine: &mut Engine| {
            for (list, reason) in bad {
                engine.send(&format!("INFO params {list}"));
                engine.expect(&format!("MESSAGE params not used: {reason}"));
                engine.quiet();
            }
        };
        send_bad(&mut engine);
        engine.send(&format!("INFO params {OTHER}"));
        send_bad(&mut engine);
        let first = search(&mut engine, POSITION);
        send_bad(&mut engine);
        // An empty list changes nothing.
        engine.send("INFO params");
        engine.quiet();
        let second = search(&mut engine, REPLY);
        engine.end();
        [first, second]
    };
    assert_eq!(game(&bad), game(&[]));
}

#[test]
fn a_bad_list_during_a_search_leaves_it_alone() {
    let mut engine = Engine::launch();
    engine.send("INFO timeout_turn 30000\nSTART 15");
    engine.expect("OK");
    engine.send(POSITION);
    engine.silent_for(ms(50));
    engine.send("INFO params quiescence_plies");
    let is_refusal =
        |line: &str| line.starts_with("MESSAGE params not used: quiescence_plies must be ");
    while !is_refusal(&engine.line()) {}
    engine.silent_for(ms(50));
    engine.ask("STOP");
    engine.quiet();
    engine.end();
}
