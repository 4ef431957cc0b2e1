//! `goren match` from outside: whole matches, bad engines, broken runs.
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
fn a_match_leaves_its_games_and_a_verdict_in_words() {
    let folder = Folder::new();
    let out = folder.path("out");
    let weak = format!("name=weak cmd='{}' nodes=1", engine());
    let said = runs(&[
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
    // Three games are two pairs.
    assert!(said.contains("Goren vs weak: 4 games"), "{said}");
    assert!(said.contains("runner overhead"), "{said}");
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
    assert!(said.starts_with(&summary), "{summary}");
    assert!(folder.read("out/plot.svg").contains("Goren against weak, renju 15x15"));
}

#[test]
fn a_test_stops_at_its_verdict() {
    let folder = Folder::new();
    let (out, bad) = (folder.path("out"), polite(""));
    let bad = format!("name=bad {bad}");
    let test = ["-e", engine(), "-e", &bad, "--nodes", "200", "--sprt", "0,100"];
    let test = [&test[..], &["--random-openings", "50", "--out", &out]].concat();
    let said = runs(&[&test[..], &["--concurrency", "2"]].concat());
    assert!(said.contains("H1 accepted after"), "{said}");
    let before = games(&folder).len();
    // A resume finds the verdict in the journal.
    let again = runs(&[&test[..], &["--resume"]].concat());
    assert!(again.contains("0 games in this run"), "{again}");
    assert_eq!(games(&folder).len(), before);
}

#[test]
fn many_engines_are_rated() {
    let [a, b] = ["", "sleep 0; "].map(polite);
    let engines = ["-e", &format!("name=a {a}"), "-e", &format!("name=b {b}"), "-e", engine()];
    let most = ["--nodes", "100", "--games", "2", "--random-openings", "1"];
    let said = runs(&[&engines[..], &most].concat());
    for part in ["a vs b: 2", "a vs Goren: 2", "b vs Goren: 2", "Elo (95%)    games"] {
        assert!(said.contains(part), "{said}");
    }
    let said = runs(&[&engines[..], &most, &["--tournament", "gauntlet"]].concat());
    assert!(said.contains("a vs Goren: 2") && !said.contains("b vs Goren"), "{said}");
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
    let said =
        fails(&["-e", &engine, "-e", &engine, "--nodes", "1", "--games", "2", "--openings", &file]);
    assert!(said.contains("openings.txt") && said.contains("line 2"), "{said}");
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
    // A line that says how points are written, and an opening.
    assert_eq!(first.lines().count(), 2);
    // A longer match needs more of them, and begins with the same.
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
fn what_is_no_match_is_refused() {
    for (arguments, words) in [
        (vec!["-e", "x", "--games", "2", "--nodes", "1"], "two engines"),
        (vec!["-e", "x", "-e", "y", "--games", "2"], "nothing limits engine 1"),
        (
            vec!["-e", "x", "-e", "y", "--games", "0", "--nodes", "1"],
            "invalid value '0' for '--games",
        ),
        (vec!["-e", "x", "-e", "y", "--nodes", "1"], "--games"),
        (vec!["-e", "x", "-e", "y", "--games", "2", "--nodes", "0"], "limit of 0"),
        (vec!["-e", "x", "-e", "y", "--sprt", "5,0", "--nodes", "1"], "sprt"),
        (vec!["-e", "cmd=x node=1", "-e", "y", "--games", "2"], "unknown key"),
    ] {
        let said = fails(&arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    assert!(!goren(&["-e", "x"]).status.success());
}
