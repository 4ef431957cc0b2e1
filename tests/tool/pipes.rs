//! The command-line tool and whoever reads its output; pipes that it reads itself.
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
        // As of a process that SIGPIPE ended: nobody is to take it for a success.
        assert_eq!(output.status.code(), Some(141), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn says_that_it_cannot_print() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut games = Command::new(env!("CARGO_BIN_EXE_goren"));
    let output = games.arg("games").stdout(full).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("error: cannot print: No space left"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(output.status.code(), Some(1));
}

/// What cannot be told on standard error stays untold: the command ends as it would.
#[test]
fn a_full_or_closed_standard_error_ends_nothing() {
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

/// Whether the command succeeds whose last argument is a pipe with these bytes, and what
/// it says.
fn with_pipe(arguments: &[&str], bytes: &[u8]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    command.args(arguments).arg("/dev/stdin");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that refuses the pipe does not read it.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.success(), said)
}

/// A pipe has a name, and can be read only once.
#[test]
fn pipes_are_read_as_files() {
    let said = |arguments: &[&str], text: &str| {
        let (done, said) = with_pipe(arguments, text.as_bytes());
        assert!(done, "{arguments:?}: {said}");
        said
    };
    let game = "(;GM[4]RU[0]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])";
    assert!(said(&["list"], game).contains("Ann - Bob"));
    assert!(said(&["analyze", "--nodes", "9"], "h8i9\n").contains("after 2 stones"));
}

/// A command before the pipe that failed has said nothing: that is not the empty board.
#[test]
fn an_empty_pipe_is_no_position() {
    for command in ["analyze", "solve", "threats", "list", "review"] {
        let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
        let output = goren.args([command, "-"]).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{command}");
        assert!(said.contains("error: standard input is empty"), "{command}: {said}");
        let (done, said) = with_pipe(&[command], b"");
        assert!(!done && said.contains("/dev/stdin is empty"), "{command}: {said}");
    }
}

/// Training games are read from pipes as from files; what reads them more than once refuses.
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
        let done = |arguments: &[&str], reported: &str| {
            let (done, said) = with_pipe(arguments, &games);
            assert!(done && said.contains(reported), "{arguments:?}: {said}");
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
            let (done, said) = with_pipe(arguments, &games);
            assert!(!done && said.contains(twice), "{arguments:?}: {said}");
        }
    }
}
