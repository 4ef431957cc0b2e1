//! `--log`: the dialogue with the engines, one file for each game.

use crate::support::{Folder, answering, fails, polite, runs};

/// Reads a log: its first line, and the time, the direction with the engine, and the text of
/// each other line.
fn read(folder: &Folder, name: &str) -> (String, Vec<(f64, String, String)>) {
    let text = folder.read(name);
    let (head, lines) = text.split_once('\n').unwrap();
    let line = |line: &str| {
        let (time, rest) = line.trim_start().split_once(' ').unwrap();
        let (mark, text) = rest.split_once(": ").unwrap();
        (time.parse().unwrap(), mark.to_owned(), text.to_owned())
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
        let expected = format!("# goren match log 1: game {number}, {first} against {second}");
        assert_eq!(head, expected);
        // The second game runs in the same processes, but its log has nothing of the first.
        let (time, mark, text) = &lines[0];
        assert!(*time < 5_000.0, "{file}: {time}");
        assert_eq!((mark.as_str(), text.as_str()), (&*format!("< {first}"), "START 15"));
        let has =
            |mark: &str, text: &str| lines.iter().any(|line| line.1 == mark && line.2 == text);
        assert!(has(&format!("> {first}"), "OK") && has(&format!("> {second}"), "OK"));
        assert!(has(&format!("< {first}"), "BEGIN") && has(&format!("> {first}"), "0,0"));
        assert!(has("< b", "INFO max_node 1") && has("> a", "MESSAGE quick"));
        assert!(!has("> b", "MESSAGE quick"));
        // A move goes to the other engine only after it has arrived.
        let at = |mark: &str, text: &str| {
            lines.iter().position(|line| line.1 == mark && line.2.contains(text)).unwrap()
        };
        assert!(at(&format!("> {first}"), "0,0") < at(&format!("< {second}"), "0,0"));
        assert!(lines.iter().all(|line| line.0 >= 0.0));
    }
    let output = fails(&with_log);
    assert!(output.contains("of another match: name another folder"), "{output}");
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
    let output = fails(&run);
    assert!(output.contains("000001.log: it holds something else"), "{output}");
    assert_eq!(folder.read("log/000001.log"), "my only notes\n");
    std::fs::remove_file(notes).unwrap();
    runs(&run);
    for number in [0, 1] {
        let (_, lines) = read(&folder, &format!("log/{number:06}.log"));
        assert!(lines.iter().any(|line| line.1 == "> b" && line.2 == "banana"), "{lines:?}");
    }
    // A resumed, longer match keeps the logs of the finished games.
    let first = folder.read("log/000000.log");
    let more: Vec<&str> = run.iter().map(|&word| if word == "2" { "4" } else { word }).collect();
    runs(&[&more[..], &["--resume"]].concat());
    assert_eq!(folder.read("log/000000.log"), first);
    assert!(read(&folder, "log/000003.log").0.ends_with("game 3, b against a"));
}
