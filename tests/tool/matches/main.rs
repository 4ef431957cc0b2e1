//! `goren match` as a process: whole matches, faulty engines, interrupted runs.
#![cfg(unix)]

mod family;
mod faults;
#[path = "../../support/folder.rs"]
mod folder;
mod log;
mod resume;
mod support;

use support::{Folder, engine, fails, games, goren, polite, runs};

#[test]
fn a_match_writes_its_games_and_prints_a_summary() {
    let folder = Folder::new();
    let out = folder.path("out");
    let weak = format!("name=weak cmd='{}' nodes=1", engine());
    let output = runs(&[
        "-e",
        engine(),
        "-e",
        &weak,
        "--nodes",
        "300",
        "--games",
        "3",
        "--random-openings",
        "9",
        "--rule",
        "renju",
        "--concurrency",
        "2",
        "--out",
        &out,
    ]);
    // Three games are rounded up to two pairs.
    assert!(output.contains("Goren vs weak: 4 games"), "{output}");
    assert!(output.contains("runner overhead"), "{output}");
    let games = games(&folder);
    assert_eq!(games.len(), 4);
    for number in 0..4 {
        let game = games.iter().find(|game| game["game"] == number).unwrap();
        let twin = games.iter().find(|game| game["game"] == (number ^ 1)).unwrap();
        assert_eq!(game["opening"], twin["opening"]);
        assert_eq!((&game["first"], &game["second"]), (&twin["second"], &twin["first"]));
        assert!(["line", "foul", "full"].contains(&game["reason"].as_str().unwrap()));
        assert!(game["plies"].as_array().unwrap().iter().any(|m| m["depth"].as_u64() > Some(0)));
    }
    for (number, name) in (0..4).map(|number| (number, format!("out/psq/{number:06}.psq"))) {
        let text = folder.read(&name);
        assert!(text.starts_with("Piskvorky 15x15"), "{number}: {text}");
    }
    assert_eq!(folder.read("out/games.sgf").matches("(;FF[4]GM[4]").count(), 4);
    let summary = folder.read("out/summary.txt");
    assert!(output.starts_with(&summary), "{summary}");
    assert!(folder.read("out/plot.svg").contains("Goren against weak, renju 15x15"));
}

#[test]
fn an_sprt_stops_at_its_verdict() {
    let folder = Folder::new();
    let (out, bad) = (folder.path("out"), polite(""));
    let bad = format!("name=bad {bad}");
    let test = ["-e", engine(), "-e", &bad, "--nodes", "200", "--sprt", "0,100"];
    let test = [&test[..], &["--random-openings", "50", "--out", &out]].concat();
    let output = runs(&[&test[..], &["--concurrency", "2"]].concat());
    assert!(output.contains("H1 accepted after"), "{output}");
    let before = games(&folder).len();
    // A resumed run finds the verdict in the journal.
    let resumed = runs(&[&test[..], &["--resume"]].concat());
    assert!(resumed.contains("0 games in this run"), "{resumed}");
    assert_eq!(games(&folder).len(), before);
}

#[test]
fn many_engines_are_rated() {
    let [a, b] = ["", "sleep 0; "].map(polite);
    let engines = ["-e", &format!("name=a {a}"), "-e", &format!("name=b {b}"), "-e", engine()];
    let limits = ["--nodes", "100", "--games", "2", "--random-openings", "1"];
    let output = runs(&[&engines[..], &limits].concat());
    for part in ["a vs b: 2", "a vs Goren: 2", "b vs Goren: 2", "Elo (95%)    games"] {
        assert!(output.contains(part), "{output}");
    }
    let output = runs(&[&engines[..], &limits, &["--tournament", "gauntlet"]].concat());
    assert!(output.contains("a vs Goren: 2") && !output.contains("b vs Goren"), "{output}");
}

#[test]
fn openings_come_from_files_of_both_forms() {
    let folder = Folder::new();
    let engine = format!("name=a {}", polite(""));
    for (text, first) in [("h8i9\n", "h8"), ("# offsets\n0,1, 2,2\n", "h7")] {
        let (file, out) = (folder.write("openings.txt", text), folder.path("out"));
        runs(&[
            "-e",
            &engine,
            "-e",
            &engine,
            "--nodes",
            "1",
            "--games",
            "2",
            "--openings",
            &file,
            "--out",
            &out,
        ]);
        assert_eq!(games(&folder)[0]["opening"][0], first);
        folder.remove("out");
    }
    let file = folder.write("openings.txt", "h8i9\nh8p1\n");
    let output =
        fails(&["-e", &engine, "-e", &engine, "--nodes", "1", "--games", "2", "--openings", &file]);
    assert!(output.contains("openings.txt") && output.contains("line 2"), "{output}");
    // Without its pass the opening gives the engines the other colour.
    let file = folder.write("openings.txt", "h8 i9 pass j10\n");
    let game = ["--game", "renju", "--games", "2", "--openings", &file];
    let output = fails(&[&game[..], &["-e", &engine, "-e", &engine, "--nodes", "1"]].concat());
    assert!(output.contains("an opening with a pass: give --opening free"), "{output}");
}

#[test]
fn balanced_openings_are_made_once() {
    let folder = Folder::new();
    let (out, engine) = (folder.path("out"), format!("name=a {}", polite("")));
    let more =
        |games: &'static str| ["--games", games, "--size", "9x7", "--out", &out].map(String::from);
    let with = |games, last: &[&str]| {
        let all = ["-e", &engine, "-e", &engine, "--nodes", "1"].map(String::from);
        let all: Vec<String> = all.into_iter().chain(more(games)).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).chain(last.iter().copied()).collect();
        runs(&all);
    };
    with("2", &[]);
    let first = folder.read("out/openings.txt");
    // A line with the format of the points, and an opening.
    assert_eq!(first.lines().count(), 2);
    // A longer match needs more openings, and begins with the same.
    with("4", &["--resume"]);
    let longer = folder.read("out/openings.txt");
    assert!(longer.starts_with(&first) && longer.lines().count() == 3, "{longer}");
    let games = games(&folder);
    assert_eq!(games.len(), 4);
    assert_eq!((&games[0]["width"], &games[0]["height"]), (&9.into(), &7.into()));
    with("4", &["--resume"]);
    assert_eq!(folder.read("out/openings.txt"), longer);
}

#[test]
fn invalid_matches_are_refused() {
    for (arguments, words) in [
        (vec!["-e", "x", "--games", "2", "--nodes", "1"], "two engines"),
        (vec!["-e", "x", "-e", "y", "--games", "2"], "engine 1 has no limit"),
        (
            vec!["-e", "x", "-e", "y", "--games", "0", "--nodes", "1"],
            "invalid value '0' for '--games",
        ),
        (vec!["-e", "x", "-e", "y", "--nodes", "1"], "--games"),
        (vec!["-e", "x", "-e", "y", "--games", "2", "--nodes", "0"], "limit of 0"),
        (vec!["-e", "x", "-e", "y", "--sprt", "5,0", "--nodes", "1"], "sprt"),
        (vec!["-e", "cmd=x node=1", "-e", "y", "--games", "2"], "unknown key"),
    ] {
        let output = fails(&arguments);
        assert!(output.contains(words), "{arguments:?}: {output}");
    }
    assert!(!goren(&["-e", "x"]).status.success());
}
