//! Runs in parts, as job systems start them: what the parts make together, what a
//! signal or a full folder leaves, and what is not joined.
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

/// The commands that take a part, with what they need besides.
const COMMANDS: [&str; 6] = [
    "match -e a -e b --nodes 1 --games 2 --out x",
    "selfplay --games 2 --out x",
    "suite x --nodes 1 --json y",
    "prove x h8",
    "check tests/tool/parts/main.rs",
    "spsa --out x",
];

#[test]
fn a_part_that_is_none_is_refused() {
    for command in COMMANDS {
        for bad in ["0/0", "9/8", "0/8", "two of eight", "1/", "1"] {
            let said = goren(command).args(&["--shard", bad]).fails();
            let reported = said.contains(&format!("invalid value '{bad}' for '--shard <I/N>'"));
            assert!(reported && said.contains("such as 2/8"), "{command}: {said}");
        }
        let array = [("ID", "3"), ("MIN", "1"), ("MAX", "7"), ("COUNT", "3")];
        let said = goren(command).task(&array).fails();
        assert!(said.contains("3 tasks numbered from 1 to 7"), "{command}: {said}");
        assert!(said.contains("--shard I/N"), "{command}: {said}");
    }
}

#[test]
fn what_a_part_makes_is_kept_in_files() {
    for (command, option) in [
        ("match -e a -e b --nodes 1 --games 2", "--out"),
        ("suite tests/data/puzzles/six.jsonl --nodes 1", "--json"),
    ] {
        let said = goren(command).args(&["--shard", "1/2"]).fails();
        assert!(said.contains(&format!("to be merged: give {option}")), "{command}: {said}");
    }
}

#[test]
fn what_holds_different_things_is_not_joined() {
    let folder = Folder::new();
    let games = folder.write("games", r#"{"format":"goren match 3"}"#);
    let training = folder.write("training", r#"{"format":"goren selfplay 2"}"#);
    let (empty, out) = (folder.write("empty", ""), folder.path("out"));
    let said = goren("merge").args(&[&out, &games, &training]).fails();
    assert!(said.contains("games and ") && said.contains("hold different things"), "{said}");
    let said = goren("merge --packed").args(&[&out, &training]).fails();
    assert!(said.contains("--packed is for winning trees"), "{said}");
    let said = goren("merge").args(&[&out, &empty]).fails();
    assert!(said.contains("the files are empty"), "{said}");
    assert!(!std::fs::exists(out).unwrap());
}
