//! Search commands of the Yixin-Boards besides a move, and the reports of a running
//! search that they show.

use std::time::Instant;

use goren_protocol::{Detail, Realtime, Reply};

use crate::engine::{Engine, LATE, ms, own_folder, point};

/// An open three of Black's, White to move.
const PRESSED: &str = "yxboard\n7,5,2\n0,0,1\n7,6,2\n0,14,1\n7,7,2\ndone";
/// A four of Black's with one open end, White to move: one move holds.
const FOUR: &str = "yxboard\n3,7,2\n2,7,1\n4,7,2\n4,6,1\n5,7,2\n5,8,1\n6,7,2\ndone";
/// A quiet position, Black to move.
const QUIET: &str = "yxboard\n7,7,1\n6,8,2\n8,8,1\n6,6,2\ndone";

/// An engine with a Yixin-Board as its client, which shows details at this level.
fn board(detail: u32, nodes: u64) -> Engine {
    let mut engine = Engine::launch();
    engine.reads_block = matches!(detail, 2 | 3);
    engine.send(&format!("info show_detail {detail}\nyxshowinfo\nSTART 15\nINFO max_node {nodes}"));
    assert_eq!(
        [engine.line(), engine.line()].map(|line| line.starts_with("MESSAGE INFO ")),
        [true; 2]
    );
    engine.expect("OK");
    engine
        .send("INFO timeout_match 100000000\nINFO time_left 100000000\nINFO timeout_turn 2000000");
    engine.send("INFO max_depth 225\nINFO rule 0");
    engine
}

fn details(messages: &[String]) -> Vec<Detail> {
    let read = |line: &String| match Reply::parse(line.as_bytes()) {
        Ok(Reply::Detail(detail)) => Some(detail),
        _ => None,
    };
    messages.iter().filter_map(read).collect()
}

fn marks(messages: &[String]) -> Vec<Realtime> {
    let read = |line: &String| match Reply::parse(line.as_bytes()) {
        Ok(Reply::Realtime(mark)) => Some(mark),
        _ => None,
    };
    messages.iter().filter_map(read).collect()
}

#[test]
fn show_detail_chooses_what_is_shown() {
    for detail in 0..=4 {
        let mut engine = board(detail, 20_000);
        let (messages, answer) = engine.talk("start 15\nboard\n7,7,1\n3,3,2\ndone");
        // The OK of START.
        assert!(messages.is_empty() && answer == "OK");
        let (messages, answer) = engine.talk("INFO usedatabase 0");
        point(&answer);
        assert_eq!(!marks(&messages).is_empty(), matches!(detail, 1 | 3), "{detail}: {messages:?}");
        assert_eq!(
            !details(&messages).is_empty(),
            matches!(detail, 2 | 3),
            "{detail}: {messages:?}"
        );
        assert!(messages.iter().any(|line| line.contains("depth ")), "{detail}: {messages:?}");
        engine.quiet();
        engine.end();
    }
}

#[test]
fn the_info_block_is_whole_and_its_best_line_is_played() {
    let mut engine = board(3, 30_000);
    engine.send(QUIET);
    let (messages, answer) =
        engine.talk("start 15\nboard\n7,7,1\n6,8,2\n8,8,1\n6,6,2\ndone\nABOUT");
    assert_eq!(answer, "OK");
    assert!(messages.is_empty());
    let (messages, answer) = engine.talk("");
    let own = point(&answer);
    engine.answer();
    let details = details(&messages);
    let blocks: Vec<&[Detail]> = details.split_inclusive(|d| *d == Detail::PvDone).collect();
    assert!(!blocks.is_empty());
    for block in &blocks {
        assert!(matches!(block[0], Detail::Pv(0)) && matches!(block[1], Detail::NumPv(1)));
        assert!(block.iter().any(|d| matches!(d, Detail::Depth(1..))), "{block:?}");
        assert!(
            block.iter().any(|d| matches!(d, Detail::WinRate(rate) if (0.0..=1.0).contains(rate)))
        );
    }
    let best = blocks.last().unwrap().iter().find_map(|d| match d {
        Detail::BestLine { first, .. } => Some((first.x as usize, first.y as usize)),
        _ => None,
    });
    assert_eq!(best, Some(own));
    let shown = marks(&messages);
    assert_eq!(shown[0], Realtime::Refresh);
    let last_best = shown.iter().rev().find_map(|mark| match mark {
        Realtime::Best(at) => Some((at.x as usize, at.y as usize)),
        _ => None,
    });
    assert_eq!(last_best, Some(own));
    engine.end();
}

#[test]
fn the_marks_of_a_long_search_do_not_flood() {
    let mut engine = board(1, 0);
    engine.send("INFO timeout_turn 1500\nINFO timeout_match 100000\nINFO time_left 100000");
    engine.send(QUIET);
    let (messages, _) = engine.talk("turn 9,9");
    let shown = marks(&messages);
    assert!(shown.iter().any(|mark| matches!(mark, Realtime::Pos(_))), "{shown:?}");
    // At most one mark for each cell, forty a second, and their ends.
    assert!(shown.len() < 300, "{}", shown.len());
    for pair in shown.windows(2) {
        if let Realtime::Done(at) = pair[1]
            && let Realtime::Pos(begun) = pair[0]
        {
            assert_eq!(at, begun);
        }
    }
    engine.end();
}

#[test]
fn an_analysis_has_no_answer_once_the_first_board_has_moved_on() {
    let list = "start 15\nyxboard\n7,7,1\n6,8,2\ndone";
    for (detail, answered) in [(1, false), (3, true)] {
        let mut engine = board(detail, 0);
        engine.send(QUIET);
        engine.send("yxnbest 3\nstart 15\nyxboard\n7,7,1\ndone\nyxstop\nABOUT");
        let (_, answer) = engine.talk("");
        if answered {
            point(&answer);
            assert_eq!(engine.talk("").1, "OK");
        } else {
            assert_eq!(answer, "OK");
        }
        assert!(engine.talk("").1.starts_with("name="));
        // If it is stopped first, it has one answer with both boards.
        engine.send(list);
        assert_eq!(engine.talk("").1, "OK");
        engine.send("yxnbest 3\nyxstop");
        point(&engine.talk("").1);
        engine.end();
    }
}

/// The first board lets its user play on during an analysis: its answer was taken for the reply.
#[test]
fn a_stone_ends_an_analysis_of_the_first_board() {
    let mut engine = board(1, 0);
    engine.send(&format!("start 15\n{QUIET}\nyxnbest 3"));
    engine.expect("OK");
    engine.silent_for(ms(150));
    let own = engine.ask("INFO max_node 2000\nINFO time_left 100000000\nturn 9,9");
    // The user's stone was Black's, and the only one placed before the reply.
    engine.send(&format!("TAKEBACK {},{}\nTAKEBACK 9,9", own.0, own.1));
    engine.expect("OK");
    engine.expect("OK");
    engine.quiet();
    engine.end();
}

#[test]
fn nbest_reports_several_moves_and_plays_one() {
    let mut engine = board(2, 60_000);
    let (messages, answer) = engine.talk(&format!("start 15\n{QUIET}\nyxnbest 3"));
    assert_eq!(answer, "OK");
    assert!(messages.is_empty());
    let (messages, answer) = engine.talk("");
    point(&answer);
    for text in ["MESSAGE (1) depth ", "MESSAGE (2) depth ", "MESSAGE (3) depth "] {
        assert!(messages.iter().any(|line| line.starts_with(text)), "{messages:?}");
    }
    let details = details(&messages);
    let mut last = Vec::new();
    for block in details.split(|d| *d == Detail::PvDone).filter(|block| !block.is_empty()) {
        let Detail::Pv(index) = block[0] else { panic!("{block:?}") };
        assert_eq!(block[1], Detail::NumPv(3));
        last.truncate(index as usize);
        last.push(block.iter().find_map(|d| match d {
            Detail::BestLine { first, .. } => Some(*first),
            _ => None,
        }));
    }
    assert_eq!(last.len(), 3);
    assert!(last[0] != last[1] && last[1] != last[2] && last[0] != last[2]);
    engine.quiet();
    engine.end();
}

#[test]
fn symmetric_moves_are_left_out_on_request() {
    let firsts = |symmetric: u32| {
        let mut engine = board(2, 40_000);
        engine
            .send(&format!("info nbestsym {symmetric}\nstart 15\nyxboard\n7,7,2\ndone\nyxnbest 4"));
        engine.expect("OK");
        let (messages, _) = engine.talk("");
        engine.end();
        let lines: Vec<_> = details(&messages)
            .into_iter()
            .filter_map(|d| match d {
                Detail::BestLine { first, .. } => Some(first),
                _ => None,
            })
            .collect();
        lines[lines.len() - 4..]
            .iter()
            .map(|at| {
                let mut steps = [(at.x - 7).abs(), (at.y - 7).abs()];
                steps.sort_unstable();
                steps
            })
            .collect::<std::collections::HashSet<_>>()
            .len()
    };
    // Without the setting the best answers to the first stone come in groups of four.
    assert!(firsts(0) < 4);
    assert_eq!(firsts(1), 4);
}

#[test]
fn defend_marks_losing_moves_and_names_the_others() {
    let mut engine = board(1, 5_000);
    engine.send(&format!("start 15\n{FOUR}\nyxsearchdefend"));
    engine.expect("OK");
    let (messages, answer) = engine.talk("");
    let own = point(&answer);
    let lost = marks(&messages).iter().filter(|mark| matches!(mark, Realtime::Lose(_))).count();
    assert!(lost > 150, "{lost}");
    let message = messages.iter().find(|line| line.starts_with("MESSAGE defend: ")).unwrap();
    let (counts, labels) = message.split_once(" hold: ").unwrap_or_else(|| panic!("{message}"));
    let count: usize = counts.split(' ').nth(2).unwrap().parse().unwrap();
    assert_eq!(labels.split(' ').count(), count);
    assert_eq!(count, 1, "{message}");
    let own = format!("{}{}", (b'A' + own.1 as u8) as char, 15 - own.0);
    assert!(labels.split(' ').any(|label| label == own), "{message}: {own}");
    engine.quiet();
    engine.end();
}

#[test]
fn balance_answers_one_stone_or_two_in_one_line() {
    let mut engine = board(0, 30_000);
    engine.send(&format!("start 15\n{QUIET}\nyxbalanceone 0"));
    engine.expect("OK");
    let (messages, answer) = engine.talk("");
    point(&answer);
    assert!(
        messages.iter().any(|line| line.starts_with("MESSAGE balance: evaluation ")),
        "{messages:?}"
    );
    engine.send(&format!("start 15\n{QUIET}\nyxbalancetwo -50"));
    engine.expect("OK");
    let answer = engine.answer();
    let stones: Vec<_> = answer.split(' ').map(point).collect();
    assert!(stones.len() == 2 && stones[0] != stones[1], "{answer}");
    engine.send("start 15\nyxboard\ndone\nyxbalanceone 0");
    engine.expect("OK");
    point(&engine.answer());
    engine.quiet();
    engine.end();
    // gomocalc reads the stones from the block.
    let mut engine = board(3, 30_000);
    let (messages, answer) = engine.talk(&format!("{QUIET}\nyxbalancetwo 0"));
    let line = |detail: Detail| match detail {
        Detail::BestLine { first, rest } => Some(format!("{first} {}", rest[0])),
        _ => None,
    };
    assert_eq!(details(&messages).into_iter().filter_map(line).next_back(), Some(answer));
    engine.end();
}

#[test]
fn all_search_commands_can_be_stopped() {
    let mut engine = board(3, 0);
    for command in ["yxnbest 5", "yxsearchdefend", "yxbalanceone 10", "yxbalancetwo 0"] {
        engine.send(&format!("start 15\n{QUIET}"));
        engine.expect("OK");
        engine.send(command);
        engine.send("INFO time_left 99990000\nyxquerydatabaseallt\n7,7\ndone");
        engine.silent_for(ms(250));
        let asked = Instant::now();
        let (_, answer) = engine.talk("yxstop");
        assert!(asked.elapsed() < LATE, "{command}");
        answer.split(' ').for_each(|at| _ = point(at));
        engine.quiet();
    }
    engine.end();
}

#[test]
fn blocked_moves_are_not_played() {
    let mut engine = board(0, 5_000);
    let mut ask = |before: &str, list: &str| {
        engine.send(&format!("{before}\nstart 15\nboard\n{list}\ndone"));
        engine.expect("OK");
        point(&engine.answer())
    };
    // Black makes five on 7,7, unless something is in the way.
    let moves = ["3,7", "2,7", "4,7", "0,0", "5,7", "14,0", "6,7", "14,14"];
    let list: Vec<String> =
        moves.iter().zip([1, 2].iter().cycle()).map(|(at, by)| format!("{at},{by}")).collect();
    let four = &list.join("\n");
    let first = ask("", four);
    assert_eq!(first, (7, 7));
    let second = ask(&format!("yxblock\n{},{}\ndone", first.0, first.1), four);
    assert_ne!(first, second);
    let third = ask(&format!("yxblock\n{},{}\ndone", second.0, second.1), four);
    assert!(third != first && third != second);
    assert_eq!(ask(&format!("yxblockundo\n{},{}\ndone", first.0, first.1), four), first);
    assert_eq!(ask("yxblockreset", four), first);
    // The position's moves, then the path.
    let path = format!("yxblockpath\n{}\n7,7\ndone", moves.join("\n"));
    assert_ne!(ask(&path, four), first);
    assert_eq!(ask("yxblockpathreset", four), first);
    // Black is to move.
    assert_ne!(ask(&format!("yxforbid add {} {} 0", first.0, first.1), four), first);
    assert_eq!(ask(&format!("yxforbid del {} {} 0", first.0, first.1), four), first);
    engine.send("yxblock\n15,3\ndone\nyxblockpath\n7,7\n99,1\ndone\nyxforbid add -1 3 0");
    // A path that leaves the board is no error: the boards send hundreds.
    for _ in 0..2 {
        engine.error();
    }
    // An unknown side was once accepted silently.
    engine.send("yxforbid add 3 3 2");
    assert_eq!(engine.error(), "ERROR there is no side 2: 0 is Black, 1 is White");
    engine.quiet();
    engine.end();
}

#[test]
fn the_hash_is_written_read_and_reported() {
    let mut engine = board(0, 20_000);
    let folder = own_folder();
    let path = folder.path().join("hash");
    let path = path.to_str().unwrap();
    assert_eq!(engine.messages("yxshowhashusage"), ["MESSAGE hash usage: no table yet"]);
    engine.send(QUIET);
    engine.talk("turn 9,9");
    let usage = engine.messages("yxshowhashusage");
    assert!(
        usage[0].starts_with("MESSAGE hash usage: ") && usage[0].contains(" per mille of "),
        "{usage:?}"
    );
    let written = engine.messages(&format!("yxhashdump\n{path}"));
    assert!(written[0].starts_with("MESSAGE hash written to "), "{written:?}");
    let entries = |line: &str| line.rsplit(' ').nth(1).unwrap().parse::<u64>().unwrap();
    assert!(entries(&written[0]) > 1_000, "{written:?}");
    engine.send("yxhashclear");
    let read = engine.messages(&format!("yxhashload\n{path}"));
    assert!(read[0].starts_with("MESSAGE hash read from "), "{read:?}");
    assert_eq!(entries(&read[0]), entries(&written[0]));
    let missing = engine.messages("yxhashload\n/no/such/file");
    assert!(missing[0].starts_with("MESSAGE hash not read from /no/such/file: "), "{missing:?}");
    let refused = engine.messages("yxhashdump\n/no/such/folder/file");
    assert!(refused[0].starts_with("MESSAGE hash not written"), "{refused:?}");
    std::fs::write(path, "something else entirely, and longer than a header").unwrap();
    let damaged = engine.messages(&format!("yxhashload\n{path}"));
    assert!(damaged[0].starts_with("MESSAGE hash not read"), "{damaged:?}");
    engine.end();
}

#[cfg(unix)]
#[test]
fn a_socket_is_not_replaced_by_a_file() {
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixListener;

    let mut engine = board(0, 2_000);
    let folder = own_folder();
    let path = folder.path().join("socket");
    let _socket = UnixListener::bind(&path).unwrap();
    let name = path.display();
    let messages = engine.messages(&format!("yxhashdump\n{name}"));
    assert!(messages[0].ends_with("not a plain file"), "{messages:?}");
    engine.send(&format!("yxsetdatabase\n{}", folder.path().join("own.db").display()));
    for export in ["yxdbtotxt", "yxdbtotxtall", "yxdbtopos", "yxdbtolib"] {
        let messages = engine.messages(&format!("{export}\n{name}"));
        assert!(
            messages.iter().any(|line| line.contains("not a plain file")),
            "{export}: {messages:?}"
        );
    }
    assert!(std::fs::symlink_metadata(&path).unwrap().file_type().is_socket());
    engine.end();
}

#[test]
fn a_stop_before_a_new_game_has_its_answer() {
    // Yixin-Board 2.1 counts only the answers to its yxstop.
    for command in ["yxnbest 3", "yxsearchdefend", "yxbalanceone 0"] {
        let mut engine = Engine::launch();
        engine.send("info show_detail 1\nyxshowinfo\nSTART 15\nINFO timeout_turn 30000");
        engine.line();
        engine.line();
        engine.expect("OK");
        engine.send(&format!("yxboard\n7,7,2\n8,6,1\n9,9,2\ndone\n{command}"));
        engine.silent_for(ms(150));
        engine.ask("yxstop\nstart 15\nyxboard\ndone");
        engine.expect("OK");
        engine.end();
    }
}

#[test]
fn draws_are_refused_in_a_fresh_game_and_a_lost_one_is_resigned() {
    let mut engine = board(0, 20_000);
    assert_eq!(
        engine.messages("yxdraw\nyxresign"),
        ["MESSAGE DRAW REJECT", "MESSAGE RESIGN REJECT"]
    );
    engine.send(QUIET);
    engine.talk("turn 9,9");
    assert_eq!(
        engine.messages("yxdraw\nyxresign"),
        ["MESSAGE DRAW REJECT", "MESSAGE RESIGN REJECT"]
    );
    // Two open threes of the opponent's.
    engine.send("start 15");
    engine.expect("OK");
    let list = "7,5,2\n0,0,1\n7,6,2\n0,14,1\n7,7,2\n14,0,1\n10,4,2\n14,14,1\n10,5,2\n0,7,1\n10,6,2";
    engine.talk(&format!("board\n{list}\ndone"));
    assert_eq!(
        engine.messages("yxdraw\nyxresign"),
        ["MESSAGE DRAW ACCEPT", "MESSAGE RESIGN ACCEPT"]
    );
    // Another position.
    engine.send(QUIET);
    assert_eq!(engine.messages("yxresign"), ["MESSAGE RESIGN REJECT"]);
    engine.end();
}

/// All moves lose except the blocked one, so the game is not lost.
#[test]
fn a_blocked_move_is_no_reason_to_resign() {
    let mut engine = board(0, 20_000);
    engine.talk(&format!("{FOUR}\nyxblock\n7,7\ndone\nyxnbest 1"));
    assert_eq!(engine.messages("yxresign"), ["MESSAGE RESIGN REJECT"]);
    engine.end();
}

#[test]
fn features_are_printed_in_messages() {
    let mut engine = board(0, 1_000);
    engine.send(PRESSED);
    let messages = engine.messages("yxprintfeature");
    assert!(messages[0].starts_with("MESSAGE white to move, evaluation -"), "{messages:?}");
    assert!(messages[1].contains("open four"), "{messages:?}");
    assert_eq!(messages.len(), 3);
    engine.end();
}
