//! Engines made of shell scripts, and matches between them.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

pub use crate::folder::{Folder, engine};

impl Folder {
    pub fn remove(&self, name: &str) {
        fs::remove_dir_all(self.path(name)).unwrap();
    }
}

/// Runs `goren match` with these arguments.
pub fn goren(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    command.arg("match").args(arguments).output().unwrap()
}

/// Runs a match, which must succeed. Returns its standard output.
pub fn runs(arguments: &[&str]) -> String {
    let output = goren(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a match, which must fail. Returns its standard error.
pub fn fails(arguments: &[&str]) -> String {
    let output = goren(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The games in the journal of the folder `out`.
pub fn games(folder: &Folder) -> Vec<Value> {
    let text = folder.read("out/games.jsonl");
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// An engine that runs the shell code `before` each of its moves, which it
/// plays on the first empty cell, from the upper left corner.
pub fn polite(before: &str) -> String {
    answering(&format!("{before} play"))
}

/// An engine that runs shell code to answer; in the code, `play` plays a legal move
/// and `$last` is the last stone.
pub fn answering(code: &str) -> String {
    command(&script(code))
}

/// The script of an engine that answers with shell code.
pub fn script(code: &str) -> String {
    format!(
        r#"
        play() {{
            i=0
            while :; do
                at="$((i % 15)),$((i / 15))"
                case "$taken" in *" $at "*) i=$((i + 1)) ;; *) break ;; esac
            done
            taken="$taken$at "
            echo "$at"
        }}
        answer() {{ {code}; }}
        while read -r line; do
            case "$line" in
                ABOUT) echo "name=\"fake\"" ;;
                START*|RECTSTART*) taken=" "; echo OK ;;
                BOARD) taken=" " ;;
                DONE|BEGIN) answer ;;
                TURN*) last="${{line#TURN }}"; taken="$taken$last "; answer ;;
                INFO*) ;;
                END) exit 0 ;;
                *,*) last="${{line%,*}}"; taken="$taken$last " ;;
            esac
        done"#
    )
}

/// `cmd=` for a shell script.
pub fn command(script: &str) -> String {
    let quoted = shlex::try_quote(script).unwrap().into_owned();
    let command = format!("sh -c {quoted}");
    format!("cmd={}", shlex::try_quote(&command).unwrap())
}
