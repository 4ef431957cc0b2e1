//! Joins the files of the parts of a self-play run into that of the whole run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::run::journal::same_settings;
use crate::run::parts::{Parts, hold, report, whole_settings, with_target};
use crate::run::shard::Shard;
use goren_core::types::keys::{derive, mix, unmix};
use goren_files::output_path::{self, same};
use goren_files::{replace, with_suffix};
use goren_notation::words::plural;
use goren_training_data::{DataError, FrameFault, JsonGame, MAGIC, PackedReader};

/// Numbers of games are below this; larger ones come from the seed of another run.
const MAX_GAMES: u64 = 1 << 40;

/// The seed of a game, from the seed of its run and its number (from 0).
pub(crate) fn seed_of(run: u64, number: u64) -> u64 {
    derive(run, number)
}

/// The number of a game in its run, from the seeds of both.
///
/// # Errors
/// The game is of another run, or of another part.
fn number_of(header: &Value, shard: Shard, game: u64) -> Result<u64> {
    let run = header["seed"].as_u64().context("the settings name no seed")?;
    let number = unmix(game) ^ mix(run);
    ensure!(number < MAX_GAMES, "the game is of a run with another seed");
    ensure!(shard.has(number), "game {number} is of another part");
    Ok(number)
}

/// Path of the settings of a part, as a file of packed games has none.
fn settings_path(path: &Path) -> PathBuf {
    with_suffix(path, ".settings")
}

/// Writes the settings of a part beside its file. If it `has_games`, existing settings must
/// be the same.
///
/// # Errors
/// The part was begun with other settings; an I/O error, with the name of the file.
pub(crate) fn write_settings(path: &Path, header: &Value, has_games: bool) -> Result<()> {
    let beside = settings_path(path);
    if has_games && beside.exists() {
        let text = fs::read_to_string(&beside).with_context(|| beside.display().to_string())?;
        same_settings(&parse_settings(&text, &beside)?, header, "run")
            .with_context(|| format!("{} cannot be resumed", path.display()))?;
    }
    Ok(output_path::replace(&beside, format!("{header}\n").as_bytes())?)
}

/// Parses the `text` of a settings file.
fn parse_settings(text: &str, path: &Path) -> Result<Value> {
    serde_json::from_str(text).with_context(|| format!("{} is damaged", path.display()))
}

/// Joins the files of the parts of a run; returns whether no game is missing.
///
/// # Errors
/// A file cannot be read or written, or is damaged; the files are of different runs;
/// `out` is the file of a part.
pub(crate) fn join(out: &Path, files: &[PathBuf]) -> Result<bool> {
    let is_packed = |path: &PathBuf| -> Result<bool> {
        let first = fs::read(path).with_context(|| path.display().to_string())?;
        Ok(first.starts_with(&MAGIC))
    };
    for path in files {
        if is_packed(path)? {
            return join_packed(out, files);
        }
    }
    let _lock = hold(out, out)?;
    let mut joined = Parts::read(&with_target(files, out), "run", |header, shard, line| {
        let game = JsonGame::read(str::from_utf8(line)?)?;
        Ok((number_of(header, shard, game.seed)?, ()))
    })?;
    joined.header["shard"] = Shard::WHOLE.header();
    joined.write(out)?;
    Ok(joined.report("game", "games"))
}

/// The settings of the run, which must be the same in all parts, and the numbers of the
/// parts.
fn settings(files: &[PathBuf]) -> Result<(Value, Vec<Shard>)> {
    let (mut all, mut shards) = (None, Vec::new());
    for path in files {
        let beside = settings_path(path);
        let text = fs::read_to_string(&beside).with_context(|| {
            format!(
                "cannot read the settings of {} ({}); join games without settings by `cat`",
                path.display(),
                beside.display()
            )
        })?;
        let header = parse_settings(&text, &beside)?;
        shards.push(Shard::read(&header["shard"])?);
        let header = whole_settings(&header);
        let first = all.get_or_insert_with(|| header.clone());
        same_settings(&header, first, "run")
            .with_context(|| format!("{} is of another run", path.display()))?;
    }
    Ok((all.context("no file")?, shards))
}

fn join_packed(out: &Path, files: &[PathBuf]) -> Result<bool> {
    let _lock = hold(out, &settings_path(out))?;
    ensure!(
        !files.iter().any(|path| same(path, out)),
        "{} is a part; give the whole another name",
        out.display()
    );
    let (header, shards) = settings(files)?;
    let mut games: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    for (at, path) in with_target(files, out).iter().enumerate() {
        // The existing file is of the whole run.
        let shard = shards.get(at).copied().unwrap_or(Shard::WHOLE);
        for (seed, frame) in frames(path)? {
            let name = path.display();
            let number = number_of(&header, shard, seed).with_context(|| name.to_string())?;
            match games.get(&number) {
                Some(known) if *known != frame => {
                    bail!("{name}: game {number} is in another file too, and differs")
                }
                _ => games.insert(number, frame),
            };
        }
    }
    let content = |mut file: &File| games.values().try_for_each(|frame| file.write_all(frame));
    replace(out, 0, content).with_context(|| format!("cannot write {}", out.display()))?;
    Ok(report(&plural(games.len(), "game", "games"), &shards, games.keys().copied()))
}

/// The games of a packed file as stored, each with its seed.
fn frames(path: &Path) -> Result<Vec<(u64, Vec<u8>)>> {
    let mut reader = PackedReader::open(path)?;
    let mut places = Vec::new();
    loop {
        let from = reader.byte();
        match reader.next() {
            None => break,
            Some(Ok(game)) => places.push((game.seed, from, reader.byte())),
            Some(Err(DataError { fault: FrameFault::Truncated, .. })) => {
                eprintln!("note: {} ends within a game, which is left out", path.display());
                break;
            }
            Some(Err(error)) => return Err(error.into()),
        }
    }
    let place = || path.display().to_string();
    let bytes = fs::read(path).with_context(place)?;
    let frame = |(seed, from, to): (u64, u64, u64)| {
        let frame = bytes.get(from as usize..to as usize);
        Ok((seed, frame.context("it was cut short meanwhile").with_context(place)?.to_vec()))
    };
    places.into_iter().map(frame).collect()
}
