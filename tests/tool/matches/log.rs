//! `--log`: what is said to the engines and by them, a file for each game.

use crate::support::{Folder, answering, fails, polite, runs};

/// A log: its first line, and of each other line the time, the direction with the engine,
/// and what was said.
fn read(folder: &Folder, name: &str) -> (String, Vec<(f64, String, String)>) {
    let text = folder.read(name);
    let (head, lines) = text.split_once('\n').unwrap();
    let line = |line: &str| {
        let (time, rest) = line.trim_start().split_once(' ').unwrap();
        let (mark, said) = rest.split_once(": ").unwrap();
        (time.parse().unwrap(), mark.to_owned(), said.to_owned())
    };
    (head.to_owned(), lines.lines().map(line).collect())
}

#[test]
fn each_game_has_the_dialogue_with_both_engines() {
    let folder = Folder::new();
    let log = folder.path("new/log");
    let quick = format!("name=a {}", polite("echo MESSAGE quick; "));
    let other = format!("name=b {}", polite(""));
    let run = ["-e", &quick, "-e", &other, "--nodes", "1", "--games", "2", "--no-openings"];
    let with_log = [&run[..], &["--log", &log]].concat();
    runs(&with_log);
    for (file, [first, second]) in [("000000.log", ["a", "b"]), ("000001.log", ["b", "a"])] {
        let (head, lines) = read(&folder, &format!("new/log/{file}"));
        let number = if first == "a" { 0 } else { 1 };
        let said = format!("# goren match log 1: game {number}, {first} against {second}");
        assert_eq!(head, said);
        // The second game is of the same processes: nothing of the first is in its log.
        let (time, mark, said) = &lines[0];
        assert!(*time < 5_000.0, "{file}: {time}");
        assert_eq!((mark.as_str(), said.as_str()), (&*format!("< {first}"), "START 15"));
        let has =
            |mark: &str, said: &str| lines.iter().any(|line| line.1 == mark && line.2 == said);
        assert!(has(&format!("> {first}"), "OK") && has(&format!("> {second}"), "OK"));
        assert!(has(&format!("< {first}"), "BEGIN") && has(&format!("> {first}"), "0,0"));
        assert!(has("< b", "INFO max_node 1") && has("> a", "MESSAGE quick"));
        assert!(!has("> b", "MESSAGE quick"));
        // A move goes to the other engine after it has come.
        let at = |mark: &str, said: &str| {
            lines.iter().position(|line| line.1 == mark && line.2.contains(said)).unwrap()
        };
        assert!(at(&format!("> {first}"), "0,0") < at(&format!("< {second}"), "0,0"));
        assert!(lines.iter().all(|line| line.0 >= 0.0));
    }
    let said = fails(&with_log);
    assert!(said.contains("of another match: name another folder"), "{said}");
}

#[test]
fn a_fault_is_in_the_log_and_a_foreign_file_stays() {
    let folder = Folder::new();
    let (log, out) = (folder.path("log"), folder.path("out"));
    std::fs::create_dir(&log).unwrap();
    let engines =
        [format!("name=a {}", polite("")), format!("name=b {}", answering("echo banana"))];
    let run = ["-e", &engines[0], "-e", &engines[1], "--nodes", "1", "--games", "2"];
    let run = [&run[..], &["--no-openings", "--log", &log, "--out", &out]].concat();
    let notes = folder.write("log/000001.log", "my only notes\n");
    let said = fails(&run);
    assert!(said.contains("000001.log: it holds something else"), "{said}");
    assert_eq!(folder.read("log/000001.log"), "my only notes\n");
    std::fs::remove_file(notes).unwrap();
    runs(&run);
    for number in [0, 1] {
        let (_, lines) = read(&folder, &format!("log/{number:06}.log"));
        assert!(lines.iter().any(|line| line.1 == "> b" && line.2 == "banana"), "{lines:?}");
    }
    // A longer match goes on beside the logs of the games that are kept.
    let first = folder.read("log/000000.log");
    let more: Vec<&str> = run.iter().map(|&word| if word == "2" { "4" } else { word }).collect();
    runs(&[&more[..], &["--resume"]].concat());
    assert_eq!(folder.read("log/000000.log"), first);
    assert!(read(&folder, "log/000003.log").0.ends_with("game 3, b against a"));
}
