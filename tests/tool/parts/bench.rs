//! The output of `bench` as OpenBench's worker reads it: from the last line back, it
//! replaces all but letters and digits by blanks and takes the first number next to
//! `nodes` and to `nps`.

use std::process::Command;

use crate::support::{engine, goren};

/// Reads the nodes and the nodes per second.
fn read(output: &str) -> (Option<u64>, Option<u64>) {
    let (mut nodes, mut speed) = (None, None);
    for line in output.trim().lines().rev() {
        let blanks = line.replace(|c: char| !c.is_ascii_alphanumeric(), " ");
        let words: Vec<String> = blanks.split_whitespace().map(str::to_lowercase).collect();
        let beside = |name: &str| {
            let is_name = |word: &&[String]| word[1] == name || word[0] == name;
            let pair = words.windows(2).find(|pair| {
                is_name(pair) && pair.iter().any(|word| word.parse::<u64>().is_ok())
            })?;
            pair.iter().find_map(|word| word.parse().ok())
        };
        nodes = nodes.or_else(|| beside("nodes"));
        speed = speed.or_else(|| beside("nps"));
    }
    (nodes, speed)
}

#[test]
fn openbench_reads_signature_and_speed() {
    let tool = goren("bench --depth 4").runs();
    let (nodes, speed) = read(&tool);
    let signature = tool.lines().find_map(|line| line.strip_prefix("Bench: ")).unwrap();
    assert_eq!(nodes, signature.parse().ok(), "{tool}");
    assert!(speed.is_some_and(|speed| speed > 0 && Some(speed) != nodes), "{tool}");
    let output = Command::new(engine()).arg("bench").output().unwrap();
    let (nodes, speed) = read(&String::from_utf8(output.stdout).unwrap());
    assert!(nodes == read(&goren("bench").runs()).0 && speed.is_some_and(|speed| speed > 0));
}
