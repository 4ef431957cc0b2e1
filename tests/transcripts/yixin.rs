//! The parts of the Yixin-Board dialect that must never go wrong.

use crate::engine::{Engine, ms};

const HELLO: &str = "info show_detail 3\nyxshowinfo\nSTART 15\nINFO max_node -1\n\
    INFO timeout_match 100000000\nINFO time_left 100000000\nINFO timeout_turn 2000000\n\
    INFO max_depth 225\nINFO time_increment 0\nINFO caution_factor 1\nINFO thread_num 1\n\
    INFO hash_size 262144\nINFO pondering 0\nINFO vcthread 0";

fn yixin_board(rule: u32) -> Engine {
    let mut engine = Engine::launch();
    engine.reads_block = true;
    engine.send(HELLO);
    let limits = [engine.line(), engine.line()];
    assert!(limits[0].starts_with("MESSAGE INFO MAX_THREAD_NUM "), "{limits:?}");
    assert!(limits[1].starts_with("MESSAGE INFO MAX_HASH_SIZE "), "{limits:?}");
    engine.expect("OK");
    engine.send(&format!("INFO rule {rule}\nstart 15\nyxboard\ndone\nyxshowforbid"));
    engine.expect("OK");
    engine.expect("FORBID .");
    engine.send("yxquerydatabaseallt\ndone\ninfo usedatabase 1\nyxquerydatabaseallt\ndone");
    engine.expect("MESSAGE the file goren.db does not exist yet; saving creates it");
    engine.expect("MESSAGE DATABASE REFRESH");
    engine.expect("MESSAGE DATABASE DONE");
    engine.expect("MESSAGE DATABASE TEXT \"\"");
    engine.quiet();
    engine
}

#[test]
fn start_up_and_an_undo_while_thinking() {
    let mut engine = yixin_board(0);
    engine.send("INFO time_left 99997826\nstart 15");
    engine.expect("OK");
    engine.send("board\n7,7,1\n3,3,2\ndone");
    engine.send("INFO time_left 99997826\nyxquerydatabaseallt\n7,7\n3,3\ndone");
    engine.silent_for(ms(200));
    engine.ask("yxstop");
    engine.send("start 15\nyxboard\n7,7,1\n3,3,2\ndone\nyxshowforbid");
    engine.expect("OK");
    engine.expect("FORBID .");
    engine.send("yxquerydatabaseallt\n7,7\ndone");
    engine.expect("MESSAGE DATABASE REFRESH");
    // The position that was queried during the search now has a record, with the result of
    // the search.
    for corner in ["3 3", "3 11", "11 3", "11 11"] {
        let row = engine.line();
        assert!(row.starts_with(&format!("MESSAGE DATABASE {corner} ")), "{row}");
        assert!(row.ends_with(" 3 0"), "{row}");
    }
    engine.expect("MESSAGE DATABASE DONE");
    engine.expect("MESSAGE DATABASE TEXT \"\"");
    engine.quiet();
    engine.end();
}

#[test]
fn an_undo_whose_stop_comes_last() {
    let mut engine = yixin_board(0);
    engine.send("start 15");
    engine.expect("OK");
    engine.send("board\n7,7,1\n3,3,2\ndone");
    engine.silent_for(ms(100));
    engine.send(
        "start 15\nyxboard\n7,7,2\ndone\nyxshowforbid\nyxquerydatabaseall\n7,7\ndone\nyxstop",
    );
    engine.mv();
    engine.expect("OK");
    engine.expect("FORBID .");
    engine.expect("MESSAGE DATABASE REFRESH");
    // The results of the search in the position that is undone.
    let messages = engine.lines_until("", "MESSAGE DATABASE DONE");
    assert!(messages.iter().all(|line| line.starts_with("MESSAGE DATABASE ")), "{messages:?}");
    engine.quiet();
    engine.end();
}

#[test]
fn rule_two_is_renju_and_forbidden_points_are_row_and_column() {
    let mut engine = yixin_board(2);
    // Two open twos of Black's that cross in row 2, column 5.
    engine.send(
        "start 15\nyxboard\n2,6,1\n14,0,2\n2,7,1\n14,3,2\n3,5,1\n14,6,2\n4,5,1\n14,9,2\ndone\n\
         yxshowforbid",
    );
    engine.expect("OK");
    engine.expect("FORBID 0205.");
    // White to move: nothing is forbidden.
    engine.send("yxboard\n2,6,2\n14,0,1\n2,7,2\n14,3,1\n3,5,2\n14,6,1\n4,5,2\ndone\nyxshowforbid");
    engine.expect("FORBID .");
    engine.end();
}

#[test]
fn both_colours_have_forbidden_points_where_the_rule_says_so() {
    let mut engine = yixin_board(2);
    // Two open twos of White's that cross in row 2, column 5, and White to move.
    let cross = "yxboard\n14,0,2\n2,6,1\n14,3,2\n2,7,1\n14,6,2\n3,5,1\n14,9,2\n4,5,1\n14,12,2\n\
                 done\nyxshowforbid";
    for (rule, expected) in [(4, "FORBID ."), (4 | 64, "FORBID 0205."), (1 | 64, "FORBID 0205.")] {
        engine.send(&format!("INFO rule {rule}\nstart 15\n{cross}"));
        // Rules with options are reported.
        let rule_message = (rule != 4).then(|| engine.line());
        assert!(rule_message.is_none_or(|line| line.starts_with("MESSAGE the rule is ")));
        engine.expect("OK");
        engine.expect(expected);
    }
    // The points are not marked, but still forbidden.
    for (shown, expected) in [(0, "FORBID ."), (1, "FORBID 0205.")] {
        engine.send(&format!("INFO show_forbid {shown}\nyxshowforbid"));
        engine.expect(expected);
    }
    assert_ne!(engine.ask("yxnbest 1"), (2, 5));
    engine.end();
}

#[test]
fn labels_are_not_mirrored() {
    let mut engine = yixin_board(0);
    engine.send("INFO max_depth 1");
    // A five is completed in row 3, column 5: F12 on a board of 15.
    engine.send("board\n3,1,1\n9,0,2\n3,2,1\n9,2,2\n3,3,1\n9,4,2\n3,4,1\n3,0,2\ndone");
    let (messages, answer) = engine.talk("");
    assert_eq!(answer, "3,5");
    let reports = messages.iter().filter_map(|line| line.strip_prefix("MESSAGE depth "));
    let labels: Vec<&str> = reports.map(|report| report.rsplit(" pv ").next().unwrap()).collect();
    assert!(!labels.is_empty() && labels.iter().all(|pv| pv.starts_with("F12")), "{messages:?}");
    assert!(messages.contains(&"INFO BESTLINE 3,5".to_owned()), "{messages:?}");
    assert!(messages.contains(&"MESSAGE REALTIME BEST 3,5".to_owned()), "{messages:?}");
    engine.end();
}

/// Coordinates are in the order of the client as soon as it is known; those that it
/// sent before had the same order.
#[test]
fn rows_come_first_as_soon_as_the_board_is_known() {
    let hello = |engine: &mut Engine| assert_eq!(engine.messages("yxshowinfo").len(), 2);
    let list = "7,7,1\n4,9,2\n8,8,1\n3,10,2\ndone";
    for shown_before in [false, true] {
        let mut engine = Engine::started(15);
        engine.reads_block = true;
        let shown = format!("yxboard\n{list}");
        if shown_before {
            engine.send(&shown);
        }
        hello(&mut engine);
        engine.send("INFO show_detail 3");
        if !shown_before {
            engine.send(&shown);
        }
        let (messages, _) = engine.talk("yxnbest 1");
        let of = |prefix: &str, between: &str| {
            let line = messages.iter().rev().find_map(|line| line.strip_prefix(prefix)).unwrap();
            let line = line.rsplit(between).next().unwrap();
            line.split(' ').map(str::to_owned).collect::<Vec<String>>()
        };
        let label = |at: &String| {
            let (row, column) = at.split_once(',').unwrap();
            let (row, column): (u8, u8) = (row.parse().unwrap(), column.parse().unwrap());
            format!("{}{}", (b'A' + column) as char, 15 - row)
        };
        // Letters for columns, rows from the bottom.
        let line: Vec<String> = of("INFO BESTLINE ", "\n").iter().map(label).collect();
        assert_eq!(of("MESSAGE depth ", " pv "), line, "{messages:?}");
        engine.end();
    }
    // A five is completed in row 3, column 5.
    let four = "3,1,1\n9,0,2\n3,2,1\n9,2,2\n3,3,1\n9,4,2\n3,4,1\n3,0,2\ndone";
    // Stones, exclusions and forbidden points from before.
    let mut engine = Engine::started(15);
    let (x, y) = engine.ask("TURN 3,9");
    hello(&mut engine);
    engine.send("TAKEBACK 9,3");
    engine.error();
    engine.send(&format!("TAKEBACK {x},{y}\nTAKEBACK 3,9"));
    engine.expect("OK");
    engine.expect("OK");
    engine.end();
    for before in [false, true] {
        let mut engine = Engine::started(15);
        engine.send("INFO rule 2");
        let block = "yxblock\n3,5\ndone";
        let cross = "yxboard\n2,6,1\n14,0,2\n2,7,1\n14,3,2\n3,5,1\n14,6,2\n4,5,1\n14,9,2\ndone";
        if before {
            engine.send(block);
            engine.send(cross);
            hello(&mut engine);
        } else {
            hello(&mut engine);
            engine.send(block);
            engine.send(cross);
        }
        engine.send("yxshowforbid");
        engine.expect("FORBID 0205.");
        engine.send(&format!("yxboard\n{four}"));
        assert_ne!(engine.ask("yxnbest 1"), (3, 5));
        engine.end();
    }
    // A rectangular board, on which a stone would lie beyond the edge.
    let mut engine = Engine::started(15);
    engine.send("RECTSTART 20,10");
    engine.expect("OK");
    engine.ask("TURN 15,3");
    hello(&mut engine);
    for question in ["yxshowforbid", "TURN 1,1", "TAKEBACK 15,3"] {
        engine.send(question);
        assert!(engine.error().contains("refused"), "{question}");
    }
    let own = engine.ask("yxboard\n3,15,2\ndone\nyxnbest 1");
    assert!(own.0 < 10 && own.1 < 20, "{own:?}");
    engine.end();
    // A named game.
    let mut engine = Engine::launch();
    engine.send("INFO max_node 300\nINFO variant pente\nINFO opening free\nSTART 19");
    engine.expect("OK");
    engine.send("TURN 3,9");
    let own = engine.answer();
    hello(&mut engine);
    engine.send(&format!("TAKEBACK {own}\nTAKEBACK 3,9\nTURN 3,9"));
    engine.expect("OK");
    engine.expect("OK");
    engine.answer();
    engine.end();
}

#[test]
fn unknown_lines_get_no_answer() {
    let mut engine = yixin_board(0);
    engine.send(
        "yxnonsense\n7,7\n8,8\ndone\nfoo\nyxblock\n7,7\ndone\nyxblockreset\nyxhashclear\n\
         yxforbid add 3 3 0\nyxswap2step9\nreloadconfig x.toml",
    );
    engine.quiet();
    engine.end();
}

#[test]
fn extension_commands_of_a_manager_get_no_answer() {
    let mut engine = Engine::started(15);
    engine.send("yxnonsense\nyxquerydatabaseall\n7,7\ndone\nyxhashclear\nyxblockreset");
    engine.quiet();
    engine.ask("TURN 7,7");
    engine.end();
}

#[test]
fn gomocalc_sends_lists_in_one_line_and_columns_first() {
    let mut engine = Engine::launch();
    engine.reads_block = true;
    engine.send("START 15");
    engine.expect("OK");
    engine.send(
        "INFO HASH_SIZE 65536\nINFO RULE 2\nINFO THREAD_NUM 1\nINFO TIMEOUT_TURN 5000\n\
         INFO TIMEOUT_MATCH -1\nINFO MAX_DEPTH 100\nINFO MAX_NODE 2000\nINFO SHOW_DETAIL 2\n\
         INFO SWAPABLE 0\nINFO TIME_LEFT 1",
    );
    engine.send("YXBOARD 6,2,1 0,14,2 7,2,1 3,14,2 5,3,1 6,14,2 5,4,1 9,14,2 DONE\nYXSHOWFORBID");
    engine.expect("FORBID 0502.");
    engine.send("YXSTOP");
    engine.quiet();
    engine.ask("BOARD 7,7,2 DONE");
    // Without a limit gomocalc always sends a time left of 1, which means nothing.
    let (messages, _) = engine.talk("INFO TIMEOUT_TURN -1\nYXBOARD 7,7,1 8,8,2 DONE\nYXNBEST 1");
    let nodes = |line: &String| line.strip_prefix("INFO TOTALNODES ")?.parse::<u64>().ok();
    assert!(messages.iter().filter_map(nodes).max().unwrap() >= 1000, "{messages:?}");
    engine.end();
}

#[test]
fn gomocalc_plays_with_the_strength_it_asks_for() {
    let mut engine = Engine::launch();
    let mut moves = |strength: u32| {
        let mut moves = Vec::new();
        for _ in 0..8 {
            engine.send("START 15");
            engine.expect("OK");
            // Entries left in the table would make a difference too.
            let think = "YXHASHCLEAR\nYXBOARD 7,7,1 8,8,2 DONE\nYXNBEST 1";
            moves.push(engine.ask(&format!(
                "INFO MAX_NODE 2000\nINFO STRENGTH {strength}\nINFO TIMEOUT_TURN -1\n\
                 INFO TIMEOUT_MATCH -1\nINFO TIME_LEFT 1\n{think}"
            )));
        }
        moves.dedup();
        moves.len()
    };
    assert!(moves(0) > 2);
    assert_eq!(moves(100), 1);
    engine.end();
}

#[test]
fn no_command_uses_the_position_before_a_refused_one() {
    let mut engine = Engine::started(15);
    engine.send("INFO max_node 2000");
    // Stones after a five.
    let over =
        "YXBOARD 0,0,1 0,14,2 1,0,1 2,14,2 2,0,1 4,14,2 3,0,1 6,14,2 4,0,1 8,14,2 9,9,1 DONE";
    let foul = "YXBOARD 6,2,1 0,14,2 7,2,1 3,14,2 5,3,1 6,14,2 5,4,1 9,14,2 DONE\nYXSHOWFORBID";
    engine.send(&format!("INFO rule 4\n{foul}\n{over}"));
    engine.expect("FORBID 0502.");
    engine.error();
    for think in ["YXNBEST 1", "YXSEARCHDEFEND", "YXBALANCEONE 0"] {
        engine.send(think);
        assert!(engine.error().contains("refused"), "{think}");
    }
    // These would continue from a position that the client does not show.
    for command in ["YXPRINTFEATURE", "TURN 8,8", "BEGIN", "TAKEBACK 5,4"] {
        engine.send(command);
        assert!(engine.error().contains("refused"), "{command}");
    }
    engine.send("YXSHOWFORBID");
    assert!(engine.error().contains("refused"));
    assert_eq!(engine.messages("YXRESIGN"), ["MESSAGE RESIGN REJECT"]);
    engine.ask("INFO rule 0\nYXBOARD 7,7,1 8,8,2 DONE\nYXNBEST 1");
    // A list that cannot even be read.
    engine.send("YXBOARD 7,7,1 8,x,2 DONE");
    engine.error();
    engine.send("YXNBEST 1");
    assert!(engine.error().contains("refused"));
    engine.send(over);
    engine.error();
    engine.send("RESTART");
    engine.expect("OK");
    engine.ask("YXNBEST 1");
    engine.end();
}
