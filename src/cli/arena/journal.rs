//! Journal of a match: a line with its settings, then a line for each game,
//! written as soon as it has ended. All other files are derived from it.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use super::line::MatchRecord;
use super::schedule::Schedule;
use crate::run::journal::RunJournal;
use crate::run::shard::Shard;
use goren_core::opening::Action;
use goren_core::rules::Contest;

/// Name of the journal in the folder of a match.
pub(super) const JOURNAL: &str = "games.jsonl";

/// Format named in the first line of a journal.
pub(in super::super) const FORMAT: &str = "goren match 3";

/// Content of a journal when opened.
#[derive(Default, Debug)]
pub(super) struct JournalContent {
    pub(super) games: Vec<MatchRecord>,
    /// Bytes of an unfinished last line, which was dropped.
    pub(super) dropped: usize,
}

/// Opens the journal of a match described by `header`. With `resume`, an existing
/// file is read and continued.
///
/// # Errors
/// Those of [`RunJournal::open`]; a game of another match, or a game twice.
pub(super) fn open(
    path: &Path,
    header: &Value,
    contest: &Contest,
    schedule: &Schedule,
    openings: &[Vec<Action>],
    resume: bool,
) -> Result<(RunJournal, JournalContent)> {
    let mut games: Vec<MatchRecord> = Vec::new();
    let mut seen = HashMap::new();
    let shard = Shard::read(&header["shard"])?;
    let (journal, dropped) = RunJournal::open(path, "match", header, resume, |line, number| {
        let game = read(line, contest, schedule, openings)?;
        ensure!(shard.has(game.game / 2), "game {} is of another part", game.game);
        if let Some(before) = seen.insert(game.game, number) {
            bail!("lines {before} and {number} are both game {}", game.game);
        }
        games.push(game);
        Ok(())
    })?;
    Ok((journal, JournalContent { games, dropped }))
}

/// Reads the game of a line, which must be between the engines of the schedule.
///
/// # Errors
/// The line holds no such game.
pub(super) fn read_game(
    line: &[u8],
    contest: &Contest,
    schedule: &Schedule,
) -> Result<MatchRecord> {
    let game = MatchRecord::read(line, contest)?;
    // The number of games may have been reduced since.
    let players = schedule.endless(game.game).players;
    ensure!(players == game.players, "game {} is not between these engines", game.game);
    Ok(game)
}

fn read(
    line: &[u8],
    contest: &Contest,
    schedule: &Schedule,
    openings: &[Vec<Action>],
) -> Result<MatchRecord> {
    let game = read_game(line, contest, schedule)?;
    let slot = schedule.endless(game.game);
    // Fewer games may have fewer generated openings.
    let same = openings.get(slot.opening) == Some(&game.record.opening);
    ensure!(
        same || slot.pair >= openings.len() as u64,
        "game {} began from another opening",
        game.game
    );
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::super::line::tests::{contest, line};
    use super::super::schedule::{OpeningOrder, Tournament};
    use super::*;
    use goren_core::record::Ending;
    use serde_json::json;
    use std::fs;
    use std::path::PathBuf;
    use tempfile::{TempDir, tempdir};

    /// Temporary folder of a test.
    struct Folder(TempDir);

    impl Folder {
        fn open(&self, header: &Value, resume: bool) -> Result<(RunJournal, JournalContent)> {
            let schedule = Schedule::new(2, Tournament::RoundRobin, 1, OpeningOrder::File, 1, None);
            let openings = [line(0, [0, 1], Ending::Draw).record.opening];
            open(&self.file(), header, &contest(), &schedule, &openings, resume)
        }

        fn file(&self) -> PathBuf {
            self.0.path().join("games.jsonl")
        }

        /// A journal with a header and three games.
        fn with_games() -> Folder {
            let folder = Folder(tempdir().unwrap());
            let (mut journal, _) = folder.open(&header(), false).unwrap();
            for game in 0..3 {
                let players = if game % 2 == 0 { [0, 1] } else { [1, 0] };
                let line = line(game, players, Ending::Draw).write().unwrap();
                journal.append(&line).unwrap();
            }
            folder
        }

        fn error(&self, header: &Value, resume: bool) -> String {
            format!("{:#}", self.open(header, resume).unwrap_err())
        }
    }

    fn header() -> Value {
        json!({"version": 1, "rule": "renju"})
    }

    #[test]
    fn a_journal_is_resumed_and_never_overwritten() {
        let folder = Folder::with_games();
        assert!(folder.error(&header(), false).contains("--resume"));
        let (mut journal, past) = folder.open(&header(), true).unwrap();
        assert_eq!((past.games.len(), past.dropped), (3, 0));
        assert!(folder.error(&header(), true).contains("in use"));
        journal.append(&line(3, [1, 0], Ending::Draw).write().unwrap()).unwrap();
        drop(journal);
        let (_, past) = folder.open(&header(), true).unwrap();
        let numbers: Vec<u64> = past.games.iter().map(|game| game.game).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
    }

    #[test]
    fn complete_lines_of_a_truncated_file_count() {
        let folder = Folder::with_games();
        let whole = fs::read(folder.file()).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').collect();
        for cut in (0..whole.len()).step_by(97).chain(ends.iter().flat_map(|&e| [e, e + 1])) {
            fs::write(folder.file(), &whole[..cut]).unwrap();
            let lines = ends.iter().filter(|&&end| end < cut).count();
            let (mut journal, past) = folder.open(&header(), true).unwrap();
            assert_eq!(past.games.len(), lines.saturating_sub(1), "{cut}");
            let complete = ends.iter().filter(|&&end| end < cut).max().map_or(0, |end| end + 1);
            assert_eq!(past.dropped, cut - complete);
            // The next game goes on a line of its own.
            journal.append(&line(4, [0, 1], Ending::Draw).write().unwrap()).unwrap();
            drop(journal);
            let (_, past) = folder.open(&header(), true).unwrap();
            assert_eq!(past.games.last().unwrap().game, 4);
        }
    }

    #[test]
    fn damage_other_settings_and_doubled_games_are_reported() {
        let folder = Folder::with_games();
        let other = folder.error(&json!({"version": 1, "rule": "caro"}), true);
        assert!(other.contains("rule was \"renju\", is \"caro\""), "{other}");
        let text = fs::read_to_string(folder.file()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let write = |lines: &[&str]| fs::write(folder.file(), lines.join("\n") + "\n").unwrap();
        write(&[lines[0], lines[1], &lines[2][..40], lines[3]]);
        let error = folder.error(&header(), true);
        let byte = lines[0].len() + lines[1].len() + 2;
        assert!(error.contains(&format!("line 3 (byte {byte}) is damaged")), "{error}");
        write(&[lines[0], lines[1], lines[2], lines[1]]);
        assert!(folder.error(&header(), true).contains("lines 2 and 4 are both game 0"));
        write(&["[]"]);
        assert!(folder.error(&header(), true).contains("does not describe a match"));
        let swapped = lines[1].replace("\"engines\":[0,1]", "\"engines\":[1,0]");
        write(&[lines[0], &swapped]);
        assert!(folder.error(&header(), true).contains("not between these engines"));
        let other = lines[1].replacen("\"h8\"", "\"h9\"", 1);
        write(&[lines[0], &other]);
        assert!(folder.error(&header(), true).contains("another opening"));
    }
}
