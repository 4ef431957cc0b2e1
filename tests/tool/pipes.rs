//! Pipes that the command-line tool writes to, and pipes that it reads.
#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn ends_quietly_when_the_reader_has_gone() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pente.games").display().to_string();
    let mut selfplay = Command::new(env!("CARGO_BIN_EXE_goren"));
    selfplay.args(["selfplay", "--game", "pente", "--games", "1", "--nodes", "50"]);
    assert!(selfplay.args(["--out", &file]).output().unwrap().status.success());
    for arguments in [
        &["games"][..],
        &["analyze", "--nodes", "50", "h8"],
        &["openings", "--count", "2", "--nodes", "50", "--max-score", "20000"],
        &["data", "show", &file],
    ] {
        let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
        let output = goren.args(arguments).stdout(writer.try_clone().unwrap()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        // The status of a process that SIGPIPE ended, so that nobody takes it for a success.
        assert_eq!(output.status.code(), Some(141), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut games = Command::new(env!("CARGO_BIN_EXE_goren"));
    let output = games.arg("games").stdout(full).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.starts_with("error: cannot print: No space left"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(output.status.code(), Some(1));
}

/// A message that cannot be printed on standard error is lost; the command ends as usual.
#[test]
fn a_full_or_closed_standard_error_changes_no_exit_status() {
    let status = |stderr: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
        command.args(["analyze", "nosuch.sgf"]).stderr(stderr).status().unwrap()
    };
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(status(writer.into()).code(), Some(1));
    if cfg!(target_os = "linux") {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        assert_eq!(status(full.into()).code(), Some(1));
    }
}

/// Runs a command whose last argument is a pipe with these bytes. Returns whether it
/// succeeds, and what it prints.
fn with_pipe(arguments: &[&str], bytes: &[u8]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    command.args(arguments).arg("/dev/stdin");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that refuses the pipe does not read it.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.success(), printed)
}

/// A pipe has a name, and can be read only once.
#[test]
fn pipes_are_read_as_files() {
    let run = |arguments: &[&str], text: &str| {
        let (succeeded, printed) = with_pipe(arguments, text.as_bytes());
        assert!(succeeded, "{arguments:?}: {printed}");
        printed
    };
    let game = "(;GM[4]RU[0]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])";
    assert!(run(&["list"], game).contains("Ann - Bob"));
    assert!(run(&["analyze", "--nodes", "9"], "h8i9\n").contains("after 2 stones"));
}

/// A command that failed before the pipe has printed nothing: that is not the empty board.
#[test]
fn an_empty_pipe_is_no_position() {
    for command in ["analyze", "solve", "threats", "list", "review"] {
        let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
        let output = goren.args([command, "-"]).stdin(Stdio::null()).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{command}");
        assert!(printed.contains("error: standard input is empty"), "{command}: {printed}");
        let (succeeded, printed) = with_pipe(&[command], b"");
        assert!(!succeeded && printed.contains("/dev/stdin is empty"), "{command}: {printed}");
    }
}

/// Training games are read from pipes as from files; commands that read them twice refuse pipes.
#[test]
fn training_games_are_read_from_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    for game in ["freestyle", "pente"] {
        let file = at(&format!("{game}.games"));
        let mut selfplay = Command::new(env!("CARGO_BIN_EXE_goren"));
        selfplay.args(["selfplay", "--game", game, "--games", "2", "--nodes", "50"]);
        assert!(selfplay.args(["--out", &file]).output().unwrap().status.success());
        let games = std::fs::read(&file).unwrap();
        let done = |arguments: &[&str], expected: &str| {
            let (succeeded, printed) = with_pipe(arguments, &games);
            assert!(succeeded && printed.contains(expected), "{arguments:?}: {printed}");
        };
        done(&["data", "stat"], "2 games, ");
        done(&["data", "show", "--number", "2"], "game 2: ");
        done(&["data", "export", "--out", &at("all.npz")], "of 2 games");
        if game == "freestyle" {
            done(&["db", "learn", &at("learnt.db")], "2 games, ");
        }
        let twice = "is a pipe, which can be read only once";
        for arguments in [
            &["tune", "--game", game, "--out", &at("tuned.bin")][..],
            &["merge", &at("merged.games")],
        ] {
            let (succeeded, printed) = with_pipe(arguments, &games);
            assert!(!succeeded && printed.contains(twice), "{arguments:?}: {printed}");
        }
    }
}
