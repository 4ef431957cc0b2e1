//! Parts of proofs and of their checks.

use std::fs::{self, File};
use std::io::Write;
use std::process::Command;

use crate::support::{Folder, Run, goren};

/// A position that can be proven within seconds, White to move.
const POSITION: &str = "h8a1i9b1h9";
const PARTS: u32 = 3;

fn prove(folder: &Folder, name: &str, more: &str) -> Run {
    goren(&format!("prove {} {POSITION} --memory 64 {more}", folder.path(name)))
}

/// The rows of a check without times, and its result.
fn result(output: &str) -> Vec<String> {
    let lines = output.lines().filter(|line| {
        let is_row = line.split_whitespace().count() == 7 && !line.contains("apart");
        is_row || line.starts_with("Result: ")
    });
    lines
        .map(|line| line.rsplit_once(' ').map_or(line, |(front, _)| front).trim().to_owned())
        .collect()
}

#[test]
fn the_parts_of_a_proof_and_of_its_check_make_the_whole() {
    let folder = Folder::new();
    let mut parts = Vec::new();
    for number in 1..=PARTS {
        let name = format!("part-{number}");
        let more = format!("--shard {number}/{PARTS}");
        if number == 2 {
            let mut run = prove(&folder, &name, &more).starts();
            run.until(|| folder.bytes(&name).len() > 1000);
            run.signal("KILL");
            run.ends();
            let output = prove(&folder, &name, &format!("{more} --time 0")).stops();
            assert!(output.contains("Stopped by its time limit"), "{output}");
        }
        let output = prove(&folder, &name, &more).runs();
        assert!(output.contains(&format!("Result: proven, part {number} of {PARTS}")), "{output}");
        parts.push(folder.path(&name));
    }
    let [all, packed] = ["all", "packed"].map(|name| folder.path(name));
    let merge = |out: &str, parts: &[String]| {
        let parts = parts.iter().map(String::as_str);
        let args: Vec<&str> = std::iter::once(out).chain(parts).collect();
        goren("merge").args(&args)
    };
    merge(&all, &parts[..2]).runs();
    merge(&all, &parts[2..]).runs();
    let whole = goren("check").args(&[&all, "--pack", &packed]).runs();
    assert!(whole.contains("Result: proven"), "{whole}");

    // A part cannot replace the whole table, but it can replace its own part of a packed tree.
    let before = folder.bytes("all");
    let output = goren("check --shard 1/4").args(&[&all, "--pack", &all]).fails();
    assert!(output.contains("all: the checked tree is replaced only once all its"), "{output}");
    assert!(!output.contains("Time:") && folder.bytes("all") == before, "{output}");
    goren("check --shard 1/4").args(&[&packed, "--pack", &packed]).runs();

    // Each part of the check on its own.
    let check = |number: u32, more: &str| {
        let report = folder.path(&format!("report-{number}"));
        goren("check")
            .args(&[&packed, "--report", &report, "--shard", &format!("{number}/4")])
            .more(more)
    };
    let output = check(1, "--stop-after 0").stops_or_runs();
    assert!(output.contains("--resume continues the run") || output.contains("Result"), "{output}");
    for number in 1..=4 {
        let pack = format!("--resume --pack {}", folder.path(&format!("packed-{number}")));
        let output = check(number, &pack).runs();
        assert!(output.contains(&format!("Result: proven, part {number} of 4")), "{output}");
    }
    let named = |name: &str| -> Vec<String> {
        (1..=4).map(|number| folder.path(&format!("{name}-{number}"))).collect()
    };
    let (reports, joined) = (named("report"), folder.path("joined"));
    let output = merge(&reports[0], &reports[1..]).fails();
    assert!(output.contains("report-1 is part 1 of 4, and stays as it is"), "{output}");
    let output = merge(&joined, &reports[1..]).fails();
    assert!(output.contains("replies are checked"), "{output}");
    let output = merge(&joined, &reports).runs();
    let again = goren("check").args(&[&packed]).runs();
    assert_eq!(result(&output), result(&again));
    let repacked = folder.path("repacked");
    let packs = named("packed");
    let args: Vec<&str> =
        { ["--packed", &repacked].into_iter() }.chain(packs.iter().map(String::as_str)).collect();
    goren("merge").args(&args).runs();
    assert_eq!(fs::read(&repacked).unwrap(), fs::read(&packed).unwrap());
    // A finished check is not repeated; another tree is another check.
    let output = check(2, "").fails();
    assert!(output.contains("holds a check already"), "{output}");
    let output = goren("check").args(&[&all, "--report", &reports[0], "--resume"]).fails();
    assert!(output.contains("begun with other settings") && output.contains("crc32"), "{output}");
}

/// Such a run once ended with the status of an error, so a job script did not restart it.
#[test]
fn a_signal_while_a_tree_is_unpacked_leaves_work() {
    let folder = Folder::new();
    let trees = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/trees");
    let tree = fs::read(format!("{trees}/rapfi-issue-32.packed")).unwrap();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = prove(&folder, "tree", "").args(&["--advice", &pipe]).starts();
    // The pipe can be opened once the run is about to read it.
    let mut writer = File::options().write(true).open(&pipe).unwrap();
    run.signal("TERM");
    writer.write_all(&tree).unwrap();
    drop(writer);
    let (code, output) = run.ends();
    assert_eq!(code, Some(75), "{output}");
    assert!(output.contains("pipe: Stopped by SIGTERM"), "{output}");
    assert!(output.contains("the next run unpacks the packed tree anew"), "{output}");
}

#[test]
fn a_folder_that_is_full_for_a_while_loses_no_moves() {
    let folder = Folder::new();
    let mut run = prove(&folder, "tree", "").starts_with_limit(800);
    run.until(|| !folder.bytes("tree").is_empty());
    // The moves of the first half second do not fit.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(folder.bytes("tree").len() < 800);
    run.lift_limit();
    let (code, output) = run.ends();
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("note: cannot write the tree: File too large"), "{output}");
    assert!(output.contains("note: the tree: written after ") && output.contains("Result: proven"));
    goren("check").args(&[&folder.path("tree")]).runs();
    assert!(!fs::exists(folder.path("tree.damaged")).unwrap());
}
