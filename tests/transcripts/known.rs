//! Results that are known without a search are reported too, under a clock as with a
//! node limit; and a balance does not take them for scores of a search.

use std::time::{Duration, Instant};

use goren_protocol::{Eval, SearchInfo};

use crate::engine::{Engine, ms, point};

/// An engine of five in a row, with a second for each move.
fn clocked() -> Engine {
    let mut engine = Engine::launch();
    engine.send("START 15\nINFO rule 0\nINFO timeout_turn 1000\nINFO timeout_match 0");
    engine.expect("OK");
    engine
}

fn shown(stones: &str) -> String {
    format!("yxboard\n{}\ndone", stones.replace(' ', "\n"))
}

/// The last report of a search, the answer, and the time it took.
fn search(engine: &mut Engine, lines: &str) -> (Option<SearchInfo>, String, Duration) {
    let asked = Instant::now();
    let (messages, answer) = engine.talk(lines);
    let mut reports =
        messages.iter().filter_map(|line| SearchInfo::parse(line.strip_prefix("MESSAGE ")?));
    (reports.next_back(), answer, asked.elapsed())
}

/// Black's stones in columns 4, 6 and 7 of a row, no white stone near.
const OPEN_THREE: &str = "4,7,1 0,0,2 6,7,1 14,0,2 7,7,1 0,14,2";
/// A four of Black's with an open end, Black to move.
const FOUR: &str = "4,7,1 3,7,2 5,7,1 0,0,2 6,7,1 0,14,2 7,7,1 14,14,2";
/// A four of White's with an open end, Black to move.
const FORCED: &str = "3,7,1 4,7,2 0,0,1 5,7,2 0,14,1 6,7,2 14,14,1 7,7,2";
/// An open four of White's.
const LOST: &str = "0,0,1 4,7,2 14,0,1 5,7,2 0,14,1 6,7,2 14,14,1 7,7,2";

#[test]
fn a_proven_result_is_reported_with_its_pv_by_every_command() {
    for (stones, eval, length) in
        [(OPEN_THREE, Eval::Win(3), 3), (FOUR, Eval::Win(1), 1), (LOST, Eval::Loss(2), 2)]
    {
        let mut engine = clocked();
        // TURN sends the newest stone alone, as the opponent's.
        let (before, last) = stones.rsplit_once(' ').unwrap();
        let turn = |stone: &str| match stone.rsplit_once(',').unwrap() {
            (at, "1") => format!("{at},2"),
            (at, _) => format!("{at},1"),
        };
        let turned = before.split(' ').map(turn).collect::<Vec<_>>().join(" ");
        let turn = format!("{}\nturn {}", shown(&turned), last.strip_suffix(",2").unwrap());
        let list = stones.replace(' ', "\n");
        for ask in [
            format!("{}\nyxnbest 1", shown(stones)),
            format!("board\n{list}\ndone"),
            turn,
            format!("INFO max_node 500\n{}\nyxnbest 1", shown(stones)),
        ] {
            let (report, answer, _) = search(&mut engine, &ask);
            let report = report.unwrap_or_else(|| panic!("nothing is told: {ask}"));
            assert_eq!((report.eval, report.pv.len()), (eval, length), "{ask}: {report}");
            let (x, y) = point(&answer);
            let label = format!("{}{}", (b'A' + x as u8) as char, 15 - y);
            assert_eq!(report.pv[0], label, "{ask}: {report}");
        }
        engine.end();
    }
}

#[test]
fn the_info_block_has_the_proven_result_too() {
    let mut engine = clocked();
    engine.reads_block = true;
    engine.send("INFO show_detail 2");
    let (messages, answer) = engine.talk(&format!("{}\nyxnbest 1", shown(OPEN_THREE)));
    for line in ["INFO EVAL +M3", "INFO WINRATE 1.0000", "INFO PV DONE"] {
        assert!(messages.iter().any(|other| other == line), "{messages:?}");
    }
    let best = messages.iter().find(|line| line.starts_with("INFO BESTLINE ")).unwrap();
    assert!(best.starts_with(&format!("INFO BESTLINE {answer} ")), "{best}");
    engine.end();
}

#[test]
fn a_forced_reply_costs_no_time_and_reports_what_is_known() {
    let mut engine = clocked();
    engine.send("INFO timeout_turn 20000");
    let list = FORCED.replace(' ', "\n");
    for ask in [format!("board\n{list}\ndone"), format!("{}\nyxnbest 1", shown(FORCED))] {
        let (mut best, mut reports) = (Duration::MAX, 0);
        // The best of several, as the machine may be busy: the engine looks for a known
        // result for 2 ms, and reports none if that is too short.
        for _ in 0..5 {
            let (report, answer, took) = search(&mut engine, &ask);
            assert_eq!(answer, "8,7");
            assert!(report.as_ref().is_none_or(|report| report.pv[0] == "I8"), "{ask}");
            reports += usize::from(report.is_some());
            best = best.min(took);
        }
        assert!(reports > 0, "{ask}");
        assert!(best < ms(150), "{ask}: {best:?}");
    }
    engine.end();
}

/// The messages about a balance, and its stones.
fn balanced(
    engine: &mut Engine,
    stones: &str,
    command: &str,
) -> (Vec<String>, Vec<(usize, usize)>) {
    let (mut messages, answer) = engine.talk(&format!("{}\n{command}", shown(stones)));
    messages.retain(|line| line.starts_with("MESSAGE balance: "));
    (messages, answer.split(' ').map(point).collect())
}

#[test]
fn a_stone_after_which_the_opponent_wins_is_not_called_level() {
    let mut engine = clocked();
    // The proof takes a second of an idle processor.
    engine.send("INFO timeout_turn 5000");
    // White makes five on 7,7 unless Black's stone is there.
    let four = "2,7,1 3,7,2 0,0,1 4,7,2 0,2,1 5,7,2 0,4,1 6,7,2";
    let (messages, stones) = balanced(&mut engine, four, "yxbalanceone 0");
    assert_eq!(stones, [(7, 7)], "{messages:?}");
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[1].contains("no stone gives a level score"), "{messages:?}");
    assert!(messages[1].contains("H8") && messages[1].contains("-M"), "{messages:?}");
    // A column of four of White's, stopped below; Black wins by stopping it above.
    let column = "7,7,1 6,9,2 5,9,1 6,10,2 5,6,1 6,11,2 7,9,1 6,12,2 6,13,1 0,14,2";
    let (messages, stones) = balanced(&mut engine, column, "yxbalanceone 0");
    assert_eq!(stones, [(6, 8)], "{messages:?}");
    assert!(messages[1].contains("no stone gives a level score"), "{messages:?}");
    assert!(messages[1].contains("+M"), "{messages:?}");
    // An open four of White's: nothing holds.
    let (messages, stones) = balanced(&mut engine, LOST, "yxbalanceone 0");
    assert_eq!(stones.len(), 1);
    assert!(messages[1].contains("no stone gives a level score"), "{messages:?}");
    assert!(messages[1].contains("-M"), "{messages:?}");
    engine.end();
}

#[test]
fn positions_called_level_are_not_decided() {
    let mut engine = clocked();
    let open_three = "5,7,2 0,0,1 6,7,2 0,14,1 7,7,2 9,9,1";
    let quiet = "7,7,1 6,8,2 8,8,1 6,6,2";
    let mut levels = 0;
    for (stones, command) in [
        (quiet, "yxbalanceone 0"),
        (quiet, "yxbalancetwo 0"),
        (open_three, "yxbalanceone 0"),
        (open_three, "yxbalancetwo 0"),
    ] {
        // A limit of nodes, not time: the depth of a search must not depend on the machine.
        engine.send("INFO timeout_turn 60000\nINFO max_node 200000");
        let (messages, placed) = balanced(&mut engine, stones, command);
        let level = messages.len() == 1;
        levels += usize::from(level);
        assert!(level || messages[1].contains(" a level score: "), "{messages:?}");
        assert_eq!(placed.len(), if command.starts_with("yxbalancetwo") { 2 } else { 1 });
        // The position after the stones is searched no longer than the best were verified.
        engine.send("INFO max_node 10000");
        let (report, ..) = search(&mut engine, "yxnbest 1");
        let proven = report.is_some_and(|report| !matches!(report.eval, Eval::Score(_)));
        assert!(!level || !proven, "{stones} {command}: {messages:?}");
    }
    assert!(levels > 0, "nothing was called level");
    engine.end();
}
