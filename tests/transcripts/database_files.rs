//! Files of databases: texts, parts and libraries, folders, and kills.

use std::fs;
use std::time::Duration;

use goren_core::types::keys::mix;
use goren_database::{Database, Record};

use crate::database::{place, stored, with_database};
use crate::engine::{Engine, own_folder};

#[test]
fn bad_lists_and_paths_are_reported_and_harm_nothing() {
    let folder = own_folder();
    fs::write(folder.path().join("notes.txt"), "no database at all").unwrap();
    let mut engine = with_database(folder.path());
    engine.send("yxquerydatabaseall\n7,15\ndone");
    engine.expect("MESSAGE 7,15 is outside the board");
    engine.send("yxquerydatabaseall\n7,7\n7,7\ndone");
    engine.expect("MESSAGE the list is not a legal position: move 2 is on an occupied point");
    engine.send("yxedittvddatabase 1 7000 0 0\n7,7\ndone");
    engine.expect("MESSAGE tag 7000 is not an ASCII character");
    engine.send("yxedittvddatabase 1 119 0 0\n7,7\n-1,-1\n6,6\n-1,-1\ndone");
    engine.expect("MESSAGE the database cannot store a position after this many passes");
    engine.send("yxedittvddatabase 7 119 -99999 99999\n7,7\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 -32768 8191 3 w-2767");
    for (command, file) in
        [("yxdbmerge", "no/such.db"), ("yxdbmerge", "none.db"), ("yxtxttodb", "none.txt")]
    {
        engine.send(&format!("{command}\n{file}"));
        let line = engine.line();
        assert!(line.contains(file) && line.contains(" not "), "{line}");
    }
    // The file of the open database lacks unsaved changes, and would undo them.
    for path in ["a b.db", "./a b.db"] {
        engine.send(&format!("yxdbmerge\n{path}"));
        engine.expect(&format!("MESSAGE the file {path} was not merged: it is the open database"));
    }
    for command in ["yxdbtotxt", "yxdbtotxtall", "yxdbtopos", "yxdbsplit"] {
        for path in ["no/such/folder/x", "a b.db", "./a b.db"] {
            engine.send(&format!("{command}\n{path}"));
            let line = engine.line();
            assert!(line.contains(&format!("{path} was not written: ")), "{line}");
        }
    }
    let messages = engine.lines_until("yxsetdatabase\nnotes.txt", "MESSAGE DATABASE LOAD DONE");
    assert!(messages[1].contains("notes.txt is not used: not a database: byte"), "{messages:?}");
    // The previous database is still open.
    engine.send("yxquerydatabaseone\n7,7\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 -32768 8191 3 w-2767");
    let messages = engine.lines_until("yxdbcheck", "MESSAGE checked");
    assert_eq!(
        messages,
        [
            "MESSAGE f-15-15-h8--w: the impossible value -32768",
            "MESSAGE checked 1 records: 1 findings",
        ]
    );
    engine.lines_until("yxdbfix", "MESSAGE fixed 1 records");
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
    engine.lines_until("yxdbtotxtall\nall.csv", "MESSAGE wrote 4 records (all) to all.csv");
    engine.lines_until("yxdbtotxt\nthis.csv", "MESSAGE wrote 4 records (this board and rule)");
    engine.lines_until("yxdbtopos\npos.txt", "MESSAGE wrote 4 positions to pos.txt");
    // The branch below the last position that was named.
    engine.send("yxquerydatabaseone\n7,7\n8,8\ndone");
    engine.line();
    engine.lines_until("yxdbsplit\npart.db", "MESSAGE wrote 3 records into the split database");
    let again = "yxsetdatabase\nb.db\nyxdbmerge\npart.db";
    engine.lines_until(again, "MESSAGE merged 3 out of 3 records into the database");
    let imported = "MESSAGE imported 1 out of 4 records into the database";
    engine.lines_until("yxtxttodb\nall.csv", imported);
    engine.lines_until("yxdbtotxtall\nb.csv", "MESSAGE wrote 4 records");
    engine.end();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("all.csv"), read("b.csv"));
    assert_eq!(read("all.csv"), read("this.csv"));
    assert!(read("all.csv").starts_with(
        "index,key,label,value,depth,bound,text\n0,f-15-15-d4--w,l,40,7,exact,\"\"\n"
    ));
    assert_eq!(read("pos.txt").lines().count(), 4);
}

/// A damaged database was once merged, and written to, without a warning.
#[test]
fn damage_of_other_databases_is_reported() {
    let folder = own_folder();
    let path = folder.path().join("cut.db");
    {
        let (mut database, _) = Database::open(&path).unwrap();
        database.set_packed(false);
        let store = database.change_many().unwrap();
        for x in 0..8 {
            store.set(&place(&[(x, 0)]).key().unwrap(), &Record::default());
        }
        database.save().unwrap();
    }
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    let mut engine = with_database(folder.path());
    for command in ["yxdbmerge", "yxdbsplit"] {
        let messages = engine.messages(&format!("{command}\ncut.db"));
        let begin = "MESSAGE the file cut.db: the file is damaged: byte ";
        assert!(messages[0].starts_with(begin), "{messages:?}");
    }
    engine.end();
}

/// The list of an earlier game was once used, with no answer if it did not fit the board.
#[test]
fn a_new_game_is_split_from_its_own_position() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    for list in ["7,7", "14,14"] {
        engine.send(&format!("yxedittvddatabase 7 108 40 7\n{list}\ndone"));
        engine.line();
    }
    for (size, records) in [(15, 2), (10, 0)] {
        engine.send(&format!("start {size}"));
        engine.expect("OK");
        let split = format!("yxdbsplit\npart{size}.db");
        let wrote = format!("MESSAGE wrote {records} records into the split database");
        engine.lines_until(&split, &wrote);
    }
    engine.end();
}

#[test]
fn libraries_are_imported_and_exported() {
    let folder = own_folder();
    let mut engine = with_database(folder.path());
    engine
        .send("yxedittvddatabase 7 119 -29993 7\n7,7\ndone\nyxeditlabeldatabase 6,5 A\n7,7\ndone");
    engine.line();
    engine.lines_until("yxdbtolib\nours.lib", "MESSAGE wrote 2 records to ours.lib");
    // A stone on an occupied point, and half a node at the end.
    let head = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    let nodes = b"\x00\x00\x78\x08\x08centre\0\x78\x40\x79";
    fs::write(folder.path().join("bad.lib"), [&head[..], nodes].concat()).unwrap();
    fs::write(folder.path().join("no.lib"), "!<arch>").unwrap();
    let import = "yxsetdatabase\nb.db\nyxlibtodb\nbad.lib";
    let messages = engine.lines_until(import, "MESSAGE imported");
    assert_eq!(
        messages[1],
        "MESSAGE the file bad.lib is damaged: byte 34: the tree is complete here, but the file goes on; \
         nodes read before: 2"
    );
    assert_eq!(messages[2], "MESSAGE 1 nodes left out: they cannot be played");
    assert!(
        messages[3].starts_with("MESSAGE imported 2 nodes, 1 records are new in "),
        "{messages:?}"
    );
    engine.lines_until("yxlibtodb\nours.lib", "MESSAGE imported 2 nodes, 1 records are new");
    engine.send("yxquerydatabaseone\n7,7\ndone\nyxquerydatabasetext\n7,7\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 -29993 7 3 w8");
    engine.expect("MESSAGE DATABASE TEXT \"centre\"");
    for (file, why) in
        [("no.lib", "byte 0: not a RenLib library"), ("none.lib", ""), (".", "not a plain file")]
    {
        engine.send(&format!("yxlibtodb\n{file}"));
        let line = engine.line();
        assert!(line.contains(&format!("{file} was not imported: {why}")), "{line}");
    }
    engine.send("yxdbtolib\nno/such/folder/x.lib");
    assert!(engine.line().contains("no/such/folder/x.lib was not written: "));
    engine.lines_until(
        "start 20\nyxdbtolib\nx.lib",
        "MESSAGE the file x.lib was not written: a library has a board of",
    );
    engine.end();
}

#[test]
fn a_missing_folder_is_reported() {
    let folder = own_folder();
    let gone = folder.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let mut engine = with_database(folder.path());
    engine.send("yxsetdatabase\ngone/a.db");
    engine.expect("MESSAGE the file gone/a.db does not exist yet; saving creates it");
    fs::remove_dir(&gone).unwrap();
    engine.send("yxedittvddatabase 1 119 0 0\n7,7\ndone");
    assert!(engine.line().starts_with("MESSAGE nothing was changed: "));
    engine.end();
}

#[cfg(unix)]
#[test]
fn a_write_protected_folder_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = own_folder();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("try"), b"").is_ok() {
        println!("not tested: nothing is forbidden to the superuser");
        return;
    }
    let mut engine = with_database(folder.path());
    engine.send("yxsetdatabase\nlocked/a.db\nyxedittvddatabase 1 119 0 0\n7,7\ndone");
    engine.expect("MESSAGE the file locked/a.db does not exist yet; saving creates it");
    assert!(engine.line().starts_with("MESSAGE nothing was changed: "));
    engine.end();
}

/// The session once overwrote records that another program had added since it read the file.
#[test]
fn records_saved_by_another_program_stay() {
    let folder = own_folder();
    let path = folder.path().join("a b.db");
    let mut engine = with_database(folder.path());
    let theirs = place(&[(3, 3)]).key().unwrap();
    let (mut database, _) = Database::open(&path).unwrap();
    database.change_many().unwrap().set(&theirs, &Record::default());
    database.save().unwrap();
    drop(database);
    engine.send("yxedittvddatabase 1 119 0 0\n7,7\ndone");
    engine.expect("MESSAGE DATABASE ONE 119 0 0 0 w*");
    let messages = engine.lines_until("yxsavedatabase", "MESSAGE DATABASE SAVE DONE");
    assert!(
        messages.iter().any(|line| line.contains("not saved: another program")),
        "{messages:?}"
    );
    engine.end();
    let (database, report) = Database::open(&path).unwrap();
    assert_eq!((report.recovered, database.store().len()), (1, 2));
    assert!(database.store().contains(&theirs));
}

/// Kills the engine at many moments of edits and saves: the file is always
/// whole, and confirmed edits are in it or in the journal.
#[test]
fn a_kill_at_any_moment_loses_no_confirmed_edit() {
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
        // However slow the machine, at least one edit is confirmed.
        engine.lines_until("", "MESSAGE DATABASE ONE -1 ");
        std::thread::sleep(Duration::from_millis(mix(round) % 250));
        let mut answered = 1;
        while let Some(line) = engine.line_within(Duration::ZERO) {
            answered += usize::from(line.starts_with("MESSAGE DATABASE ONE -1 "));
        }
        // Dropping it kills the process.
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
            let found = database.store().get(key).map(|record| record.value);
            assert!(found >= Some(*value), "round {round}: {found:?} instead of {value}");
        }
    }
    assert!(confirmed.len() >= 25, "{}", confirmed.len());
}

#[test]
fn the_usual_database_is_in_the_named_folder() {
    let folder = own_folder();
    fs::create_dir(folder.path().join("data")).unwrap();
    let edit = "yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone\nyxsavedatabase";
    for (named, exists) in [("data", true), ("nowhere", false)] {
        let mut engine = Engine::launch_in(folder.path());
        let path = folder.path().join(named);
        let start = format!("INFO timeout_turn 100\nINFO folder {}\nSTART 15", path.display());
        engine.send(&start);
        engine.expect("OK");
        let mut messages = engine.messages("INFO usedatabase 1");
        // Nothing is created before there is something to store.
        assert!(!path.join("goren").exists(), "{messages:?}");
        messages.extend(engine.messages(edit));
        assert_eq!(path.join("goren").join("goren.db").exists(), exists, "{messages:?}");
        let refused = |line: &String| line.contains("not used: there is no folder");
        assert_eq!(messages.iter().any(refused), !exists, "{messages:?}");
        // No file is created in the working folder, and no folder either.
        assert!(!folder.path().join("goren.db").exists(), "{messages:?}");
        assert_eq!(path.exists(), exists, "{messages:?}");
        engine.ask("TURN 7,7");
        engine.end();
    }
}

/// After `yxsetdatabase` with a file that is no database, switching databases off and on
/// once tried that file again, and left none open. With a named folder that has no database
/// yet, the previous database was lost at once.
#[test]
fn a_file_that_is_no_database_does_not_become_the_usual_one() {
    let folder = own_folder();
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("notes.txt"), "no database at all").unwrap();
    let known = "MESSAGE DATABASE ONE 119 -29993 12 3 w8";
    let edit = "yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone";
    let one = "yxquerydatabaseone\n7,7\n8,8\ndone";
    for begin in ["yxsetdatabase\na.db", "INFO folder data\nINFO usedatabase 1"] {
        let mut engine = Engine::launch_in(folder.path());
        engine.send("info show_detail 1\nINFO timeout_turn 100\nSTART 15");
        engine.expect("OK");
        engine.messages(begin);
        let messages = engine.messages("yxsetdatabase\nnotes.txt");
        assert!(
            messages.iter().any(|line| line.contains("notes.txt is not used: ")),
            "{messages:?}"
        );
        // Yixin-Board takes lines that begin like this for answers to its queries.
        let answers =
            messages.iter().filter(|line| line.to_uppercase().starts_with("MESSAGE DATABASE "));
        let loads = answers.clone().filter(|line| line.starts_with("MESSAGE DATABASE LOAD "));
        assert_eq!(answers.count(), loads.count(), "{messages:?}");
        engine.lines_until(edit, known);
        engine.messages("yxsavedatabase\nINFO usedatabase 0\nINFO usedatabase 1");
        engine.lines_until(one, known);
        engine.end();
    }
}

#[test]
fn a_failed_save_is_reported_when_the_database_is_closed() {
    let folder = own_folder();
    let path = folder.path().join("a b.db");
    let mut engine = with_database(folder.path());
    let edit = "yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone";
    engine.messages(&format!("{edit}\nyxsavedatabase\n{}", edit.replace("87", "76")));
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let messages = engine.messages("INFO usedatabase 0");
    assert!(messages.iter().any(|line| line.contains("not saved: ")), "{messages:?}");
    engine.end();
}

/// In a folder that several engines share, each has a database of its own; a database
/// that was there before stays in use where it is.
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
            let messages = engine.messages(lines);
            engine.end();
            messages
        };
        assert!(session(edit).contains(&known.to_owned()));
        let own = folder.path().join("data/goren/goren.db");
        assert_eq!(own.exists(), before.is_none(), "{before:?}");
        assert_eq!(folder.path().join("data/goren.db").exists(), before.is_some(), "{before:?}");
        assert!(session(one).contains(&known.to_owned()), "{before:?}");
    }
    // Our own folder takes precedence over the files around it.
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
    engine.lines_until("yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone", "MESSAGE DATABASE ONE");
    engine.lines_until("yxsavedatabase", "MESSAGE saved");
    engine.end();
    assert_eq!(stored(folder.path(), &[(7, 7), (8, 8)]).unwrap().value, -29993);
    assert!(!folder.path().join("a b_bak1.db").exists());
    // A file that is not empty is not a new database.
    fs::write(folder.path().join("a b.db"), "\n").unwrap();
    let mut engine = Engine::launch_in(folder.path());
    engine.send("START 15");
    engine.expect("OK");
    let messages = engine.messages("yxsetdatabase\na b.db");
    assert!(messages.iter().any(|line| line.contains("not a database")), "{messages:?}");
    engine.end();
}

#[test]
fn a_named_database_stays_where_it_is() {
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
