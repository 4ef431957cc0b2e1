//! Scripts that write their commands into a pipe and close it.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, ms, point};

/// Maximum time for all answers: five seconds for the running search, as long again
/// for those that wait, and some more on a loaded machine.
const LATEST: Duration = Duration::from_secs(16);

/// The answers to a script, without messages, and the time they take.
fn answers(script: &str) -> (Vec<String>, Duration) {
    let begun = Instant::now();
    let mut lines = Engine::launch().script(script);
    lines.retain(|line| !line.starts_with("MESSAGE ") && !line.starts_with("INFO "));
    (lines, begun.elapsed())
}

/// Reads lines that must be moves, or pairs of moves.
fn moves(lines: &[String]) -> Vec<(usize, usize)> {
    lines.iter().flat_map(|line| line.split(' ')).map(point).collect()
}

const QUIET: &str = "BOARD\n7,7,2\n8,2,1\n9,9,2\nDONE\n";

#[test]
fn a_search_keeps_its_time_after_the_end_of_input() {
    for (infos, least) in
        [("INFO timeout_turn 700\nINFO max_memory 0\n", 250), ("INFO max_node 900\n", 0)]
    {
        let (lines, took) = answers(&format!("{infos}START 15\n{QUIET}"));
        assert_eq!((lines.len(), &lines[0][..]), (2, "OK"), "{lines:?}");
        moves(&lines[1..]);
        assert!(took >= ms(least) && took < LATEST, "{took:?}");
    }
    // As in the question that started it.
    let (lines, _) = answers("START 15\nINFO timeout_turn 300\nBEGIN\n");
    assert_eq!((lines.len(), moves(&lines[1..]).len()), (2, 1));
}

#[test]
fn a_search_without_limits_has_five_seconds() {
    let begins = [
        "INFO timeout_turn 600000\n",
        "INFO show_detail 2\nINFO timeout_turn 2000000\nINFO timeout_match 100000000\nINFO time_left 100000000\n",
    ];
    let asks = [QUIET, "YXBOARD 7,7,1 8,8,2 DONE\nYXNBEST 3\n"];
    let play = |(begin, ask): (&str, &str)| answers(&format!("{begin}START 15\n{ask}"));
    thread::scope(|scope| {
        let run = begins.into_iter().zip(asks).map(|pair| scope.spawn(move || play(pair)));
        for handle in run.collect::<Vec<_>>() {
            let (lines, took) = handle.join().unwrap();
            assert_eq!((lines.len(), moves(&lines[1..]).len()), (2, 1), "{lines:?}");
            assert!(took > ms(3_500) && took < LATEST, "{took:?}");
        }
    });
}

#[test]
fn waiting_commands_are_answered_in_order() {
    let (lines, took) = answers(&format!(
        "INFO max_node 2000\nSTART 15\n{QUIET}TURN 0,0\nABOUT\nNONSENSE\nTURN 99,99\nTURN 14,14\n"
    ));
    assert_eq!((lines.len(), &lines[0][..]), (7, "OK"), "{lines:?}");
    moves(&[lines[1].clone(), lines[2].clone(), lines[6].clone()]);
    assert!(lines[3].starts_with("name="));
    assert_eq!(lines[4..6], ["UNKNOWN NONSENSE", "ERROR 99,99 is outside the board"]);
    assert!(took < LATEST, "{took:?}");
}

#[test]
fn waiting_searches_share_five_more_seconds() {
    // Nothing is decided so early.
    let early = "BOARD\n9,9,2\nDONE\n".repeat(3);
    let (lines, took) =
        answers(&format!("INFO timeout_turn 600000\nINFO rule 1\nSTART 20\n{early}"));
    assert_eq!((lines.len(), moves(&lines[1..]).len()), (4, 3), "{lines:?}");
    assert!(took > ms(7_000) && took < LATEST, "{took:?}");
}

#[test]
fn a_search_that_waited_has_its_own_time() {
    // The first search takes its whole time; by the clock of a manager nothing would
    // be left for the second.
    let script = format!("START 15\nINFO timeout_turn 900\n{QUIET}{QUIET}");
    let lines = Engine::launch().script(&script);
    let last: Vec<&String> = lines.iter().rev().skip(1).take(1).collect();
    let (_, took) = last[0].split_once(" tm ").unwrap_or_else(|| panic!("{lines:?}"));
    let took: u64 = took.split(' ').next().unwrap().parse().unwrap();
    assert!(took > 150, "{lines:?}");
}

#[test]
fn every_command_that_asks_for_a_move_is_answered() {
    let shown = "yxboard 7,7,1 8,8,2 9,7,1 done\n";
    for (ask, answer) in [
        ("SWAP2BOARD\nDONE", 3),
        ("SWAP2BOARD\n7,7\n8,7\n9,9\nDONE", 1),
        (&format!("{shown}yxnbest 2"), 1),
        (&format!("{shown}yxsearchdefend"), 1),
        (&format!("{shown}yxbalanceone 0"), 1),
        (&format!("{shown}yxbalancetwo 0"), 2),
    ] {
        for waits in [false, true] {
            let first = if waits { QUIET } else { "" };
            let (lines, took) = answers(&format!("INFO max_node 3000\nSTART 15\n{first}{ask}\n"));
            assert_eq!(lines.len(), 2 + usize::from(waits), "{ask}: {lines:?}");
            let last = &lines[lines.len() - 1];
            assert!(last == "SWAP" || last.split(' ').map(point).count() == answer, "{last}");
            assert!(took < LATEST, "{ask}: {took:?}");
        }
    }
    // Opening steps and named games have answers of other forms.
    let messages = Engine::launch().script("INFO max_node 3000\nSTART 15\nyxswap2step1\n");
    assert_eq!(messages.iter().filter(|line| line.starts_with("MESSAGE SWAP2 MOVE")).count(), 3);
    let (lines, _) =
        answers("INFO variant connect6\nINFO max_node 500\nSTART 19\nPLIES j10\nTURN 0,0 1,1\n");
    assert_eq!((lines.len(), moves(&lines[1..]).len()), (3, 4), "{lines:?}");
}

#[test]
fn only_a_stop_cuts_a_search_short() {
    let depths = |script: &str| -> Vec<u32> {
        let lines = Engine::launch().script(script);
        let depth = |line: &String| {
            line.strip_prefix("MESSAGE depth ")?.split('-').next()?.parse::<u32>().ok()
        };
        let mut searches: Vec<u32> = vec![0];
        for line in &lines {
            match depth(line) {
                Some(depth) => *searches.last_mut().unwrap() = depth,
                None if line.contains(',') && !line.starts_with("MESSAGE") => searches.push(0),
                None => {}
            }
        }
        searches
    };
    let begin = format!("INFO timeout_turn 1500\nSTART 15\n{QUIET}");
    // A new game would end the search before it if the client were still there.
    let whole = depths(&format!("{begin}TURN 0,0\nRESTART\n{QUIET}"));
    assert!(whole.len() == 4 && whole[1] >= 5 && whole[2] >= 5, "{whole:?}");
    let begun = Instant::now();
    let stopped = depths(&format!("{}TURN 0,0\nSTOP\n", begin.replace("1500", "600000")));
    assert_eq!(stopped.len(), 3);
    assert!(begun.elapsed() < ms(4_500), "{:?}", begun.elapsed());
}

#[test]
fn end_is_obeyed_at_once_at_any_place() {
    let begin = format!("INFO timeout_turn 600000\nSTART 15\n{QUIET}");
    for end in ["END\n", "TURN 0,0\nEND", "ABOUT\nend\n"] {
        let (lines, took) = answers(&format!("{begin}{end}"));
        assert_eq!(lines, ["OK"]);
        assert!(took < ms(3_000), "{took:?}");
    }
}

#[test]
fn a_last_line_without_a_line_end_is_read() {
    let (lines, _) = answers("INFO max_node 500\nSTART 15\nBEGIN");
    assert_eq!((lines.len(), moves(&lines[1..]).len()), (2, 1));
}

/// A truncated list is no position: the engine reports it and plays nothing.
#[test]
fn a_truncated_list_is_an_error() {
    let start = "INFO max_node 500\nSTART 15\n";
    for (cut, error) in [
        ("BOARD\n7,7,2\n", "ERROR BOARD: list without DONE"),
        ("BOARD\n7,7,2\n8,", "ERROR BOARD: list without DONE"),
        ("SWAP2BOARD\n7,7", "ERROR SWAP2BOARD: list without DONE"),
        ("yxboard\n7,7,1", "ERROR YXBOARD: list without DONE"),
        ("yxhashload\n", "ERROR YXHASHLOAD: no path on the next line"),
    ] {
        let (lines, _) = answers(&format!("{start}{cut}"));
        assert_eq!(lines, ["OK", error]);
        let (lines, _) = answers(&format!("{start}{QUIET}{cut}"));
        assert_eq!((lines.len(), &lines[2][..]), (3, error), "{lines:?}");
    }
}

#[test]
fn without_a_command_to_answer_the_engine_exits_at_once() {
    for script in ["", "START 15\n", "START 15\nyxboard\n7,7,1\ndone\n", "TURN 7,7"] {
        let (lines, took) = answers(script);
        assert!(lines.len() <= 1 && took < ms(3_000), "{script}: {lines:?} {took:?}");
    }
    // Pondering is no command to answer.
    let mut engine = Engine::started(15);
    engine.send("INFO max_node 0\nINFO pondering 1\nINFO timeout_turn 200");
    engine.ask(QUIET.trim_end());
    let begun = Instant::now();
    assert_eq!(engine.script(""), Vec::<String>::new());
    assert!(begun.elapsed() < ms(3_000));
}

/// A client that closes both pipes is gone.
#[cfg(unix)]
#[test]
fn a_client_that_is_gone_gets_no_answer() {
    use std::io::{BufRead, BufReader, Write};

    for queue in ["", "TURN 0,0\nTURN 1,1\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-goren"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let script = format!("INFO timeout_turn 600000\nSTART 15\n{QUIET}{queue}");
        stdin.write_all(script.as_bytes()).unwrap();
        let mut stdout = BufReader::new(stdout);
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        // The search is deep enough then to report seldom.
        thread::sleep(ms(700));
        let begun = Instant::now();
        drop((stdin, stdout));
        assert!(child.wait().unwrap().success());
        assert!(begun.elapsed() < ms(2_500), "{:?}", begun.elapsed());
    }
}

/// If output and errors share a pipe, a manager would take the warning for an answer.
#[test]
fn an_unknown_argument_is_reported_only_to_terminals() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-goren"));
    command.arg("foo").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(b"START 15\nEND\n").unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "OK\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
