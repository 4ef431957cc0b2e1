//! The commands about a database, as the GUIs send them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use goren_core::rules::{RuleId, Setup};
use goren_core::types::Cell;
use goren_core::types::keys::mix;
use goren_database::{Database, Label, Place, Record};

use crate::engine::{Engine, ms, own_folder};

const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 15, height: 15 };

/// Yixin-Board 3.0, a game begun, a database open.
fn with_database(folder: &Path) -> Engine {
    let mut engine = Engine::launch_in(folder);
    engine.reads_block = true;
    engine.send("info show_detail 3\nyxshowinfo\nstart 15");
    engine.line();
    engine.line();
    engine.expect("OK");
    engine.told("yxsetdatabase\na b.db\nyxquerydatabaseone\ndone", "MESSAGE DATABASE ONE");
    engine
}

fn place(cells: &[(usize, usize)]) -> Place {
    let moves: Vec<_> = cells.iter().map(|&(x, y)| Some(Cell::new(x, y))).collect();
    Place::after(SETUP, &moves).unwrap()
}

/// What the file says of a position.
fn stored(folder: &Path, cells: &[(usize, usize)]) -> Option<Record> {
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
    // The position is symmetric: four cells are one, and so are four others.
    let w8 = i32::from(b'w') << 8 | i32::from(b'8');
    let percent = (i32::from(b'7') << 8 | i32::from(b'3')) << 8 | i32::from(b'%');
    let rows = engine.told("yxquerydatabaseallt\n7,7\ndone", "MESSAGE DATABASE TEXT");
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
    let mut told = rows[1..9].to_vec();
    told.sort();
    let mut expected = cells;
    expected.sort();
    assert_eq!(told, expected);
    assert_eq!(rows[9..], ["MESSAGE DATABASE DONE", "MESSAGE DATABASE TEXT \"\""]);
    let saved = engine.told("yxsavedatabase", "MESSAGE saved");
    assert_eq!(saved[..2], ["MESSAGE DATABASE SAVE START a b.db", "MESSAGE DATABASE SAVE DONE"]);
    let record = stored(folder.path(), &[(7, 7), (6, 8)]).unwrap();
    assert_eq!((record.label, record.value, record.depth()), (Label::WIN, -29_993, 12));
    assert_eq!(record.text, b"a \"word\"\nand \\ another");
    engine.send("yxdeletedatabaseone\n7,7\n8,8\ndone\nyxquerydatabaseone\n7,7\n8,8\ndone");
    engine.expect("MESSAGE DATABASE ONE 0 0 0 0");
    let rows = engine.told("yxquerydatabaseall\n7,7\ndone", "MESSAGE DATABASE DONE");
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
fn positions_that_were_looked_at_are_remembered_unless_it_is_for_reading_only() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    let query = "yxquerydatabaseall\n7,7\n3,3\ndone";
    engine.told(query, "MESSAGE DATABASE DONE");
    engine.send("yxquerydatabaseone\n7,7\n3,3\ndone");
    engine.expect("MESSAGE DATABASE ONE -1 0 0 0");
    engine.send("INFO database_readonly 1");
    engine.told("yxquerydatabaseall\n5,5\ndone", "MESSAGE DATABASE DONE");
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
    let told = engine.told("yxdeletedatabaseall nonwl\n7,7\ndone", "MESSAGE DATABASE DONE");
    assert_eq!(told[0], "MESSAGE Deleting child records, this might take a while...");
    assert!(told[1].starts_with("MESSAGE Done deleting 1 records using "), "{told:?}");
    assert_eq!(told[2], "MESSAGE DATABASE REFRESH");
    assert_eq!(told.len(), 3 + 8 + 1);
    let told = engine.told("yxdeletedatabaseall l\n7,7\ndone", "MESSAGE DATABASE DONE");
    assert!(told[1].starts_with("MESSAGE Done deleting 2 records using "), "{told:?}");
    engine.send("yxdeletedatabaseall wlinstep\n7,7\ndone");
    engine.expect("MESSAGE unknown filter \"wlinstep\"");
    // The position that was looked at, and the win below it.
    let told = engine.told("yxdeletedatabaseall\ndone", "MESSAGE DATABASE DONE");
    assert!(told[1].starts_with("MESSAGE Done deleting 2 records using "), "{told:?}");
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
    // There is one best move only, and a win is better.
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

/// Yixin-Board 2.1 takes every line of a database for a cell but these.
#[test]
fn the_first_board_is_not_told_of_files_read_and_written() {
    let folder = own_folder();
    let mut engine = Engine::launch_in(folder.path());
    engine.send("info show_detail 1\nyxshowinfo\nSTART 15 15");
    engine.line();
    engine.line();
    engine.expect("OK");
    let mut told = Vec::new();
    for name in ["a.db", "b.db", "a.db"] {
        let edit = "yxeditlabeldatabase a\n7,7\n8,8\ndone\nyxquerydatabaseall\n7,7\ndone";
        told.extend(engine.messages(&format!("yxsetdatabase\n{name}\n{edit}\nyxsavedatabase")));
    }
    assert!(told.iter().any(|line| line == "MESSAGE the database has 2 records"), "{told:?}");
    for line in told {
        let Some(rest) = line.strip_prefix("MESSAGE DATABASE ") else { continue };
        let known = ["REFRESH", "DONE", "ONE "].iter().any(|word| rest.starts_with(word));
        let numbers = rest.split(' ').take(5).filter(|word| word.parse::<i64>().is_ok()).count();
        assert!(known || numbers == 5, "{line}");
    }
    engine.end();
}

#[test]
fn moves_that_lose_or_must_not_be_played_are_not() {
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
fn queries_during_thought_are_answered_and_change_nothing_in_the_game() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO timeout_turn 30000\nINFO timeout_match 100000000\nINFO time_left 100000000");
    engine.send("board\n7,7,2\ndone");
    engine.send("yxedittvddatabase 1 108 0 0\n7,7\n8,8\ndone");
    while engine.line() != "MESSAGE DATABASE ONE 108 0 0 0 l*" {}
    engine.send("yxquerydatabaseallt\n7,7\ndone");
    while engine.line() != "MESSAGE DATABASE TEXT \"\"" {}
    // What takes its time comes after the move.
    engine.send("yxsavedatabase");
    engine.silent_for(ms(300));
    engine.ask("yxstop");
    assert!(engine.told("", "MESSAGE saved").len() == 3);
    engine.end();
}

#[test]
fn bad_lists_and_paths_are_told_and_harm_nothing() {
    let folder = own_folder();
    fs::write(folder.path().join("notes.txt"), "no database at all").unwrap();
    let mut engine = with_database(folder.path());
    engine.send("yxquerydatabaseall\n7,15\ndone");
    engine.expect("MESSAGE 7,15 is outside the board");
    engine.send("yxquerydatabaseall\n7,7\n7,7\ndone");
    engine.expect("MESSAGE the list is no position: move 2 is on an occupied point");
    engine.send("yxedittvddatabase 1 7000 0 0\n7,7\ndone");
    engine.expect("MESSAGE 7000 is no tag");
    engine.send("yxedittvddatabase 1 119 0 0\n7,7\n-1,-1\n6,6\n-1,-1\ndone");
    engine.expect("MESSAGE the database cannot hold a position after so many passes");
    engine.send("yxedittvddatabase 7 119 -99999 99999\n7,7\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 -32768 8191 3 w-2767");
    for (command, file) in
        [("yxdbmerge", "no/such.db"), ("yxdbmerge", "none.db"), ("yxtxttodb", "none.txt")]
    {
        engine.send(&format!("{command}\n{file}"));
        let line = engine.line();
        assert!(line.contains(file) && line.contains(" not "), "{line}");
    }
    for command in ["yxdbtotxt", "yxdbtotxtall", "yxdbtopos", "yxdbsplit"] {
        engine.send(&format!("{command}\nno/such/folder/x"));
        let line = engine.line();
        assert!(line.contains("no/such/folder/x not written: "), "{line}");
    }
    let told = engine.told("yxsetdatabase\nnotes.txt", "MESSAGE DATABASE LOAD DONE");
    assert!(told[1].contains("notes.txt not used: not a database: byte"), "{told:?}");
    // The one before is open still.
    engine.send("yxquerydatabaseone\n7,7\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 -32768 8191 3 w-2767");
    let told = engine.told("yxdbcheck", "MESSAGE checked");
    assert_eq!(
        told,
        ["MESSAGE f-15-15-h8--w: the value -32768", "MESSAGE checked 1 records: 1 findings"]
    );
    engine.told("yxdbfix", "MESSAGE fixed 1 records");
    engine.send("yxquerydatabaseone\n7,7\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 0 0 0 w*");
    engine.end();
    assert_eq!(fs::read(folder.path().join("notes.txt")).unwrap(), b"no database at all");
}

#[test]
fn texts_parts_and_merges_go_through_files() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    for list in ["7,7", "7,7\n8,8", "7,7\n8,8\n9,10", "3,3"] {
        engine.send(&format!("yxedittvddatabase 7 108 40 7\n{list}\ndone"));
        engine.line();
    }
    engine.told("yxdbtotxtall\nall.csv", "MESSAGE wrote 4 records (all) to all.csv");
    engine.told("yxdbtotxt\nthis.csv", "MESSAGE wrote 4 records (this board and rule)");
    engine.told("yxdbtopos\npos.txt", "MESSAGE wrote 4 positions to pos.txt");
    // The branch below the position that was named last.
    engine.send("yxquerydatabaseone\n7,7\n8,8\ndone");
    engine.line();
    engine.told("yxdbsplit\npart.db", "MESSAGE wrote 3 records into the split database");
    let again = "yxsetdatabase\nb.db\nyxdbmerge\npart.db";
    engine.told(again, "MESSAGE merged 3 out of 3 records into the database");
    engine.told("yxtxttodb\nall.csv", "MESSAGE imported 1 out of 4 records into the database");
    engine.told("yxdbtotxtall\nb.csv", "MESSAGE wrote 4 records");
    engine.end();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("all.csv"), read("b.csv"));
    assert_eq!(read("all.csv"), read("this.csv"));
    assert!(read("all.csv").starts_with(
        "index,key,label,value,depth,bound,text\n0,f-15-15-d4--w,l,40,7,exact,\"\"\n"
    ));
    assert_eq!(read("pos.txt").lines().count(), 4);
}

#[test]
fn libraries_come_and_go() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine
        .send("yxedittvddatabase 7 119 -29993 7\n7,7\ndone\nyxeditlabeldatabase 6,5 A\n7,7\ndone");
    engine.line();
    engine.told("yxdbtolib\nours.lib", "MESSAGE wrote 2 records to ours.lib");
    // A stone upon another, and an end in the middle of a node.
    let head = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    let nodes = b"\x00\x00\x78\x08\x08centre\0\x78\x40\x79";
    fs::write(folder.path().join("bad.lib"), [&head[..], nodes].concat()).unwrap();
    fs::write(folder.path().join("no.lib"), "!<arch>").unwrap();
    let told = engine.told("yxsetdatabase\nb.db\nyxlibtodb\nbad.lib", "MESSAGE imported");
    assert_eq!(
        told[1],
        "MESSAGE bad.lib is damaged: byte 34: the tree is complete here, but the file goes on; \
         nodes read before: 2"
    );
    assert_eq!(told[2], "MESSAGE 1 nodes left out: they cannot be played");
    assert!(told[3].starts_with("MESSAGE imported 2 nodes, 1 records are new in "), "{told:?}");
    engine.told("yxlibtodb\nours.lib", "MESSAGE imported 2 nodes, 1 records are new");
    engine.send("yxquerydatabaseone\n7,7\ndone\nyxquerydatabasetext\n7,7\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 -29993 7 3 w8");
    engine.expect("MESSAGE DATABASE TEXT \"centre\"");
    for (file, why) in [
        ("no.lib", "byte 0: this is no RenLib library"),
        ("none.lib", ""),
        (".", "not a plain file"),
    ] {
        engine.send(&format!("yxlibtodb\n{file}"));
        let line = engine.line();
        assert!(line.contains(&format!("{file} not imported: {why}")), "{line}");
    }
    engine.send("yxdbtolib\nno/such/folder/x.lib");
    assert!(engine.line().contains("no/such/folder/x.lib not written: "));
    engine.told("start 20\nyxdbtolib\nx.lib", "MESSAGE x.lib not written: a library is about");
    engine.end();
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = own_folder();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("try"), b"").is_ok() {
        // Nothing is forbidden to the superuser.
        return;
    }
    let mut engine = with_database(folder.path());
    engine.send("yxsetdatabase\nlocked/a.db\nyxedittvddatabase 1 119 0 0\n7,7\ndone");
    engine.expect("MESSAGE locked/a.db does not exist yet; saving makes it");
    assert!(engine.line().starts_with("MESSAGE nothing was changed: "));
    engine.end();
}

/// Kills the engine at many moments of edits and saves: the file is always
/// whole, and what was confirmed is in it or in the journal.
#[test]
fn a_kill_at_any_moment_loses_nothing_that_was_confirmed() {
    let folder = own_folder();
    let path = folder.path().join("a b.db");
    {
        // So large that saving takes a while.
        let (mut database, _) = Database::open(&path).unwrap();
        let store = database.change_many().unwrap();
        for i in 0..20_000 {
            let cells: Vec<_> = (0..6)
                .map(|n| mix(i * 8 + n) as usize % 210)
                .map(|at| (at % 14, at / 14))
                .collect();
            let distinct = (1..6).all(|n| !cells[..n].contains(&cells[n]));
            if distinct {
                store.set(&place(&cells).key().unwrap(), &Record::default());
            }
        }
        database.save().unwrap();
    }
    let mut confirmed: Vec<(usize, usize, i16)> = Vec::new();
    for round in 0..25_u64 {
        let mut engine = with_database(folder.path());
        let mut sent = Vec::new();
        for n in 0..40 {
            let (x, y) = (n % 15, (round as usize + n / 15) % 15);
            let value = (round * 40) as i16 + n as i16;
            engine.send(&format!("yxedittvddatabase 7 -1 {value} 1\n14,14\n0,0\n{x},{y}\ndone"));
            if (x, y) != (14, 14) && (x, y) != (0, 0) {
                sent.push((x, y, value));
            }
            if n % 3 == 0 {
                engine.send("yxsavedatabase");
            }
        }
        // However slow the machine, something is confirmed.
        engine.told("", "MESSAGE DATABASE ONE -1 ");
        std::thread::sleep(Duration::from_millis(mix(round) % 250));
        let mut answered = 1;
        while let Some(line) = engine.line_within(Duration::ZERO) {
            answered += usize::from(line.starts_with("MESSAGE DATABASE ONE -1 "));
        }
        // Drop kills.
        drop(engine);
        confirmed.extend(&sent[..answered.min(sent.len())]);
        let (mut database, report) = Database::open(&path).unwrap();
        assert_eq!(report.faults, 0, "round {round}: {:?}", report.damage);
        database.set_read_only();
        let mut newest = std::collections::BTreeMap::new();
        for &(x, y, value) in &confirmed {
            let key = place(&[(14, 14), (0, 0), (x, y)]).key().unwrap();
            newest.insert(key.bytes().to_vec(), (key, value));
        }
        for (key, value) in newest.values() {
            let kept = database.store().get(key).map(|record| record.value);
            assert!(kept >= Some(*value), "round {round}: {kept:?} instead of {value}");
        }
    }
    assert!(confirmed.len() >= 25, "{}", confirmed.len());
}

#[test]
fn the_usual_database_lies_in_the_folder_that_is_named() {
    let folder = own_folder();
    fs::create_dir(folder.path().join("data")).unwrap();
    let edit = "yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone\nyxsavedatabase";
    for (named, kept) in [("data", true), ("nowhere", false)] {
        let mut engine = Engine::launch_in(folder.path());
        let path = folder.path().join(named);
        engine.send(&format!("INFO folder {}\nSTART 15", path.display()));
        engine.expect("OK");
        let mut told = engine.messages("INFO usedatabase 1");
        // Nothing is made before there is something to be kept.
        assert!(!path.join("goren").exists(), "{told:?}");
        told.extend(engine.messages(edit));
        assert_eq!(path.join("goren").join("goren.db").exists(), kept, "{told:?}");
        let refused = |line: &String| line.contains("not used: there is no folder");
        assert_eq!(told.iter().any(refused), !kept, "{told:?}");
        // Neither beside it, nor is a folder made.
        assert!(!folder.path().join("goren.db").exists() && path.exists() == kept, "{told:?}");
        engine.ask("TURN 7,7");
        engine.end();
    }
}

/// A folder that several engines were given holds one of each; a database that
/// lies in it from before goes on where it is.
#[test]
fn engines_that_share_a_folder_keep_apart() {
    let edit = "yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone";
    let one = "yxquerydatabaseone\n7,7\n8,8\ndone";
    let known = "MESSAGE DATABASE ONE 119 -29993 12 3 w8";
    for before in [None, Some("data/goren.db"), Some("data/goren.db.journal")] {
        let folder = own_folder();
        fs::create_dir(folder.path().join("data")).unwrap();
        fs::write(folder.path().join("data/other.txt"), "another engine's").unwrap();
        before.into_iter().for_each(|file| fs::write(folder.path().join(file), "").unwrap());
        let open = format!(
            "INFO folder {}\nSTART 15\nINFO usedatabase 1",
            folder.path().join("data").display()
        );
        let session = |lines: &str| {
            let mut engine = Engine::launch_in(folder.path());
            engine.send(&open);
            engine.expect("OK");
            let told = engine.messages(lines);
            engine.end();
            told
        };
        assert!(session(edit).contains(&known.to_owned()));
        let own = folder.path().join("data/goren/goren.db");
        assert_eq!(own.exists(), before.is_none(), "{before:?}");
        assert_eq!(folder.path().join("data/goren.db").exists(), before.is_some(), "{before:?}");
        assert!(session(one).contains(&known.to_owned()), "{before:?}");
    }
    // Our own folder goes before what lies around it.
    let folder = own_folder();
    fs::create_dir_all(folder.path().join("data/goren")).unwrap();
    for file in ["data/goren.db", "data/goren/goren.db"] {
        fs::write(folder.path().join(file), "").unwrap();
    }
    let mut engine = Engine::launch_in(folder.path());
    engine.send(&format!("INFO folder {}\nSTART 15", folder.path().join("data").display()));
    engine.expect("OK");
    engine.messages(&format!("INFO usedatabase 1\n{edit}\nyxsavedatabase"));
    assert_eq!(fs::metadata(folder.path().join("data/goren.db")).unwrap().len(), 0);
    assert!(fs::metadata(folder.path().join("data/goren/goren.db")).unwrap().len() > 0);
    engine.end();
}

#[test]
fn an_empty_file_is_a_new_database() {
    let folder = own_folder();
    fs::write(folder.path().join("a b.db"), "").unwrap();
    let mut engine = with_database(folder.path());
    assert_eq!(engine.messages("yxdbcheck").len(), 1);
    engine.told("yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone", "MESSAGE DATABASE ONE");
    engine.told("yxsavedatabase", "MESSAGE saved");
    engine.end();
    assert_eq!(stored(folder.path(), &[(7, 7), (8, 8)]).unwrap().value, -29993);
    assert!(!folder.path().join("a b_bak1.db").exists());
    // What is not empty is not taken for one.
    fs::write(folder.path().join("a b.db"), "\n").unwrap();
    let mut engine = Engine::launch_in(folder.path());
    engine.send("START 15");
    engine.expect("OK");
    let told = engine.messages("yxsetdatabase\na b.db");
    assert!(told.iter().any(|line| line.contains("not a database")), "{told:?}");
    engine.end();
}

#[test]
fn a_database_that_was_named_stays_where_it_is() {
    let folder = own_folder();
    fs::create_dir(folder.path().join("data")).unwrap();
    let mut engine = with_database(folder.path());
    let data = folder.path().join("data");
    let again = format!("INFO folder {}\nINFO usedatabase 0\nINFO usedatabase 1", data.display());
    engine.messages(&format!("{again}\nyxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone"));
    engine.end();
    assert!(!data.join("a b.db").exists());
    assert_eq!(stored(folder.path(), &[(7, 7), (8, 8)]).unwrap().value, -29993);
}

#[test]
fn a_question_during_an_opening_is_about_the_game_that_is_shown() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine.send("INFO max_node 2000\nyxedittvddatabase 1 119 0 0\n7,7\n8,8\ndone");
    engine.line();
    let query = "yxquerydatabaseall\n7,7\ndone";
    let rows = |told: &[String]| told.iter().filter(|l| l.contains("DATABASE 8 8 ")).count();
    engine.ask("board\n7,7,2\ndone");
    assert_eq!(rows(&engine.told(query, "MESSAGE DATABASE DONE")), 1);
    // That was freestyle.
    engine.send("INFO rule 2\nstart 15");
    engine.expect("OK");
    // Without a limit, so that the question comes while the step is thought of.
    let asked = format!("INFO max_node -1\nyxsoosorvstep2\n7,7\n7,8\n8,8\ndone\n{query}");
    assert_eq!(rows(&engine.told(&asked, "MESSAGE DATABASE DONE")), 0);
    let told = engine.messages("yxstop");
    assert!(told.iter().any(|line| line.starts_with("MESSAGE SOOSORV SWAP1 ")), "{told:?}");
    engine.end();
}
