//! Parts of runs over puzzles.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, Run, engine, goren};

const SIX: &str = "tests/data/puzzles/six.jsonl";

fn suite(folder: &Folder, name: &str, more: &str) -> Run {
    goren(&format!("suite {SIX} {SIX} --nodes 3000 --json {} {more}", folder.path(name)))
}

/// The lines of a file without times.
fn lines(folder: &Folder, name: &str) -> Vec<Value> {
    let timeless = |line: &str| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        // A search continues for a moment after its claim.
        for name in ["ms", "nodes"] {
            value.as_object_mut().map(|line| line.remove(name));
        }
        for claim in ["win", "loss"] {
            value[claim].as_object_mut().map(|claim| claim.remove("ms"));
        }
        value
    };
    folder.read(name).lines().map(timeless).collect()
}

/// The tables without times.
fn tables(output: &str) -> Vec<Vec<&str>> {
    let lines = output.lines().filter(|line| line.contains("goren ") || line.contains("positions"));
    let numbers = |line: &str| -> Vec<usize> {
        let times = |(at, word): (usize, &str)| (at != 7 || word == "-").then_some(at);
        line.split_whitespace().enumerate().filter_map(times).collect()
    };
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            numbers(line).into_iter().map(|at| words[at]).collect()
        })
        .collect()
}

/// Regression: all commands said that finished work is kept.
#[test]
fn a_stopped_run_without_an_output_file_says_so() {
    let output = goren(&format!("suite {SIX} --nodes 3000 --stop-after 0")).stops();
    assert!(output.contains("Stopped by its time limit: no result is kept; with --json"));
    let folder = Folder::new();
    let file = folder.write("openings.txt", "h8i9j8\n");
    let run = goren("match --nodes 1 --games 2 --stop-after 0 --openings").args(&[&file]);
    let output = run.args(&["-e", engine(), "-e", engine()]).stops();
    assert!(output.contains("its time limit: no game is kept; with --out the next"), "{output}");
}

#[test]
fn the_parts_of_a_suite_make_the_whole() {
    let folder = Folder::new();
    let whole = suite(&folder, "whole", "").runs();
    let output = suite(&folder, "1", "--shard 1/5 --stop-after 0").stops();
    assert!(output.contains("Stopped by its time limit"), "{output}");
    assert!(output.contains("--resume"), "{output}");
    for number in 1..=5 {
        let more = format!("--shard {number}/5 --resume");
        let output = suite(&folder, &number.to_string(), &more).runs();
        let own = if number < 3 { 3 } else { 2 };
        assert!(output.contains(&format!("all files: {own} positions")), "{number}: {output}");
    }
    let parts: Vec<String> = (1..=5).map(|number| folder.path(&number.to_string())).collect();
    // Some editors save a file with a byte order mark.
    folder.write("2", &format!("\u{feff}{}", folder.read("2")));
    let all = folder.path("all");
    let output = goren("merge").args(&[&parts[0], &parts[2]]).fails();
    assert!(output.contains("1 is part 1 of 5, and stays as it is"), "{output}");
    let output = goren("merge").args(&[&all, &parts[0], &parts[2]]).fails();
    assert!(output.contains("The whole run has 12 results."), "{output}");
    let output = goren("merge").args(&[&all, &parts[1], &parts[3], &parts[4]]).runs();
    assert_eq!(tables(&output), tables(&whole));
    assert_eq!(lines(&folder, "all"), lines(&folder, "whole"));
    // Finished results are neither repeated nor lost.
    let output = suite(&folder, "all", "--resume").runs();
    assert_eq!(tables(&output), tables(&whole));
    let output = suite(&folder, "all", "").fails();
    assert!(output.contains("holds a run already"), "{output}");
    let output = suite(&folder, "1", "--shard 2/5 --resume").fails();
    assert!(output.contains("was 1, is 2"), "{output}");
    suite(&folder, "other", "--shard 2/5 --threads 2").runs();
    let [none, other] = ["no", "other"].map(|name| folder.path(name));
    let output = goren("merge").args(&[&none, &parts[0], &other]).fails();
    assert!(output.contains("threads was 2, is 1"), "{output}");
    assert!(!fs::exists(none).unwrap());
}
