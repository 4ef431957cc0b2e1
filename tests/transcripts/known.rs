//! What is known without a search is told all the same, with a clock as with
//! nodes; and it is not taken for the score of a search.

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

/// The last report of a search, and the answer.
fn reported(engine: &mut Engine, lines: &str) -> (Option<SearchInfo>, String, Duration) {
    let asked = Instant::now();
    let (reported, answer) = engine.talk(lines);
    let mut reports =
        reported.iter().filter_map(|line| SearchInfo::parse(line.strip_prefix("MESSAGE ")?));
    (reports.next_back(), answer, asked.elapsed())
}

/// Black's row of four, six and seven, no white stone near.
const OPEN_THREE: &str = "4,7,1 0,0,2 6,7,1 14,0,2 7,7,1 0,14,2";
/// A four of Black's with an open end, Black to move.
const FOUR: &str = "4,7,1 3,7,2 5,7,1 0,0,2 6,7,1 0,14,2 7,7,1 14,14,2";
/// The same of White's.
const FORCED: &str = "3,7,1 4,7,2 0,0,1 5,7,2 0,14,1 6,7,2 14,14,1 7,7,2";
/// An open four of White's.
const LOST: &str = "0,0,1 4,7,2 14,0,1 5,7,2 0,14,1 6,7,2 14,14,1 7,7,2";

#[test]
fn a_proven_result_is_told_with_its_moves_whatever_asks() {
    for (stones, eval, length) in
        [(OPEN_THREE, Eval::Win(3), 3), (FOUR, Eval::Win(1), 1), (LOST, Eval::Loss(2), 2)]
    {
        let mut engine = clocked();
        // The newest stone alone, as the opponent's.
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
            let (report, answer, _) = reported(&mut engine, &ask);
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
fn the_block_has_it_too() {
    let mut engine = clocked();
    engine.reads_block = true;
    engine.send("INFO show_detail 2");
    let (reported, answer) = engine.talk(&format!("{}\nyxnbest 1", shown(OPEN_THREE)));
    for line in ["INFO EVAL +M3", "INFO WINRATE 1.0000", "INFO PV DONE"] {
        assert!(reported.iter().any(|other| other == line), "{reported:?}");
    }
    let best = reported.iter().find(|line| line.starts_with("INFO BESTLINE ")).unwrap();
    assert!(best.starts_with(&format!("INFO BESTLINE {answer} ")), "{best}");
    engine.end();
}

#[test]
fn a_forced_reply_costs_no_time_and_says_what_is_known() {
    let mut engine = clocked();
    engine.send("INFO timeout_turn 20000");
    let list = FORCED.replace(' ', "\n");
    for ask in [format!("board\n{list}\ndone"), format!("{}\nyxnbest 1", shown(FORCED))] {
        let (mut best, mut reports) = (Duration::MAX, 0);
        // The best of a few, as the machine may be busy: what is known is looked for
        // in 2 ms, and not told if that is too short.
        for _ in 0..5 {
            let (report, answer, took) = reported(&mut engine, &ask);
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

/// What is said of a balance, and the stones.
fn balanced(
    engine: &mut Engine,
    stones: &str,
    command: &str,
) -> (Vec<String>, Vec<(usize, usize)>) {
    let (reported, answer) = engine.talk(&format!("{}\n{command}", shown(stones)));
    let said = reported.into_iter().filter(|line| line.starts_with("MESSAGE balance: ")).collect();
    (said, answer.split(' ').map(point).collect())
}

#[test]
fn a_stone_after_which_the_enemy_wins_is_not_called_level() {
    let mut engine = clocked();
    // The proof takes a second of an idle processor.
    engine.send("INFO timeout_turn 5000");
    // White makes five on 7,7 unless Black's stone is there.
    let four = "2,7,1 3,7,2 0,0,1 4,7,2 0,2,1 5,7,2 0,4,1 6,7,2";
    let (said, stones) = balanced(&mut engine, four, "yxbalanceone 0");
    assert_eq!(stones, [(7, 7)], "{said:?}");
    assert!(said.len() == 2 && said[1].contains("no stone is level"), "{said:?}");
    assert!(said[1].contains("H8") && said[1].contains("-M"), "{said:?}");
    // A column of four of White's, stopped below; Black wins by stopping it above.
    let column = "7,7,1 6,9,2 5,9,1 6,10,2 5,6,1 6,11,2 7,9,1 6,12,2 6,13,1 0,14,2";
    let (said, stones) = balanced(&mut engine, column, "yxbalanceone 0");
    assert_eq!(stones, [(6, 8)], "{said:?}");
    assert!(said[1].contains("no stone is level") && said[1].contains("+M"), "{said:?}");
    // An open four of White's: nothing holds.
    let (said, stones) = balanced(&mut engine, LOST, "yxbalanceone 0");
    assert_eq!(stones.len(), 1);
    assert!(said[1].contains("no stone is level") && said[1].contains("-M"), "{said:?}");
    engine.end();
}

#[test]
fn what_is_called_level_is_not_decided() {
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
        // Nodes and not time: how far a search comes must not depend on the machine.
        engine.send("INFO timeout_turn 60000\nINFO max_node 200000");
        let (said, placed) = balanced(&mut engine, stones, command);
        let level = said.len() == 1;
        levels += usize::from(level);
        assert!(level || said[1].contains(" level: "), "{said:?}");
        assert_eq!(placed.len(), if command.starts_with("yxbalancetwo") { 2 } else { 1 });
        // The position after them, searched no longer than the verification of the best.
        engine.send("INFO max_node 10000");
        let (report, ..) = reported(&mut engine, "yxnbest 1");
        let proven = report.is_some_and(|report| !matches!(report.eval, Eval::Score(_)));
        assert!(!level || !proven, "{stones} {command}: {said:?}");
    }
    assert!(levels > 0, "nothing was called level");
    engine.end();
}
