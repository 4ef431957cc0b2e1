//! Runs in parts, as job systems start them: the joined results, the state after a
//! signal or in a full folder, and files that must not be joined.
#![cfg(unix)]

mod bench;
#[path = "../../support/folder.rs"]
mod folder;
mod matches;
mod proofs;
mod puzzles;
mod support;
mod training;
mod tuning;

use support::{Folder, goren};

/// The commands that take `--shard`, with the arguments they require.
const COMMANDS: [&str; 6] = [
    "match -e a -e b --nodes 1 --games 2 --out x",
    "selfplay --games 2 --out x",
    "suite x --nodes 1 --json y",
    "prove x h8",
    "check tests/tool/parts/main.rs",
    "spsa --out x",
];

#[test]
fn invalid_parts_are_refused() {
    for command in COMMANDS {
        for bad in ["0/0", "9/8", "0/8", "two of eight", "1/", "1"] {
            let output = goren(command).args(&["--shard", bad]).fails();
            let invalid = format!("invalid value '{bad}' for '--shard <I/N>'");
            assert!(output.contains(&invalid), "{command}: {output}");
            assert!(output.contains("such as 2/8"), "{command}: {output}");
        }
        let array = [("ID", "3"), ("MIN", "1"), ("MAX", "7"), ("COUNT", "3")];
        let output = goren(command).task(&array).fails();
        assert!(output.contains("3 tasks numbered from 1 to 7"), "{command}: {output}");
        assert!(output.contains("--shard I/N"), "{command}: {output}");
    }
}

#[test]
fn a_part_needs_a_file_for_its_results() {
    for (command, option) in [
        ("match -e a -e b --nodes 1 --games 2", "--out"),
        ("suite tests/data/puzzles/six.jsonl --nodes 1", "--json"),
    ] {
        let output = goren(command).args(&["--shard", "1/2"]).fails();
        assert!(output.contains(&format!("to be merged: give {option}")), "{command}: {output}");
    }
}

#[test]
fn files_of_different_kinds_are_not_joined() {
    let folder = Folder::new();
    let games = folder.write("games", r#"{"format":"goren match 3"}"#);
    let training = folder.write("training", r#"{"format":"goren selfplay 2"}"#);
    let (empty, out) = (folder.write("empty", ""), folder.path("out"));
    let output = goren("merge").args(&[&out, &games, &training]).fails();
    assert!(output.contains("games and ") && output.contains("are of different kinds"), "{output}");
    let output = goren("merge --packed").args(&[&out, &training]).fails();
    assert!(output.contains("--packed is for winning trees"), "{output}");
    let output = goren("merge").args(&[&out, &empty]).fails();
    assert!(output.contains("the files are empty"), "{output}");
    assert!(!std::fs::exists(out).unwrap());
}
