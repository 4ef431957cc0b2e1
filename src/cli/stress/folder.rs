//! Files that an engine writes: none, but a database in the folder that
//! `INFO folder` names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};

use super::fault::{EngineFault, FaultKind, report};
use super::watched_engine::{self, WatchedEngine, reported};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// A folder in which not even root can write.
const UNWRITABLE: &str = "/proc/self";

/// Makes the engine open a database.
const DATABASE: &str = "INFO usedatabase 1\n";
/// Adds a position to the database and saves it.
const EDIT: &str = "yxedittvddatabase 7 119 -29993 12\n7,7\n8,8\nDONE\nyxsavedatabase\n";

/// Plays with folders of all kinds. Whether no forbidden file was written.
///
/// # Errors
/// No folder of our own can be made.
pub(super) fn run(command: &str) -> Result<bool> {
    let named = "INFO folder";
    let cases: [(&str, Option<&str>, &str); 6] = [
        ("no folder named", None, ""),
        ("a folder named", Some("data"), ""),
        ("a folder that cannot be written", Some(UNWRITABLE), ""),
        ("a folder that is missing", Some("missing/far"), ""),
        ("a folder named, a database wanted", Some("data"), DATABASE),
        ("a missing folder, a database wanted", Some("missing/far"), DATABASE),
    ];
    let mut good = true;
    for (name, folder, more) in cases {
        let scratch = tempfile::Builder::new().prefix("goren-stress-").tempdir();
        let scratch = scratch.context("no folder for a try")?;
        let root = scratch.path();
        for part in ["run", "home", "tmp", "data"] {
            fs::create_dir_all(root.join(part)).context("no folder for a try")?;
        }
        let reported = folder
            .map_or(String::new(), |folder| format!("{named} {}\n", root.join(folder).display()));
        let before = contents(root);
        let env = |key: &str, part: &str| format!("{key}={}", root.join(part).display());
        let command = format!(
            "env {} {} {} {} {command}",
            env("HOME", "home"),
            env("XDG_DATA_HOME", "home"),
            env("XDG_CACHE_HOME", "home"),
            env("TMPDIR", "tmp")
        );
        let settings = reported + more;
        let played =
            watched_engine::run(&command, Some(root.join("run")), |engine| game(engine, &settings));
        let after = contents(root);
        let changed: Vec<&PathBuf> = after
            .iter()
            .filter(|(path, state)| before.get(*path) != Some(state))
            .map(|(path, _)| path)
            .chain(before.keys().filter(|path| !after.contains_key(*path)))
            .collect();
        let allowed = folder.filter(|_| !more.is_empty()).map(|folder| root.join(folder));
        let inside = |path: &Path| allowed.as_ref().is_some_and(|folder| path.starts_with(folder));
        match played {
            Err((fault, transcript)) => {
                report(&fault, name, &transcript);
                good = false;
            }
            Ok(unseen) if unseen > 0 && more.is_empty() => {
                println!("FAULT: {name}: {unseen} bytes were written elsewhere than to the pipe");
                good = false;
            }
            Ok(_) if changed.iter().any(|path| !inside(path)) => {
                println!("FAULT: {name}: written or removed: {changed:?}");
                good = false;
            }
            Ok(_) => {
                let names: Vec<_> = changed.iter().filter_map(|path| path.file_name()).collect();
                println!(
                    "{name}: {}",
                    if names.is_empty() {
                        "nothing written".to_owned()
                    } else {
                        format!("inside it: {names:?}")
                    }
                );
            }
        }
    }
    Ok(good)
}

/// Files and folders below a folder, with size and time of change.
fn contents(root: &Path) -> BTreeMap<PathBuf, (u64, Option<SystemTime>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if let Ok(meta) = fs::symlink_metadata(&path) {
                if meta.is_dir() {
                    open.push(path.clone());
                    // A folder changes with what is in it.
                    found.insert(path, (0, None));
                } else {
                    found.insert(path, (meta.len(), meta.modified().ok()));
                }
            }
        }
    }
    found
}

/// Plays some moves; returns the bytes written elsewhere than to the pipe.
fn game(engine: &mut WatchedEngine, reported: &str) -> Result<u64, EngineFault> {
    engine.expect_name()?;
    engine.say(&format!("{reported}INFO timeout_turn 50\nINFO timeout_match 0\nINFO rule 4\n"))?;
    engine.expect_ok("START 15\n")?;
    for board in ["7,7,2", "7,7,2\n7,8,1\n8,8,2", "7,7,2\n7,8,1\n8,8,2\n9,9,1\n6,8,2"] {
        engine.say(&format!("BOARD\n{board}\nDONE\n"))?;
        answered(engine)?;
    }
    if reported.contains(DATABASE) {
        engine.say(EDIT)?;
        engine.expect_name()?;
    }
    engine.expect_ok("RESTART\n")?;
    engine.say("BEGIN\n")?;
    answered(engine)?;
    engine.expect_name()?;
    let io = fs::read_to_string(format!("/proc/{}/io", engine.process.id())).unwrap_or_default();
    let line = io.lines().find_map(|line| line.strip_prefix("wchar:"));
    let written: u64 = line.and_then(|line| line.trim().parse().ok()).unwrap_or(0);
    Ok(written.saturating_sub(engine.transcript.bytes_printed()))
}

fn answered(engine: &mut WatchedEngine) -> Result<(), EngineFault> {
    let silent = || EngineFault::new(FaultKind::Silent, "no answer");
    let heard = engine.receive(Instant::now() + PATIENCE)?.ok_or_else(silent)?;
    match heard.reply.as_ref().ok().and_then(goren_protocol::Reply::ply) {
        Some(_) => Ok(()),
        None => Err(EngineFault::new(
            FaultKind::Line,
            format!("{} where a move was due", reported(&heard)),
        )),
    }
}
