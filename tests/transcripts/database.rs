//! Database commands, as the GUIs send them.

use goren_core::rules::{RuleId, Setup};
use goren_core::types::Cell;
use goren_database::{Database, Label, Place, Record};

use std::path::Path;

use crate::engine::{Engine, ms, own_folder};

const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 15, height: 15 };

/// An engine with Yixin-Board 3.0 as its client, a new game and an open database.
pub fn with_database(folder: &Path) -> Engine {
    let mut engine = Engine::launch_in(folder);
    engine.reads_block = true;
    engine.send("info show_detail 3\nyxshowinfo\nstart 15");
    engine.line();
    engine.line();
    engine.expect("OK");
    engine.lines_until("yxsetdatabase\na b.db\nyxquerydatabaseone\ndone", "MESSAGE DATABASE ONE");
    engine
}

pub fn place(cells: &[(usize, usize)]) -> Place {
    let moves: Vec<_> = cells.iter().map(|&(x, y)| Some(Cell::new(x, y))).collect();
    Place::after(SETUP, &moves).unwrap()
}

/// The record of a position in the file.
pub fn stored(folder: &Path, cells: &[(usize, usize)]) -> Option<Record> {
    let (mut database, report) = Database::open(&folder.join("a b.db")).unwrap();
    database.set_read_only();
    assert_eq!(report.faults, 0);
    database.store().get(&place(cells).key().unwrap())
}

#[test]
fn labels_values_and_texts_are_edited_queried_and_kept() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    // As Yixin-Board 3.0 sends it for the key w.
    engine.send("yxedittvddatabase 1 119 0 0\n7,7\n8,8\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 0 0 0 w*");
    engine.send("yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 -29993 12 3 w8");
    engine.send("yxedittvddatabase 6 0 -250 9\n7,7\n6,7\ndone");
    engine.expect("MESSAGE DATABASE ONE -1 -250 9 3 73%");
    // No line end between the quote and the list.
    engine.send("yxedittextdatabase \"a \\\"word\\\"\nand \\\\ another\"7,7\n8,8\ndone");
    engine.send("yxeditlabeldatabase 8,8 best one\n7,7\ndone");
    engine.send("yxquerydatabasetext\n7,7\n8,8\ndone");
    engine.expect("MESSAGE DATABASE TEXT \"a \\\"word\\\"");
    engine.expect("and \\\\ another\"");
    // The position is symmetric: two groups of four cells are equivalent.
    let w8 = i32::from(b'w') << 8 | i32::from(b'8');
    let percent = (i32::from(b'7') << 8 | i32::from(b'3')) << 8 | i32::from(b'%');
    let rows = engine.lines_until("yxquerydatabaseallt\n7,7\ndone", "MESSAGE DATABASE TEXT");
    let won = |cell: &str| format!("MESSAGE DATABASE {cell} {w8} -29993 12 3 1 bestone");
    let open = |cell: &str| format!("MESSAGE DATABASE {cell} {percent} -250 9 3 0");
    assert_eq!(rows[0], "MESSAGE DATABASE REFRESH");
    let cells: Vec<String> = vec![
        won("6 6"),
        open("7 6"),
        won("8 6"),
        open("6 7"),
        open("8 7"),
        won("6 8"),
        open("7 8"),
        won("8 8"),
    ];
    let mut found = rows[1..9].to_vec();
    found.sort();
    let mut expected = cells;
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(rows[9..], ["MESSAGE DATABASE DONE", "MESSAGE DATABASE TEXT \"\""]);
    let saved = engine.lines_until("yxsavedatabase", "MESSAGE saved");
    assert_eq!(saved[..2], ["MESSAGE DATABASE SAVE START a b.db", "MESSAGE DATABASE SAVE DONE"]);
    let record = stored(folder.path(), &[(7, 7), (6, 8)]).unwrap();
    assert_eq!((record.label, record.value, record.depth()), (Label::WIN, -29_993, 12));
    assert_eq!(record.text, b"a \"word\"\nand \\ another");
    engine.send("yxdeletedatabaseone\n7,7\n8,8\ndone\nyxquerydatabaseone\n7,7\n8,8\ndone");
    engine.expect("MESSAGE DATABASE ONE 0 0 0 0");
    let rows = engine.lines_until("yxquerydatabaseall\n7,7\ndone", "MESSAGE DATABASE DONE");
    assert_eq!(rows.len(), 6, "its text is gone too: {rows:?}");
    engine.end();
    // Closing saves.
    assert_eq!(stored(folder.path(), &[(7, 7), (8, 8)]), None);
    assert!(stored(folder.path(), &[(7, 7), (7, 8)]).is_some());
    assert!(
        folder.path().join("a b_bak1.db").exists()
            && !folder.path().join("a b.db.journal").exists()
    );
}

#[test]
fn queried_positions_are_stored_unless_the_database_is_read_only() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    let query = "yxquerydatabaseall\n7,7\n3,3\ndone";
    engine.lines_until(query, "MESSAGE DATABASE DONE");
    engine.send("yxquerydatabaseone\n7,7\n3,3\ndone");
    engine.expect("MESSAGE DATABASE ONE -1 0 0 0");
    engine.send("INFO database_readonly 1");
    engine.lines_until("yxquerydatabaseall\n5,5\ndone", "MESSAGE DATABASE DONE");
    engine.send("yxquerydatabaseone\n5,5\ndone");
    engine.expect("MESSAGE DATABASE ONE 0 0 0 0");
    engine.send("yxedittvddatabase 1 119 0 0\n5,5\ndone");
    engine.expect("MESSAGE nothing was changed: the database is for reading only");
    engine.send("yxdeletedatabaseall\n7,7\ndone\nyxdeletedatabaseone\n7,7\n3,3\ndone");
    engine.expect("MESSAGE nothing was changed: the database is for reading only");
    engine.expect("MESSAGE nothing was changed: the database is for reading only");
    engine.send("INFO usedatabase 0");
    engine.send(query);
    engine.quiet();
    engine.end();
    assert_eq!(stored(folder.path(), &[(7, 7), (3, 3)]), Some(Record::default()));
}

#[test]
fn branches_are_deleted_by_filters() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    for (label, list) in
        [(119, "7,7\n8,8"), (108, "7,7\n9,9"), (-1, "7,7\n9,9\n2,3"), (100, "7,7\n5,6")]
    {
        engine.send(&format!("yxedittvddatabase 1 {label} 0 0\n{list}\ndone"));
        engine.line();
    }
    let delete = "yxdeletedatabaseall nonwl\n7,7\ndone";
    let messages = engine.lines_until(delete, "MESSAGE DATABASE DONE");
    assert_eq!(messages[0], "MESSAGE Deleting child records, this might take a while...");
    assert!(messages[1].starts_with("MESSAGE Done deleting 1 records using "), "{messages:?}");
    assert_eq!(messages[2], "MESSAGE DATABASE REFRESH");
    assert_eq!(messages.len(), 3 + 8 + 1);
    let messages = engine.lines_until("yxdeletedatabaseall l\n7,7\ndone", "MESSAGE DATABASE DONE");
    assert!(messages[1].starts_with("MESSAGE Done deleting 2 records using "), "{messages:?}");
    engine.send("yxdeletedatabaseall wlinstep\n7,7\ndone");
    engine.expect("MESSAGE unknown filter \"wlinstep\"");
    // The queried position, and the win below it.
    let messages = engine.lines_until("yxdeletedatabaseall\ndone", "MESSAGE DATABASE DONE");
    assert!(messages[1].starts_with("MESSAGE Done deleting 2 records using "), "{messages:?}");
    engine.end();
}

#[test]
fn the_best_move_is_marked_and_played() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 500\nyxsetbestmovedatabase\n7,7\n2,12\ndone");
    engine.send("yxquerydatabaseone\n7,7\n2,12\ndone");
    engine.expect("MESSAGE DATABASE ONE 33 0 0 0 !");
    assert!(matches!(engine.ask("board\n7,7,2\ndone"), (2, 12) | (12, 2) | (2, 2) | (12, 12)));
    // There is only one best move, and a win is better.
    engine.send("yxsetbestmovedatabase\n7,7\n0,14\ndone\nyxquerydatabaseone\n7,7\n2,12\ndone");
    engine.expect("MESSAGE DATABASE ONE -1 0 0 0");
    engine.send("yxedittvddatabase 3 119 -29990 0\n7,7\n1,5\ndone");
    engine.line();
    engine.send("start 15");
    engine.expect("OK");
    let (x, y) = engine.ask("board\n7,7,2\ndone");
    let far = |side: usize| side.abs_diff(7);
    assert_eq!((far(x).min(far(y)), far(x).max(far(y))), (2, 6));
    engine.send("yxclearbestmovedatabase\n7,7\ndone\nyxquerydatabaseone\n7,7\n0,14\ndone");
    engine.expect("MESSAGE DATABASE ONE -1 0 0 0");
    engine.end();
}

/// Yixin-Board 2.1 takes every other database line for a cell.
#[test]
fn the_first_board_gets_no_lines_about_database_files() {
    let folder = own_folder();
    let mut engine = Engine::launch_in(folder.path());
    engine.send("info show_detail 1\nyxshowinfo\nSTART 15 15");
    engine.line();
    engine.line();
    engine.expect("OK");
    let mut messages = Vec::new();
    for name in ["a.db", "b.db", "a.db"] {
        let edit = "yxeditlabeldatabase a\n7,7\n8,8\ndone\nyxquerydatabaseall\n7,7\ndone";
        messages.extend(engine.messages(&format!("yxsetdatabase\n{name}\n{edit}\nyxsavedatabase")));
    }
    assert!(
        messages.iter().any(|line| line == "MESSAGE the database has 2 records"),
        "{messages:?}"
    );
    for line in messages {
        let Some(rest) = line.strip_prefix("MESSAGE DATABASE ") else { continue };
        let known = ["REFRESH", "DONE", "ONE "].iter().any(|word| rest.starts_with(word));
        let numbers = rest.split(' ').take(5).filter(|word| word.parse::<i64>().is_ok()).count();
        assert!(known || numbers == 5, "{line}");
    }
    engine.end();
}

#[test]
fn moves_labelled_as_lost_or_forbidden_are_not_played() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 2000");
    let board = "board\n7,7,2\n3,3,1\n7,8,2\ndone";
    let mut played = Vec::new();
    for tag in ["120", "108", "120"] {
        engine.send("start 15");
        engine.expect("OK");
        let best = engine.ask(board);
        assert!(!played.contains(&best), "{best:?} again");
        let (x, y) = best;
        engine.send(&format!("yxedittvddatabase 1 {tag} 0 0\n7,7\n3,3\n7,8\n{x},{y}\ndone"));
        engine.line();
        played.push(best);
    }
    engine.end();
}

#[test]
fn queries_during_a_search_are_answered_and_leave_the_game_alone() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO timeout_turn 30000\nINFO timeout_match 100000000\nINFO time_left 100000000");
    engine.send("board\n7,7,2\ndone");
    engine.send("yxedittvddatabase 1 108 0 0\n7,7\n8,8\ndone");
    while engine.line() != "MESSAGE DATABASE ONE 108 0 0 0 l*" {}
    engine.send("yxquerydatabaseallt\n7,7\ndone");
    while engine.line() != "MESSAGE DATABASE TEXT \"\"" {}
    // Slow commands wait until after the move.
    engine.send("yxsavedatabase");
    engine.silent_for(ms(300));
    engine.ask("yxstop");
    assert!(engine.lines_until("", "MESSAGE saved").len() == 3);
    engine.end();
}

#[test]
fn a_query_during_an_opening_is_about_the_current_game() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 2000\nyxedittvddatabase 1 119 0 0\n7,7\n8,8\ndone");
    engine.line();
    let query = "yxquerydatabaseall\n7,7\ndone";
    let rows =
        |messages: &[String]| messages.iter().filter(|l| l.contains("DATABASE 8 8 ")).count();
    engine.ask("board\n7,7,2\ndone");
    assert_eq!(rows(&engine.lines_until(query, "MESSAGE DATABASE DONE")), 1);
    // The record is one of freestyle.
    engine.send("INFO rule 2\nstart 15");
    engine.expect("OK");
    // Without a limit, so that the query comes during the search for the step.
    let asked = format!("INFO max_node -1\nyxsoosorvstep2\n7,7\n7,8\n8,8\ndone\n{query}");
    assert_eq!(rows(&engine.lines_until(&asked, "MESSAGE DATABASE DONE")), 0);
    let messages = engine.messages("yxstop");
    assert!(messages.iter().any(|line| line.starts_with("MESSAGE SOOSORV SWAP1 ")), "{messages:?}");
    engine.end();
}
