//! Joins the journals of the parts of a match into the journal of the whole match.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::files::{OPENINGS, RecordFiles, check_unused};
use super::journal::{JOURNAL, read_game};
use super::line::MatchRecord;
use super::schedule::{OpeningOrder, Schedule, Tournament};
use super::totals::MatchTotals;
use super::{MatchEnd, is_five};
use crate::run::parts::{Parts, hold, with_target};
use crate::stats::Sprt;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_files::output_path::same;

/// Joins the parts of a match, given as folders or as journals, into the folder of the
/// whole match, and prints its result. Returns whether no game is missing.
///
/// # Errors
/// A journal cannot be read or is damaged; the journals are of different matches or
/// differ in a game; the folder holds another match or a part, or cannot be written.
pub(in super::super) fn join(out: &Path, parts: &[PathBuf]) -> Result<bool> {
    let target = out.join(JOURNAL);
    let _held = hold(&target, &target)?;
    let journals: Vec<PathBuf> = parts.iter().map(|part| journal_of(part)).collect();
    let journals = with_target(&journals, &target);
    let joined = Parts::read(&journals, "match", |header, shard, line| {
        let game = read_game(line, &contest_of(header)?, &schedule_of(header)?)?;
        ensure!(shard.has(game.game / 2), "game {} is of another part", game.game);
        Ok((game.game, game))
    })?;
    check_unused(out)?;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    joined.write(&target)?;
    let destination = out.join(OPENINGS);
    let mut sources = journals.iter().map(|path| path.with_file_name(OPENINGS));
    // Copying a file onto itself would empty it.
    if let Some(source) = sources.find(|path| path.exists() && !same(path, &destination)) {
        let copied = fs::copy(&source, &destination);
        copied.with_context(|| format!("cannot copy {}", source.display()))?;
    }
    let totals = conclude(out, &joined)?;
    Ok(joined.report("game", "games") || totals.decided())
}

/// Returns the journal of a match, given its folder or the journal itself.
fn journal_of(part: &Path) -> PathBuf {
    if part.is_dir() { part.join(JOURNAL) } else { part.to_owned() }
}

/// Writes the other files of the folder, and prints the result.
fn conclude(out: &Path, joined: &Parts<MatchRecord>) -> Result<MatchTotals> {
    let header = &joined.header;
    let names = names(header)?;
    let schedule = schedule_of(header)?;
    let mut totals = MatchTotals::new(names.len(), &schedule, sprt(header)?);
    let games: Vec<MatchRecord> = joined.items.values().map(|(line, _)| line.clone()).collect();
    games.iter().for_each(|line| totals.add(line, &schedule));
    let contest = contest_of(header)?;
    let files = RecordFiles::new(out, &games, is_five(&contest))?;
    let gomocup = header["gomocup"] == true;
    let end = MatchEnd { contest, gomocup, names: &names, is_whole: true };
    end.report(Some(out), &totals, None)?;
    files.notes().iter().for_each(|line| println!("{line}"));
    Ok(totals)
}

/// Reads the game of a match from the first line of its journal.
fn contest_of(header: &Value) -> Result<Contest> {
    let text = |key: &str| header[key].as_str().with_context(|| format!("{key} is missing"));
    let side = |key: &str| -> Result<usize> {
        Ok(usize::try_from(header[key].as_u64().with_context(|| format!("{key} is missing"))?)?)
    };
    let contest = Contest::new(Variant::from_name(text("variant")?)?);
    let opening = OpeningId::from_name(text("opened")?).context("unknown opening")?;
    let contest = contest.opened(opening)?;
    let contest = contest.on(side("width")?, side("height")?)?;
    Ok(Contest { tie_break: header["tie_break"] == true, ..contest })
}

/// Builds the schedule of a match from the first line of its journal, without the openings.
fn schedule_of(header: &Value) -> Result<Schedule> {
    let engines = names(header)?.len();
    ensure!(engines > 1, "a match of fewer than two engines");
    let tournament: Tournament = serde_json::from_value(header["tournament"].clone())?;
    Ok(Schedule::new(engines, tournament, 1, OpeningOrder::File, 1, None))
}

fn names(header: &Value) -> Result<Vec<String>> {
    let engines = header["engines"].as_array().context("engines are missing")?;
    let name = |engine: &Value| engine["name"].as_str().map(str::to_owned);
    engines.iter().map(|engine| name(engine).context("an engine without a name")).collect()
}

fn sprt(header: &Value) -> Result<Option<Sprt>> {
    let Some(numbers) = header["sprt"].as_array() else { return Ok(None) };
    let numbers: Vec<f64> = numbers.iter().filter_map(Value::as_f64).collect();
    let [elo0, elo1, alpha, beta] = numbers[..] else { bail!("sprt must have four numbers") };
    Ok(Some(Sprt::new(elo0, elo1, alpha, beta)?))
}

#[cfg(test)]
mod tests {
    use super::super::line::tests::line;
    use super::*;
    use goren_core::record::Ending;
    use serde_json::json;

    /// Regression: such games were counted for the wrong engine or for none.
    #[test]
    fn a_game_between_other_engines_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let (part, all) = (folder.path().join("part"), folder.path().join("all"));
        let names = [json!({ "name": "a" }), json!({ "name": "b" })];
        let merged = |engines: &[Value], players: [usize; 2]| {
            let header = json!({
                "engines": engines, "tournament": "round-robin", "variant": "renju",
                "opened": "free", "width": 15, "height": 15,
            });
            let game = line(0, players, Ending::Draw).write().unwrap();
            fs::write(&part, format!("{header}\n{game}")).unwrap();
            join(&all, std::slice::from_ref(&part))
        };
        for players in [[0, 7], [1, 0]] {
            let error = format!("{:#}", merged(&names, players).unwrap_err());
            assert!(error.contains("line 2 (byte "), "{error}");
            assert!(error.ends_with("game 0 is not between these engines"), "{error}");
        }
        let error = format!("{:#}", merged(&names[..1], [0, 1]).unwrap_err());
        assert!(error.ends_with("a match of fewer than two engines"), "{error}");
        assert!(!all.exists());
    }
}
