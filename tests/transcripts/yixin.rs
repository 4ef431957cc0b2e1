//! The parts of the Yixin-Board dialect that must never go wrong.

use crate::engine::{Engine, ms};

const HELLO: &str = "info show_detail 3\nyxshowinfo\nSTART 15\nINFO max_node -1\n\
    INFO timeout_match 100000000\nINFO time_left 100000000\nINFO timeout_turn 2000000\n\
    INFO max_depth 225\nINFO time_increment 0\nINFO caution_factor 1\nINFO thread_num 1\n\
    INFO hash_size 262144\nINFO pondering 0\nINFO vcthread 0";

fn yixin_board(rule: u32) -> Engine {
    let mut engine = Engine::launch();
    engine.send(HELLO);
    let limits = [engine.line(), engine.line()];
    assert!(limits[0].starts_with("MESSAGE INFO MAX_THREAD_NUM "), "{limits:?}");
    assert!(limits[1].starts_with("MESSAGE INFO MAX_HASH_SIZE "), "{limits:?}");
    engine.expect("OK");
    engine.send(&format!("INFO rule {rule}\nstart 15\nyxboard\ndone\nyxshowforbid"));
    engine.expect("OK");
    engine.expect("FORBID .");
    engine.send("yxquerydatabaseallt\ndone\ninfo usedatabase 1\nyxquerydatabaseallt\ndone");
    engine.expect("MESSAGE goren.db does not exist yet; saving makes it");
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
    // The position that was queried during thought has a record since.
    for corner in ["3 3", "11 3", "3 11", "11 11"] {
        engine.expect(&format!("MESSAGE DATABASE {corner} -1 0 0 0 0"));
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
    engine.expect("MESSAGE DATABASE DONE");
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
fn labels_are_not_mirrored() {
    let mut engine = yixin_board(0);
    engine.send("INFO max_depth 1");
    // A five is completed in row 3, column 5: F12 on a board of 15.
    engine.send("board\n3,1,1\n9,0,2\n3,2,1\n9,2,2\n3,3,1\n9,4,2\n3,4,1\n3,0,2\ndone");
    loop {
        let line = engine.line();
        match line.strip_prefix("MESSAGE ") {
            Some(report) => {
                let report = goren_protocol::SearchInfo::parse(report).unwrap();
                assert_eq!(report.pv[0], "F12");
            }
            None => break assert_eq!(line, "3,5"),
        }
    }
    engine.end();
}

#[test]
fn unknown_lines_are_met_with_silence() {
    let mut engine = yixin_board(0);
    engine.send(
        "yxnonsense\n7,7\n8,8\ndone\nfoo\nyxblock\n7,7\ndone\nyxblockreset\nyxhashclear\n\
         yxhashdump\n/some/path\nyxdraw\nyxforbid add 3 3 0\n\
         yxswap2step9",
    );
    engine.quiet();
    engine.end();
}

#[test]
fn no_extension_command_is_answered_to_a_manager_either() {
    let mut engine = Engine::started(15);
    engine.send("yxnonsense\nyxquerydatabaseall\n7,7\ndone\nyxhashclear\nyxblockreset");
    engine.quiet();
    engine.ask("TURN 7,7");
    engine.end();
}

#[test]
fn gomocalc_sends_lists_in_one_line_and_columns_first() {
    let mut engine = Engine::launch();
    engine.send("START 15");
    engine.expect("OK");
    engine.send(
        "INFO HASH_SIZE 65536\nINFO RULE 2\nINFO THREAD_NUM 1\nINFO TIMEOUT_TURN 5000\n\
         INFO TIMEOUT_MATCH -1\nINFO MAX_DEPTH 100\nINFO MAX_NODE 2000\nINFO SHOW_DETAIL 2\n\
         INFO SWAPABLE 0\nINFO TIME_LEFT 2147483647",
    );
    engine.send("YXBOARD 6,2,1 0,14,2 7,2,1 3,14,2 5,3,1 6,14,2 5,4,1 9,14,2 DONE\nYXSHOWFORBID");
    engine.expect("FORBID 0502.");
    engine.send("YXSTOP");
    engine.quiet();
    engine.ask("BOARD 7,7,2 DONE");
    engine.end();
}
