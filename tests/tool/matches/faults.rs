//! Engines that misbehave: the match counts each fault by its kind and goes on.

use crate::support::{Folder, answering, command, engine, fails, games, polite, runs, script};

/// Runs a match of four games between a bad engine and a polite one.
fn against(bad: &str, folder: &Folder, more: &[&str]) -> String {
    let (out, bad, good) =
        (folder.path("out"), format!("name=bad {bad}"), format!("name=good {}", polite("")));
    let match_of = ["-e", &bad, "-e", &good, "--games", "4", "--random-openings", "2"];
    runs(&[&match_of[..], &["--out", &out], more].concat())
}

#[test]
fn each_kind_of_fault_loses_the_game_and_is_counted() {
    let nodes = ["--nodes", "1"];
    let timed = ["--time-per-move", "40", "--tolerance", "20", "--hang-after"];
    let [hang, late] = ["150", "20000"].map(|after| [&timed[..], &[after]].concat());
    let cases: [(&str, &str, &[&str]); 8] = [
        ("illegal move", r#"echo "$last""#, &nodes),
        ("illegal move", "echo 15,15", &nodes),
        ("protocol", "echo banana", &nodes),
        ("protocol", "echo SUGGEST 7,7", &nodes),
        ("crash", "exit 3", &nodes),
        ("hang", ":", &hang),
        ("overtime", "sleep 0.2; play", &late),
        ("flood", "cat /dev/zero", &nodes),
    ];
    std::thread::scope(|scope| {
        for (kind, code, limits) in cases {
            scope.spawn(move || {
                let folder = Folder::new();
                let output = against(&answering(code), &folder, limits);
                assert!(output.contains(&format!("{kind} 4\n")), "{code}: {output}");
                assert!(output.contains("last fault of bad"), "{code}: {output}");
                let games = games(&folder);
                assert_eq!(games.len(), 4, "{code}");
                for game in games {
                    assert_eq!(game["reason"], kind, "{code}");
                    let winner = game["result"].as_str().unwrap();
                    assert_eq!(game[winner], "good", "{code}");
                    // Time that was not followed by a move does not count as time of moves.
                    let side = &game["sides"][game["fault"]["seat"].as_u64().unwrap() as usize];
                    assert_eq!(side["time_us"], 0, "{code}");
                    assert!(side["unplayed_us"].as_u64().unwrap() > 0, "{code}");
                }
            });
        }
    });
}

/// The engine would play without the setting, so the games would show nothing.
#[test]
fn a_setting_that_an_engine_does_not_use_ends_the_match() {
    let folder = Folder::new();
    let out = folder.path("out");
    let good = format!("name=good {}", polite(""));
    let all = ["--games", "2", "--random-openings", "1", "--nodes", "9", "--out", &out];
    let engines = |setting: &str| {
        let one = format!("name=one cmd='{}' info.{setting}", engine());
        ["-e".to_owned(), one, "-e".to_owned(), good.clone()]
    };
    for setting in ["params='lmr_bse 5'", "proof=no-such-tree", "strength=much"] {
        let engines = engines(setting);
        let output = fails(&[&engines.each_ref().map(String::as_str)[..], &all].concat());
        let key = setting.split('=').next().unwrap();
        assert!(output.contains("one: ") && output.contains(key), "{output}");
        assert!(output.contains(" not used: ") || output.contains(" cannot be read"), "{output}");
        assert_eq!(folder.read("out/games.jsonl"), "", "a game was played");
    }
    let engines = engines("strength=20");
    runs(&[&engines.each_ref().map(String::as_str)[..], &all].concat());
}

#[test]
fn a_fault_late_in_a_game_keeps_the_earlier_moves() {
    let folder = Folder::new();
    // Dies at its third move.
    against(&answering("n=$((n + 1)); [ $n -ge 3 ] && exit; play"), &folder, &["--nodes", "1"]);
    for game in games(&folder) {
        assert_eq!(game["reason"], "crash");
        assert!(game["plies"].as_array().unwrap().len() >= 4);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_beyond_the_limit_loses_or_is_counted() {
    let folder = Folder::new();
    let greedy = format!(
        "{} memory=1",
        polite("[ -n \"$x\" ] || x=$(head -c 2000000 /dev/zero | tr '\\0' x);")
    );
    let output = against(&greedy, &folder, &["--nodes", "1"]);
    assert!(output.contains("memory 4\n"), "{output}");
    folder.remove("out");
    let output = against(&greedy, &folder, &["--nodes", "1", "--forgive-memory"]);
    assert!(output.contains("bad held more memory than allowed in 4 games"), "{output}");
    assert!(!output.contains("memory 4"), "{output}");
    folder.remove("out");
    // Only one game counts: the process is replaced, or its peak would count in later games.
    let mark = folder.path("mark");
    let much = "x=$(head -c 60000000 /dev/zero | tr '\\0' x)";
    let once = polite(&format!("[ -e '{mark}' ] || {{ touch '{mark}'; {much}; }};"));
    let once = format!("{once} memory=30");
    let output = against(&once, &folder, &["--nodes", "1", "--forgive-memory"]);
    assert!(output.contains("bad held more memory than allowed in 1 game\n"), "{output}");
}

#[test]
fn a_foul_is_reported_with_its_kind() {
    let folder = Folder::new();
    let openings = folder.write("openings.txt", "d8a1e8c1f8e1h8g1i8i1\n");
    let (out, bad) = (folder.path("out"), answering("echo 6,7"));
    let (bad, good) = (format!("name=bad {bad}"), format!("name=good {}", polite("")));
    let output = runs(&[
        "-e",
        &bad,
        "-e",
        &good,
        "--games",
        "2",
        "--openings",
        &openings,
        "--rule",
        "renju",
        "--nodes",
        "1",
        "--out",
        &out,
    ]);
    assert!(output.contains("foul 1"), "{output}");
    let games = games(&folder);
    let game = games.iter().find(|game| game["game"] == 0).unwrap();
    assert_eq!((&game["result"], &game["reason"]), (&"second".into(), &"foul".into()));
    assert_eq!(game["fault"]["words"], "overline at g8");
}

#[test]
fn complaints_between_the_moves_are_shown() {
    let folder = Folder::new();
    let output = against(&polite("echo ERROR no such rule;"), &folder, &["--nodes", "1"]);
    assert!(output.contains("bad complained: ERROR no such rule"), "{output}");
}

#[test]
fn an_engine_that_cannot_be_started_is_named() {
    let silent = command("cat > /dev/null");
    let refuses = command("while read -r line; do echo ERROR board too large; done");
    let cases = [
        ("name=none cmd=/nowhere/pbrain-none", "none cannot be run: /nowhere/pbrain-none"),
        (&format!("name=mute {silent}"), "mute did not answer START within 0.2 s"),
        (&format!("name=small {refuses}"), "small refused START: board too large"),
        ("name=brief cmd=true", "brief ended (exit status: 0)"),
    ];
    for (engine, words) in cases {
        let output = fails(&[
            "-e",
            &format!("name=good {}", polite("")),
            "-e",
            engine,
            "--nodes",
            "1",
            "--games",
            "2",
            "--random-openings",
            "1",
            "--start-timeout",
            "200",
            "--about-timeout",
            "100",
        ]);
        assert!(output.contains(words), "{output}");
    }
}

/// The match once sent ABOUT while the engine was starting, and took its answer for that to START.
#[test]
fn an_engine_may_take_long_to_start() {
    let good = format!("name=good {}", polite(""));
    let usual = script("play");
    let unknown = usual.replace(r#"echo "name=\"fake\"""#, "echo UNKNOWN command");
    assert_ne!(unknown, usual);
    for (script, name) in [(unknown, "sh"), (usual, "fake")] {
        let slow = command(&format!("sleep 2; {script}"));
        let match_of = ["-e", &slow, "-e", &good, "--games", "2", "--random-openings", "1"];
        let output = runs(&[&match_of[..], &["--nodes", "1", "--about-timeout", "1500"]].concat());
        assert!(output.contains(&format!("{name} vs good: 2 games")), "{output}");
    }
}

/// The refusal once ended the match, though a new process would play on.
#[test]
fn a_process_that_refuses_another_game_is_restarted() {
    let folder = Folder::new();
    let usual = script("play");
    let second = "n=$((n + 1)); [ $n -gt 1 ] && echo ERROR busy || echo OK ;;";
    let once = usual.replace("echo OK ;;", second);
    assert_ne!(once, usual);
    against(&command(&once), &folder, &["--nodes", "1"]);
    assert_eq!(games(&folder).len(), 4);
}

#[test]
fn an_engine_that_cannot_restart_ends_the_match_and_the_games_stay() {
    let folder = Folder::new();
    let (out, mark) = (folder.path("out"), folder.path("starts"));
    // Starts twice, the first time only for its name, then no more.
    let script = format!("echo x >> '{mark}'; [ $(wc -l < '{mark}') -gt 2 ] && exit 1");
    let good = polite("");
    let (_, body) = good.split_once("cmd=").unwrap();
    let body = shlex::split(body).unwrap();
    let body = shlex::split(&body[0]).unwrap()[2].replace("name=", "name= ");
    let dying = body.replace("answer() { ", "answer() { n=$((n + 1)); [ $n -gt 6 ] && exit; ");
    let bad = format!("name=bad {}", command(&format!("{script}; {dying}")));
    let output = fails(&[
        "-e",
        &bad,
        "-e",
        &format!("name=good {good}"),
        "--nodes",
        "1",
        "--games",
        "8",
        "--random-openings",
        "1",
        "--out",
        &out,
    ]);
    assert!(output.contains("bad failed to start 3 times in a row"), "{output}");
    assert!(!games(&folder).is_empty());
}
