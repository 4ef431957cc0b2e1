//! The command-line tool and whoever reads its output.
#![cfg(unix)]

use std::process::{Command, Stdio};

fn games() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    command.arg("games").stderr(Stdio::piped());
    command
}

#[test]
fn ends_quietly_when_the_reader_has_gone() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let search = ["analyze", "--nodes", "50", "h8"];
    let mut analyze = Command::new(env!("CARGO_BIN_EXE_goren"));
    let output = analyze.args(search).stdout(writer.try_clone().unwrap()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(141));
    let output = games().stdout(writer).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    // As of a process that SIGPIPE ended: nobody is to take it for a success.
    assert_eq!(output.status.code(), Some(141));
}

#[cfg(target_os = "linux")]
#[test]
fn says_that_it_cannot_print() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = games().stdout(full).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("error: cannot print: No space left"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(output.status.code(), Some(1));
}
