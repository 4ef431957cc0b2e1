//! The file of a match: a line that says what is played, then a line for each
//! game, written as soon as it has ended. It is the truth about the match;
//! all else is made from it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::line::GameLine;
use super::schedule::Schedule;
use crate::rules::Setup;
use crate::types::Cell;

/// A journal open for appending, and locked against other runs.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// Bytes of whole lines.
    length: u64,
}

/// What a journal already held.
#[derive(Default, Debug)]
pub(super) struct Past {
    pub(super) games: Vec<GameLine>,
    /// Bytes of an unfinished line at the end, which were dropped.
    pub(super) dropped: usize,
}

impl Journal {
    /// Opens the journal of a match described by `header`. With `resume`, a
    /// file that is there is read and gone on with.
    ///
    /// # Errors
    /// A file that is there without `resume`, that another run has open, that
    /// belongs to a match with other settings, that is damaged elsewhere than
    /// at its very end, or cannot be read or written.
    pub(super) fn open(
        path: &Path,
        header: &Value,
        setup: Setup,
        schedule: &Schedule,
        openings: &[Vec<Cell>],
        resume: bool,
    ) -> Result<(Journal, Past)> {
        let name = path.display();
        let options = File::options().read(true).append(true).create(true).open(path);
        let file = options.with_context(|| format!("cannot open {name}"))?;
        // Systems without locks have to do without.
        if let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
            bail!("{name} is in use by another run");
        }
        let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        ensure!(
            bytes.is_empty() || resume,
            "{name} holds a match already; go on with it by --resume, or give another --out"
        );
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut past = Past { games: Vec::new(), dropped: bytes.len() - whole };
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let first = lines.next();
        if let Some(first) = first {
            let found: Value = serde_json::from_slice(first)
                .with_context(|| format!("{name}: line 1 does not describe a match"))?;
            same_settings(&found, header).with_context(|| format!("{name} cannot be resumed"))?;
        }
        let mut seen = HashMap::new();
        let mut at = first.map_or(0, <[u8]>::len);
        for (i, line) in lines.enumerate() {
            let number = i + 2;
            let game = read(line, number, setup, schedule, openings)
                .with_context(|| format!("{name}: line {number} (byte {at}) is damaged"))?;
            if let Some(before) = seen.insert(game.game, number) {
                bail!("{name}: lines {before} and {number} are both game {}", game.game);
            }
            past.games.push(game);
            at += line.len();
        }
        let mut journal = Journal { file, path: path.to_owned(), length: whole as u64 };
        journal.cut().with_context(|| format!("cannot write {name}"))?;
        if first.is_none() {
            journal.append(&format!("{header}\n"))?;
        }
        Ok((journal, past))
    }

    /// Appends whole lines.
    ///
    /// # Errors
    /// The system's, with the name of the file. Of what could not be written
    /// nothing stays.
    pub(super) fn append(&mut self, lines: &str) -> Result<()> {
        if let Err(error) = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.flush()) {
            // Best effort: a half line at the end is dropped by a resume too.
            self.cut().ok();
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Drops what stands behind the last whole line.
    fn cut(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

fn read(
    line: &[u8],
    number: usize,
    setup: Setup,
    schedule: &Schedule,
    openings: &[Vec<Cell>],
) -> Result<GameLine> {
    let game = GameLine::read(line, number, setup)?;
    // The number of games may have been made smaller since.
    let slot = schedule.endless(game.game);
    ensure!(slot.players == game.players, "game {} is not between these engines", game.game);
    // Fewer openings may be made for fewer games.
    let same = openings.get(slot.opening) == Some(&game.record.opening);
    ensure!(
        same || slot.pair >= openings.len() as u64,
        "game {} began from another opening",
        game.game
    );
    Ok(game)
}

/// Refuses settings that differ from those of a match that was begun.
fn same_settings(found: &Value, wanted: &Value) -> Result<()> {
    let (Some(found), Some(wanted)) = (found.as_object(), wanted.as_object()) else {
        bail!("its first line does not describe a match");
    };
    let keys = found.keys().chain(wanted.keys().filter(|key| !found.contains_key(*key)));
    let shown = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    for key in keys {
        let (before, now) = (found.get(key), wanted.get(key));
        ensure!(
            before == now,
            "it was begun with other settings: {key} was {}, is {}",
            shown(before),
            shown(now)
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::line::tests::{line, setup};
    use super::super::schedule::{Order, Tournament};
    use super::*;
    use crate::rules::Outcome;
    use serde_json::json;

    /// A folder of its own for a test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("goren-journal-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn open(&self, header: &Value, resume: bool) -> Result<(Journal, Past)> {
            let schedule = Schedule::new(2, Tournament::RoundRobin, 1, Order::File, 1, None);
            let openings = [line(0, [0, 1], Outcome::Draw).record.opening];
            Journal::open(&self.file(), header, setup(), &schedule, &openings, resume)
        }

        fn file(&self) -> PathBuf {
            self.0.join("games.jsonl")
        }

        /// A journal with a header and three games.
        fn with_games(name: &str) -> Folder {
            let folder = Folder::new(name);
            let (mut journal, _) = folder.open(&header(), false).unwrap();
            for game in 0..3 {
                let players = if game % 2 == 0 { [0, 1] } else { [1, 0] };
                let line = line(game, players, Outcome::Draw).write().unwrap();
                journal.append(&line).unwrap();
            }
            folder
        }

        fn error(&self, header: &Value, resume: bool) -> String {
            format!("{:#}", self.open(header, resume).unwrap_err())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    fn header() -> Value {
        json!({"version": 1, "rule": "renju"})
    }

    #[test]
    fn games_are_found_again_and_nothing_is_overwritten() {
        let folder = Folder::with_games("again");
        assert!(folder.error(&header(), false).contains("--resume"));
        let (mut journal, past) = folder.open(&header(), true).unwrap();
        assert_eq!((past.games.len(), past.dropped), (3, 0));
        assert!(folder.error(&header(), true).contains("in use"));
        journal.append(&line(3, [1, 0], Outcome::Draw).write().unwrap()).unwrap();
        drop(journal);
        let (_, past) = folder.open(&header(), true).unwrap();
        let numbers: Vec<u64> = past.games.iter().map(|game| game.game).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
    }

    #[test]
    fn wherever_the_file_was_cut_the_whole_lines_count() {
        let folder = Folder::with_games("cut");
        let whole = fs::read(folder.file()).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').collect();
        for cut in (0..whole.len()).step_by(97).chain(ends.iter().flat_map(|&e| [e, e + 1])) {
            fs::write(folder.file(), &whole[..cut]).unwrap();
            let lines = ends.iter().filter(|&&end| end < cut).count();
            let (mut journal, past) = folder.open(&header(), true).unwrap();
            assert_eq!(past.games.len(), lines.saturating_sub(1), "{cut}");
            let kept = ends.iter().filter(|&&end| end < cut).max().map_or(0, |end| end + 1);
            assert_eq!(past.dropped, cut - kept);
            // What is appended then stands on a line of its own.
            journal.append(&line(4, [0, 1], Outcome::Draw).write().unwrap()).unwrap();
            drop(journal);
            let (_, past) = folder.open(&header(), true).unwrap();
            assert_eq!(past.games.last().unwrap().game, 4);
        }
    }

    #[test]
    fn damage_other_settings_and_doubled_games_are_told() {
        let folder = Folder::with_games("damage");
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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let path = PathBuf::from("/dev/full");
        let file = File::options().append(true).open(&path).unwrap();
        let mut journal = Journal { file, path, length: 0 };
        let error = format!("{:#}", journal.append("{}\n").unwrap_err());
        assert!(error.contains("cannot write /dev/full"), "{error}");
    }
}
