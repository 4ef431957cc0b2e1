//! Check of the files that an engine writes: none except a database in the folder named by
//! `INFO folder`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};

use super::fault::{EngineFault, FaultKind, report};
use super::watched_engine::{self, WatchedEngine, quote};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// A folder in which not even root can write.
const UNWRITABLE: &str = "/proc/self";

/// Makes the engine open a database.
const DATABASE: &str = "INFO usedatabase 1\n";
/// Adds a position to the database and saves it.
const EDIT: &str = "yxedittvddatabase 7 119 -29993 12\n7,7\n8,8\nDONE\nyxsavedatabase\n";

/// Plays with folders of all kinds. Returns whether no forbidden file was written.
///
/// # Errors
/// No temporary folder can be created.
pub(super) fn run(command: &str) -> Result<bool> {
    let info_folder = "INFO folder";
    let cases: [(&str, Option<&str>, &str); 6] = [
        ("no folder", None, ""),
        ("a folder", Some("data"), ""),
        ("a folder that cannot be written", Some(UNWRITABLE), ""),
        ("a folder that does not exist", Some("missing/far"), ""),
        ("a folder and a database", Some("data"), DATABASE),
        ("a folder that does not exist and a database", Some("missing/far"), DATABASE),
    ];
    let mut good = true;
    for (name, folder, more) in cases {
        let scratch = tempfile::Builder::new().prefix("goren-stress-").tempdir();
        let scratch = scratch.context("cannot create a temporary folder")?;
        let root = scratch.path();
        for part in ["run", "home", "tmp", "data"] {
            fs::create_dir_all(root.join(part)).context("cannot create a temporary folder")?;
        }
        let folder_setting = folder.map_or(String::new(), |folder| {
            format!("{info_folder} {}\n", root.join(folder).display())
        });
        let before = contents(root);
        let env = |key: &str, part: &str| format!("{key}={}", root.join(part).display());
        let command = format!(
            "env {} {} {} {} {command}",
            env("HOME", "home"),
            env("XDG_DATA_HOME", "home"),
            env("XDG_CACHE_HOME", "home"),
            env("TMPDIR", "tmp")
        );
        let settings = folder_setting + more;
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
                println!("FAULT: {name}: {unseen} bytes were written elsewhere, not to the pipe");
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
                        format!("written in it: {names:?}")
                    }
                );
            }
        }
    }
    Ok(good)
}

/// Lists the files and folders below a folder with size and time of modification.
fn contents(root: &Path) -> BTreeMap<PathBuf, (u64, Option<SystemTime>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if let Ok(meta) = fs::symlink_metadata(&path) {
                if meta.is_dir() {
                    open.push(path.clone());
                    // A folder changes with its content.
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
fn game(engine: &mut WatchedEngine, settings: &str) -> Result<u64, EngineFault> {
    engine.expect_name()?;
    engine.send(&format!("{settings}INFO timeout_turn 50\nINFO timeout_match 0\nINFO rule 4\n"))?;
    engine.expect_ok("START 15\n")?;
    for board in ["7,7,2", "7,7,2\n7,8,1\n8,8,2", "7,7,2\n7,8,1\n8,8,2\n9,9,1\n6,8,2"] {
        engine.send(&format!("BOARD\n{board}\nDONE\n"))?;
        expect_move(engine)?;
    }
    if settings.contains(DATABASE) {
        engine.send(EDIT)?;
        engine.expect_name()?;
    }
    engine.expect_ok("RESTART\n")?;
    engine.send("BEGIN\n")?;
    expect_move(engine)?;
    engine.expect_name()?;
    let io = fs::read_to_string(format!("/proc/{}/io", engine.process.id())).unwrap_or_default();
    let line = io.lines().find_map(|line| line.strip_prefix("wchar:"));
    let written: u64 = line.and_then(|line| line.trim().parse().ok()).unwrap_or(0);
    Ok(written.saturating_sub(engine.transcript.bytes_printed()))
}

fn expect_move(engine: &mut WatchedEngine) -> Result<(), EngineFault> {
    let silent = || EngineFault::new(FaultKind::Silent, "no answer");
    let line = engine.receive(Instant::now() + PATIENCE)?.ok_or_else(silent)?;
    match line.reply.as_ref().ok().and_then(goren_protocol::Reply::ply) {
        Some(_) => Ok(()),
        None => {
            Err(EngineFault::new(FaultKind::Line, format!("{} instead of a move", quote(&line))))
        }
    }
}
