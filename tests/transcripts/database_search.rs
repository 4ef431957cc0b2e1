//! How a database changes a search, and a search the database.

use std::path::Path;
use std::time::Instant;

use goren_core::rules::{RuleId, Setup};
use goren_core::types::Cell;
use goren_database::{Database, Label, Place, Record};

use crate::engine::{Engine, ms, own_folder};

const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 15, height: 15 };

/// A four, a forced answer, and a quiet move that the database knows to win.
const ROOT: &str = "3,7\n2,7\n4,7\n7,3\n5,7\n9,10";
const BOARD: &str = "board\n3,7,1\n2,7,2\n4,7,1\n7,3,2\n5,7,1\n9,10,2\ndone";

/// An engine with Yixin-Board 3.0 as its client, a new game and an open database.
fn with_database(folder: &Path) -> Engine {
    let mut engine = Engine::launch_in(folder);
    engine.reads_block = true;
    engine.send("info show_detail 0\nyxshowinfo\nstart 15");
    engine.line();
    engine.line();
    engine.expect("OK");
    engine.lines_until("yxsetdatabase\na.db\nyxquerydatabaseone\ndone", "MESSAGE DATABASE ONE");
    engine
}

/// Labels a position, which gets a record if it has none.
fn label(engine: &mut Engine, tag: i32, value: i32, list: &str) {
    engine.lines_until(
        &format!("yxedittvddatabase 3 {tag} {value} 0\n{list}\ndone"),
        "MESSAGE DATABASE ONE",
    );
}

fn one(engine: &mut Engine, list: &str) -> String {
    let query = format!("yxquerydatabaseone\n{list}\ndone");
    engine.lines_until(&query, "MESSAGE DATABASE ONE").pop().unwrap()
}

fn know_the_win(engine: &mut Engine) {
    label(engine, -1, 0, &format!("{ROOT}\n6,7"));
    label(engine, -1, 0, &format!("{ROOT}\n6,7\n7,7"));
    label(engine, 119, -29_990, &format!("{ROOT}\n6,7\n7,7\n12,12"));
}

#[test]
fn a_loss_below_a_move_counts_until_it_is_deleted() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 2000");
    let mut moves = Vec::new();
    let best = |engine: &mut Engine| {
        engine.send("start 15");
        engine.expect("OK");
        engine.ask("board\n7,7,2\n3,3,1\n7,8,2\ndone")
    };
    for _ in 0..3 {
        let (x, y) = best(&mut engine);
        assert!(!moves.contains(&(x, y)), "{x},{y} again");
        label(&mut engine, -1, 0, &format!("7,7\n3,3\n7,8\n{x},{y}"));
        // An answer that no search would look at first.
        label(&mut engine, 119, 0, &format!("7,7\n3,3\n7,8\n{x},{y}\n14,0"));
        moves.push((x, y));
    }
    for (x, y) in &moves {
        engine.send(&format!("yxdeletedatabaseone\n7,7\n3,3\n7,8\n{x},{y}\n14,0\ndone"));
    }
    assert_eq!(best(&mut engine), moves[0]);
    engine.end();
}

#[test]
fn a_win_three_plies_deep_is_found_and_written_back() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 500");
    know_the_win(&mut engine);
    assert_eq!(engine.ask(BOARD), (6, 7));
    let line = one(&mut engine, ROOT);
    assert!(line.starts_with("MESSAGE DATABASE ONE 108 29987 "), "{line}");
    assert!(line.ends_with(" 3 l14"), "{line}");
    engine.end();
    // The result is in the file.
    let (database, _) = Database::open(&folder.path().join("a.db")).unwrap();
    let moves: Vec<_> = [(3, 7), (2, 7), (4, 7), (7, 3), (5, 7), (9, 10)]
        .map(|(x, y)| Some(Cell::new(x, y)))
        .into();
    let key = Place::after(SETUP, &moves).unwrap().key().unwrap();
    assert_eq!(database.store().get(&key).unwrap().label, Label::LOSE);
}

#[test]
fn losses_are_written_back_with_their_plies() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 500");
    engine.ask("board\n5,7,2\n0,0,1\n6,7,2\n14,0,1\n7,7,2\n0,14,1\n8,7,2\ndone");
    let line = one(&mut engine, "5,7\n0,0\n6,7\n14,0\n7,7\n0,14\n8,7");
    assert!(line.starts_with("MESSAGE DATABASE ONE 119 -29998 "), "{line}");
    assert!(line.ends_with(" 3 w3"), "{line}");
    engine.end();
}

#[test]
fn user_records_and_read_only_databases_are_not_overwritten() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 500");
    know_the_win(&mut engine);
    engine.send("INFO database_readonly 1");
    assert_eq!(engine.ask(BOARD), (6, 7));
    assert_eq!(one(&mut engine, ROOT), "MESSAGE DATABASE ONE 0 0 0 0");
    engine.send("INFO database_readonly 0\nstart 15");
    engine.expect("OK");
    label(&mut engine, 97, 0, ROOT);
    assert_eq!(engine.ask(BOARD), (6, 7));
    assert_eq!(one(&mut engine, ROOT), "MESSAGE DATABASE ONE 97 0 0 0 a");
    engine.end();
}

/// Tag, value, depth and text of the record of a position.
fn fields(engine: &mut Engine, list: &str) -> (i32, i32, i32, String) {
    let line = one(engine, list);
    let words: Vec<&str> = line.split_whitespace().skip(3).collect();
    let number = |i: usize| words[i].parse().unwrap();
    (number(0), number(1), number(2), words.get(4).copied().unwrap_or_default().to_owned())
}

const QUIET: &str = "7,7\n8,8\n7,9";

#[test]
fn an_analysis_stores_its_values_in_the_database() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 60000");
    engine.send("yxboard\n7,7,2\n8,8,1\n7,9,2\ndone");
    let (_, best) = engine.talk("yxnbest 3");
    let (tag, value, depth, shown) = fields(&mut engine, QUIET);
    assert_eq!(tag, -1);
    assert!(value.abs() < 20_000 && depth >= 8 && shown.ends_with('%'), "{value} {depth} {shown}");
    let (tag, after, shallower, shown) = fields(&mut engine, &format!("{QUIET}\n{best}"));
    assert_eq!((tag, after, shallower), (-1, -value, depth - 1));
    assert!(shown.ends_with('%'), "{shown}");
    // As many moves as were asked for, each with its winning chance on the cell.
    let rows =
        engine.lines_until(&format!("yxquerydatabaseall\n{QUIET}\ndone"), "MESSAGE DATABASE DONE");
    let rows = rows.iter().filter(|row| row.starts_with("MESSAGE DATABASE ") && row.len() > 24);
    assert!(rows.clone().count() >= 3, "{:?}", rows.collect::<Vec<_>>());
    engine.end();
}

#[test]
fn values_under_limits_or_exclusions_are_not_written() {
    for setting in ["yxblock\n0,0\ndone", "INFO database_readonly 1", "INFO max_depth 4"] {
        let folder = own_folder();
        let mut engine = with_database(folder.path());
        engine.send("INFO max_node 60000");
        engine.send(setting);
        engine.ask("board\n7,7,2\n8,8,1\n7,9,2\ndone");
        assert_eq!(one(&mut engine, QUIET), "MESSAGE DATABASE ONE 0 0 0 0", "{setting}");
        engine.end();
    }
}

#[test]
fn a_loss_caused_by_an_exclusion_is_not_written() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 500");
    let root = "5,7\n6,7\n6,8\n7,7\n7,9\n8,7\n0,14\n9,7";
    // A four with only one answer, which is blocked.
    engine.send("yxblock\n10,7\ndone");
    engine.ask("board\n5,7,1\n6,7,2\n6,8,1\n7,7,2\n7,9,1\n8,7,2\n0,14,1\n9,7,2\ndone");
    assert_eq!(one(&mut engine, root), "MESSAGE DATABASE ONE 0 0 0 0");
    engine.end();
}

#[test]
fn many_positions_delay_no_answer() {
    let folder = own_folder();
    {
        let (mut database, _) = Database::open(&folder.path().join("a.db")).unwrap();
        let store = database.change_many().unwrap();
        let setup = [Some(Cell::new(7, 7)), Some(Cell::new(3, 4)), Some(Cell::new(7, 8))];
        let mut place = Place::after(SETUP, &setup).unwrap();
        let cells = place.empty_cells();
        for i in 0..30_000 {
            let path = [cells[i % 60], cells[60 + i / 60 % 100], cells[160 + i / 6_000]];
            for (played, &cell) in path.iter().enumerate() {
                place.play(cell);
                store.set(&place.key().unwrap(), &Record::default());
                if played == 2 {
                    path.iter().rev().for_each(|&cell| place.take_back(cell));
                }
            }
        }
        database.save().unwrap();
    }
    let mut engine = with_database(folder.path());
    engine.send("INFO timeout_turn 1000\nINFO timeout_match 100000000\nINFO time_left 100000000");
    let begun = Instant::now();
    engine.ask("board\n7,7,2\n3,4,1\n7,8,2\ndone");
    // Looking at all of them would take several times as long.
    assert!(begun.elapsed() < ms(1500), "{:?}", begun.elapsed());
    engine.end();
}
