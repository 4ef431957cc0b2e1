//! The second checker as a program: its output and its exit status. Because of this file
//! `cargo test` builds the program, which the tests in `proof` compare with the first checker.

use std::path::Path;
use std::process::{Command, Output};

fn recheck(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goren-recheck")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_exit_status_says_whether_all_is_proven() {
    let trees = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    let whole = trees.join("standard.packed");
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.packed");
    let bytes = std::fs::read(&whole).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 1]).unwrap();
    let [whole, cut] = [&whole, &cut].map(|path| path.to_str().unwrap());

    let proven = recheck(&[whole]);
    assert_eq!(proven.status.code(), Some(0));
    assert!(text(&proven.stdout).contains("proven: standard 15x15, Black wins"));
    let damaged = recheck(&[cut]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(!text(&damaged.stdout).contains("proven: "));
    let both = recheck(&[whole, cut]);
    assert_eq!(both.status.code(), Some(1));
    assert_eq!(recheck(&["no-such-file"]).status.code(), Some(1));
}

#[test]
fn without_a_file_it_prints_its_usage() {
    let output = recheck(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("goren-recheck [--threads N]"));
}
