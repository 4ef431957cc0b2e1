//! Broken runs: nothing is lost, nothing is counted twice.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Folder, engine, fails, games, runs};

/// A match at fixed nodes with fresh processes, which plays the same games
/// whenever it is run.
fn arguments<'a>(out: &'a str, games: &'a str, weak: &'a str) -> Vec<&'a str> {
    vec![
        "-e",
        engine(),
        "-e",
        weak,
        "--nodes",
        "200",
        "--games",
        games,
        "--random-openings",
        "5",
        "--restart",
        "--out",
        out,
    ]
}

fn weak() -> String {
    format!("name=weak cmd='{engine}' nodes=20", engine = engine())
}

/// Moves and results by the number of the game.
fn played(folder: &Folder) -> Vec<(u64, String)> {
    let points = |game: &Value| {
        let plies = game["plies"].as_array().unwrap();
        plies.iter().map(|ply| ply["ply"].to_string()).collect::<String>()
            + game["result"].as_str().unwrap()
    };
    let games = games(folder);
    let mut played: Vec<(u64, String)> =
        games.iter().map(|game| (game["game"].as_u64().unwrap(), points(game))).collect();
    played.sort();
    played
}

#[test]
fn a_match_that_was_killed_goes_on_as_if_nothing_had_been() {
    let (whole, broken, weak) = (Folder::new(), Folder::new(), weak());
    runs(&arguments(&whole.path("out"), "14", &weak));
    let out = broken.path("out");
    let mut run = Command::new(env!("CARGO_BIN_EXE_goren"))
        .arg("match")
        .args(arguments(&out, "14", &weak))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while broken.read("out/games.jsonl").lines().count() < 4 && Instant::now() < until {
        sleep(Duration::from_millis(2));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    // A line that says what is played, and one for each game: some are left to play.
    let lines = broken.read("out/games.jsonl").lines().count();
    assert!((4..15).contains(&lines), "{lines}");
    let said = runs(&[&arguments(&out, "14", &weak)[..], &["--resume"]].concat());
    assert!(said.contains("Goren vs weak: 14 games"), "{said}");
    assert!(played(&broken) == played(&whole));
    assert_eq!(broken.read("out/games.sgf").lines().count(), 14);
}

#[test]
fn a_journal_that_ends_within_a_line_is_gone_on_with() {
    let (folder, weak) = (Folder::new(), weak());
    let out = folder.path("out");
    runs(&arguments(&out, "6", &weak));
    let (before, journal) = (played(&folder), folder.path("out/games.jsonl"));
    let length = fs::metadata(&journal).unwrap().len();
    File::options().write(true).open(&journal).unwrap().set_len(length - 20).unwrap();
    // Without a word nothing is overwritten.
    let said = fails(&arguments(&out, "6", &weak));
    assert!(said.contains("games.jsonl holds a match already"), "{said}");
    runs(&[&arguments(&out, "6", &weak)[..], &["--resume"]].concat());
    assert!(played(&folder) == before);
    assert_eq!(folder.read("out/games.sgf").lines().count(), 6);
    // A longer match begins with the same games.
    runs(&[&arguments(&out, "10", &weak)[..], &["--resume"]].concat());
    assert_eq!(played(&folder).len(), 10);
    assert!(played(&folder)[..6] == before);
    let said = fails(&[&arguments(&out, "10", engine())[..], &["--resume"]].concat());
    assert!(said.contains("begun with other settings: nodes of engine 2 was 20, is 200"), "{said}");
}

/// A limit on the size of files stands in for the full disk.
#[test]
fn a_full_disk_keeps_what_was_played() {
    let (whole, full, weak) = (Folder::new(), Folder::new(), weak());
    runs(&arguments(&whole.path("out"), "10", &weak));
    let out = full.path("out");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_goren"), "match"])
        .args(arguments(&out, "10", &weak))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("cannot write"), "{said}");
    assert!(said.contains("games.jsonl"), "{said}");
    // The journal holds whole lines alone.
    let text = full.read("out/games.jsonl");
    assert!(text.ends_with('\n') && !games(&full).is_empty());
    runs(&[&arguments(&out, "10", &weak)[..], &["--resume"]].concat());
    assert!(played(&full) == played(&whole));
}
