//! Interrupted runs: no game is lost, none is counted twice.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Folder, engine, fails, games, runs};

/// Arguments of a match at fixed nodes with fresh processes, which plays the same
/// games in every run.
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
fn a_killed_match_resumes_to_the_same_games() {
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
    // A head line, and one line for each game: some games are left to play.
    let lines = broken.read("out/games.jsonl").lines().count();
    assert!((4..15).contains(&lines), "{lines}");
    let output = runs(&[&arguments(&out, "14", &weak)[..], &["--resume"]].concat());
    assert!(output.contains("Goren vs weak: 14 games"), "{output}");
    assert!(played(&broken) == played(&whole));
    assert_eq!(broken.read("out/games.sgf").lines().count(), 14);
}

#[test]
fn a_journal_that_ends_within_a_line_is_resumed() {
    let (folder, weak) = (Folder::new(), weak());
    let out = folder.path("out");
    runs(&arguments(&out, "6", &weak));
    let (before, journal) = (played(&folder), folder.path("out/games.jsonl"));
    let length = fs::metadata(&journal).unwrap().len();
    File::options().write(true).open(&journal).unwrap().set_len(length - 20).unwrap();
    // Without `--resume` nothing is overwritten.
    let output = fails(&arguments(&out, "6", &weak));
    assert!(output.contains("games.jsonl holds a match already"), "{output}");
    runs(&[&arguments(&out, "6", &weak)[..], &["--resume"]].concat());
    assert!(played(&folder) == before);
    assert_eq!(folder.read("out/games.sgf").lines().count(), 6);
    // A longer match begins with the same games.
    runs(&[&arguments(&out, "10", &weak)[..], &["--resume"]].concat());
    assert_eq!(played(&folder).len(), 10);
    assert!(played(&folder)[..6] == before);
    let output = fails(&[&arguments(&out, "10", engine())[..], &["--resume"]].concat());
    let why = "begun with other settings: nodes of engine 2 was 20, is 200";
    assert!(output.contains(why), "{output}");
}

/// A limit on the size of files stands in for the full disk.
#[test]
fn a_full_disk_keeps_the_played_games() {
    let (whole, full, weak) = (Folder::new(), Folder::new(), weak());
    runs(&arguments(&whole.path("out"), "10", &weak));
    let out = full.path("out");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_goren"), "match"])
        .args(arguments(&out, "10", &weak))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("cannot write"), "{errors}");
    assert!(errors.contains("games.jsonl"), "{errors}");
    // The journal has only whole lines.
    let text = full.read("out/games.jsonl");
    assert!(text.ends_with('\n') && !games(&full).is_empty());
    runs(&[&arguments(&out, "10", &weak)[..], &["--resume"]].concat());
    assert!(played(&full) == played(&whole));
}
