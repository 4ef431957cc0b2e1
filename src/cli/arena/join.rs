//! Joins the journals of the parts of a match into that of the whole one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::files::{OPENINGS, RecordFiles, check_unused};
use super::journal::JOURNAL;
use super::line::MatchRecord;
use super::schedule::{OpeningOrder, Schedule, Tournament};
use super::totals::MatchTotals;
use super::{End, is_five};
use crate::run::parts::{Parts, hold, with_target};
use crate::stats::Sprt;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_files::output_path::same;

/// Joins the parts of a match, which are its folders or the journals in them, into
/// the folder of the whole one; prints its result. Whether no game is missing.
///
/// # Errors
/// A journal cannot be read or is damaged; journals of different matches, or that
/// differ in a game; the folder holds another match or a part, or cannot be written.
pub(in super::super) fn join(out: &Path, parts: &[PathBuf]) -> Result<bool> {
    let target = out.join(JOURNAL);
    let _held = hold(&target, &target)?;
    let journals: Vec<PathBuf> = parts.iter().map(|part| journal_of(part)).collect();
    let journals = with_target(&journals, &target);
    let mut contest = None;
    let joined = Parts::read(&journals, "match", |header, shard, line| {
        let contest = match contest {
            Some(contest) => contest,
            None => *contest.insert(contest_of(header)?),
        };
        let game = MatchRecord::read(line, &contest)?;
        ensure!(shard.has(game.game / 2), "game {} is of another part", game.game);
        Ok((game.game, game))
    })?;
    check_unused(out)?;
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    joined.write(&target)?;
    let (kept, openings) = (out.join(OPENINGS), journals.iter());
    let mut openings = openings.map(|path| path.with_file_name(OPENINGS));
    // A file that is copied onto itself is emptied.
    if let Some(made) = openings.find(|path| path.exists() && !same(path, &kept)) {
        let copied = fs::copy(&made, &kept);
        copied.with_context(|| format!("cannot copy {}", made.display()))?;
    }
    let totals = conclude(out, &joined)?;
    Ok(joined.tell("game", "games") || totals.decided())
}

/// The journal of a match, which may be named itself.
fn journal_of(part: &Path) -> PathBuf {
    if part.is_dir() { part.join(JOURNAL) } else { part.to_owned() }
}

/// Makes the other files of the folder, and prints the result.
fn conclude(out: &Path, joined: &Parts<MatchRecord>) -> Result<MatchTotals> {
    let header = &joined.header;
    let names = names(header)?;
    let tournament: Tournament = serde_json::from_value(header["tournament"].clone())?;
    let schedule = Schedule::new(names.len(), tournament, 1, OpeningOrder::File, 1, None);
    let mut totals = MatchTotals::new(names.len(), &schedule, sprt(header)?);
    let games: Vec<MatchRecord> = joined.items.values().map(|(line, _)| line.clone()).collect();
    games.iter().for_each(|line| totals.add(line, &schedule));
    let contest = contest_of(header)?;
    let files = RecordFiles::new(out, &games, is_five(&contest))?;
    let end = End { contest, gomocup: header["gomocup"] == true, names: &names, is_whole: true };
    end.tell(Some(out), &totals, None)?;
    files.report().iter().for_each(|line| println!("{line}"));
    Ok(totals)
}

/// The game of a match, by its first line.
fn contest_of(header: &Value) -> Result<Contest> {
    let text = |key: &str| header[key].as_str().with_context(|| format!("no {key}"));
    let side = |key: &str| -> Result<usize> {
        Ok(usize::try_from(header[key].as_u64().with_context(|| format!("no {key}"))?)?)
    };
    let contest = Contest::new(Variant::from_name(text("variant")?)?);
    let opening = OpeningId::from_name(text("opened")?).context("an unknown opening")?;
    let contest = contest.opened(opening)?;
    let contest = contest.on(side("width")?, side("height")?)?;
    Ok(Contest { tie_break: header["tie_break"] == true, ..contest })
}

fn names(header: &Value) -> Result<Vec<String>> {
    let engines = header["engines"].as_array().context("no engines")?;
    let name = |engine: &Value| engine["name"].as_str().map(str::to_owned);
    engines.iter().map(|engine| name(engine).context("an engine without a name")).collect()
}

fn sprt(header: &Value) -> Result<Option<Sprt>> {
    let Some(numbers) = header["sprt"].as_array() else { return Ok(None) };
    let numbers: Vec<f64> = numbers.iter().filter_map(Value::as_f64).collect();
    let [elo0, elo1, alpha, beta] = numbers[..] else { bail!("a sequential test of four numbers") };
    Ok(Some(Sprt::new(elo0, elo1, alpha, beta)?))
}
