//! The settings file, for settings that a manager does not send.

use std::fs;
use std::path::Path;

use goren_core::rules::RuleId;
use tempfile::TempDir;

use crate::engine::{Engine, own_folder};
use crate::weights::{POSITION, even, is_even};

/// An engine with this settings file, and the folder in which it runs.
fn with_settings(text: &str) -> (Engine, TempDir) {
    let folder = own_folder();
    let path = folder.path().join("club.txt");
    fs::write(&path, text).unwrap();
    (Engine::launch_with(folder.path(), Some(&path)), folder)
}

#[test]
fn settings_of_the_file_hold_until_the_manager_sends_others() {
    let (mut engine, _folder) = with_settings("# Renju.\nINFO rule 4\n");
    engine.send("START 15\nINFO max_node 500");
    engine.expect("OK");
    // Two open twos of Black's cross in column 5, row 2.
    let cross = "yxboard\n6,2,1\n0,14,2\n7,2,1\n3,14,2\n5,3,1\n6,14,2\n5,4,1\n9,14,2\ndone";
    let forbidden = |engine: &mut Engine| {
        engine.send(&format!("{cross}\nyxshowforbid"));
        engine.line()
    };
    assert_ne!(forbidden(&mut engine), "FORBID .");
    engine.send("INFO rule 0");
    assert_eq!(forbidden(&mut engine), "FORBID .");
    engine.quiet();
    engine.end();
}

/// The file is read before the manager names its folder: the database once stayed in the
/// folder in which the engine was started, which Piskvork deletes.
#[test]
fn the_database_of_the_file_is_in_the_folder_of_the_manager() {
    let (mut engine, folder) = with_settings("INFO usedatabase 1\n");
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    engine.send("INFO timeout_turn 100\nSTART 15");
    engine.expect("OK");
    engine.messages(&format!("INFO folder {}", data.display()));
    let edit = "yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone\nyxsavedatabase";
    let messages = engine.messages(edit);
    engine.end();
    assert!(data.join("goren").join("goren.db").exists(), "{messages:?}");
    assert!(!folder.path().join("goren.db").exists(), "{messages:?}");
}

/// A folder whose database cannot be opened once left the engine without any.
#[test]
fn the_database_stays_open_if_the_folder_has_no_usable_one() {
    let (mut engine, folder) = with_settings("INFO usedatabase 1\n");
    let data = folder.path().join("data");
    fs::create_dir_all(data.join("goren").join("goren.db")).unwrap();
    engine.send("INFO timeout_turn 100\nSTART 15");
    engine.expect("OK");
    let messages = engine.messages(&format!("INFO folder {}", data.display()));
    assert!(messages.iter().any(|line| line.contains("not used")), "{messages:?}");
    let edit = "yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone\nyxsavedatabase";
    let messages = engine.messages(edit);
    engine.end();
    assert!(folder.path().join("goren.db").is_file(), "{messages:?}");
}

/// Relative paths once counted from the folder in which the engine was started, which a
/// manager chooses.
#[test]
fn relative_paths_of_the_file_count_from_its_folder() {
    let (club, folder) = (own_folder(), own_folder());
    let path = club.path().join("club.txt");
    fs::write(&path, "INFO weights even.bin\nINFO folder data\nINFO usedatabase 1\n").unwrap();
    fs::write(club.path().join("even.bin"), even(RuleId::Freestyle)).unwrap();
    fs::create_dir(club.path().join("data")).unwrap();
    let mut engine = Engine::launch_with(folder.path(), Some(&path));
    engine.send("INFO timeout_turn 10000\nINFO max_node 2000\nSTART 15");
    engine.expect("OK");
    assert!(engine.line().ends_with("does not exist yet; saving creates it"));
    engine.quiet();
    assert!(is_even(&mut engine, POSITION));
    let messages =
        engine.messages("yxedittvddatabase 7 87 -29993 12\n7,7\n8,8\ndone\nyxsavedatabase");
    engine.end();
    assert!(club.path().join("data/goren/goren.db").exists(), "{messages:?}");
}

/// An empty name once hid the file next to the program, and was reported as a missing file.
#[test]
fn an_empty_variable_names_no_file() {
    let folder = own_folder();
    let mut engine = Engine::launch_with(folder.path(), Some(Path::new("")));
    engine.send("START 15");
    engine.expect("OK");
    engine.quiet();
    engine.end();
}

#[test]
fn unusable_lines_are_reported_after_the_first_ok() {
    let (mut engine, _folder) = with_settings("INFO max_node 9\nSTART 20\n");
    engine.quiet();
    engine.send("START 15");
    engine.expect("OK");
    engine.expect("MESSAGE club.txt: line 2: expected INFO KEY VALUE, found START 20");
    // Only once.
    engine.send("START 15");
    engine.expect("OK");
    engine.quiet();
    engine.end();
    let folder = own_folder();
    let mut engine = Engine::launch_with(folder.path(), Some(&folder.path().join("none.txt")));
    engine.send("START 15");
    engine.expect("OK");
    assert!(engine.line().starts_with("MESSAGE none.txt: "));
    engine.quiet();
    engine.end();
}
