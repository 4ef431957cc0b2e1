//! Runs of the tool, and trees of one position.

use std::process::{Command, Output};

use goren_proof::{Checker, Proof};
use tempfile::{TempDir, tempdir};

/// Paths of files in a temporary folder, which is removed when dropped.
pub fn files<const N: usize>() -> (TempDir, [String; N]) {
    let folder = tempdir().unwrap();
    let paths =
        std::array::from_fn(|i| folder.path().join(format!("tree-{i}")).display().to_string());
    (folder, paths)
}

pub fn goren(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goren")).args(args).output().unwrap()
}

pub fn text(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(all).unwrap()
}

pub fn has(output: &Output, line: &str) -> bool {
    text(output).lines().any(|there| there == line)
}

/// An attack of Black's with two open twos against scattered stones.
pub const POSITION: &str = "h8a1i9b1h9a15";

/// Proves [`POSITION`] under a rule and writes the tree to a file.
pub fn proven(rule: &str, file: &str) {
    let output = goren(&["prove", file, POSITION, "--rule", rule, "--memory", "64"]);
    assert!(output.status.success() && has(&output, "Result: proven"), "{}", text(&output));
}

pub fn read(file: &str) -> Proof {
    let (proof, damage) = goren_proof::read(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(damage, None);
    proof
}

/// The table of a packed tree.
pub fn unpacked(file: &str) -> Proof {
    let table = format!("{file}-table");
    let merge = goren(&["merge", &table, file]);
    assert!(merge.status.success(), "{}", text(&merge));
    let proof = read(&table);
    std::fs::remove_file(table).unwrap();
    proof
}

/// Whether a tree proves what it claims.
pub fn holds(proof: &Proof) -> bool {
    let mut checker = Checker::new(proof.claim.setup, proof.claim.attacker, proof);
    for &(cell, color) in &proof.claim.root.stones {
        checker.board.place(cell, color).unwrap();
    }
    checker.attack(false).is_ok()
}
