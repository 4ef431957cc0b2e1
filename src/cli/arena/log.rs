//! Log of a match: input and output of the engines, one file per game.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use goren_protocol::LineBuffer;

use super::schedule::Slot;
use crate::engine::{EngineObserver, Transcript};
use crate::lock::lock;
use crate::run::shard::Shard;
use goren_files::output_path;
use goren_notation::words::plural;

/// Prefix of the first line of a log.
const HEAD: &str = "# goren match log 1: ";
/// Maximum number of lines kept per game, and of their bytes.
const MAX_LINES: usize = 1 << 20;
const MAX_BYTES: usize = 64 << 20;

/// Checks the folder of the logs before the match begins: new logs replace no file, except
/// logs of the match that is resumed.
///
/// # Errors
/// The folder cannot be written to, or holds a file with the name of a log.
pub(super) fn check(folder: &Path, shard: Shard, resume: bool) -> Result<()> {
    output_path::check_folder(folder)?;
    if !folder.exists() {
        return Ok(());
    }
    let place = || folder.display().to_string();
    for entry in fs::read_dir(folder).with_context(place)? {
        let entry = entry.with_context(place)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if game_of(&name).is_some_and(|game| shard.has(game / 2)) {
            let is_log = |front: &[u8]| front == HEAD.as_bytes();
            output_path::check_kind(&entry.path(), HEAD.len() as u64, is_log)?;
            ensure!(resume, "{} holds {name} of another match: name another folder", place());
        }
    }
    Ok(())
}

/// Returns the file name of a game's log.
fn name_of(game: u64) -> String {
    format!("{game:06}.log")
}

/// Returns the game of a log by its file name; `None` for other names.
fn game_of(name: &str) -> Option<u64> {
    let game = name.strip_suffix(".log")?.parse().ok()?;
    (name_of(game) == name).then_some(game)
}

type SharedTranscript = Arc<Mutex<Transcript>>;

/// Log of the games of one thread, one game at a time.
pub(super) struct GameLog<'a> {
    folder: &'a Path,
    transcript: SharedTranscript,
}

impl GameLog<'_> {
    /// Creates a log in an existing folder.
    pub(super) fn new(folder: &Path) -> GameLog<'_> {
        let transcript = Arc::new(Mutex::new(Transcript::new(MAX_LINES, MAX_BYTES)));
        GameLog { folder, transcript }
    }

    /// Begins the log of a game.
    pub(super) fn begin(&self) {
        lock(&self.transcript).clear();
    }

    /// Returns an observer that records the lines of an engine process across games.
    pub(super) fn recorder(&self, name: &str) -> Arc<dyn EngineObserver> {
        Arc::new(Recorder {
            marks: ["<", ">"].map(|mark| format!("{mark} {name}:")),
            transcript: self.transcript.clone(),
            printed: Mutex::default(),
        })
    }

    /// Writes the log of a game; `names` are the names of the engines, the first to act
    /// first.
    ///
    /// # Errors
    /// An I/O error, with the name of the file.
    pub(super) fn write(&self, slot: Slot, names: [&str; 2]) -> Result<()> {
        let transcript = lock(&self.transcript);
        let mut text = format!("{HEAD}{slot}, {} against {}\n", names[0], names[1]);
        if transcript.left_out() > 0 {
            let earlier = plural(transcript.left_out(), "earlier line", "earlier lines");
            text += &format!("# {earlier} left out\n");
        }
        for line in transcript.lines() {
            text.push_str(line);
            text.push('\n');
        }
        Ok(output_path::replace(&self.folder.join(name_of(slot.game)), text.as_bytes())?)
    }
}

/// Records what is sent to an engine and what it prints.
struct Recorder {
    /// Prefixes of sent and of printed lines.
    marks: [String; 2],
    transcript: SharedTranscript,
    /// Printed bytes of an incomplete line.
    printed: Mutex<LineBuffer>,
}

impl EngineObserver for Recorder {
    fn sent(&self, lines: &str, at: Instant) {
        lock(&self.transcript).add(&self.marks[0], lines, at);
    }

    fn printed(&self, bytes: &[u8], at: Instant) {
        let lines = lock(&self.printed).push(bytes);
        let mut transcript = lock(&self.transcript);
        for line in lines {
            transcript.add(&self.marks[1], &String::from_utf8_lossy(&line), at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_lines_of_both_engines_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let log = GameLog::new(folder.path());
        let [one, two] = ["one", "two"].map(|name| log.recorder(name));
        one.sent("START 15\n", Instant::now());
        log.begin();
        let at = Instant::now();
        one.sent("INFO x 1\nBEGIN\n", at);
        one.printed(b"MESSAGE hi\n7,", at);
        two.printed(b"OK\n", at);
        one.printed(b"7\n", at);
        let slot = Slot { game: 12, pairing: 0, pair: 6, players: [0, 1], opening: 0 };
        log.write(slot, ["one", "two"]).unwrap();
        let text = fs::read_to_string(folder.path().join("000012.log")).unwrap();
        let (head, lines) = text.split_once('\n').unwrap();
        assert_eq!(head, "# goren match log 1: game 12, one against two");
        let recorded: Vec<&str> = lines
            .lines()
            .filter_map(|line| line.trim().split_once(' '))
            .map(|(_, line)| line)
            .collect();
        assert_eq!(
            recorded,
            ["< one: INFO x 1", "< one: BEGIN", "> one: MESSAGE hi", "> two: OK", "> one: 7,7"]
        );
    }

    #[test]
    fn only_logs_of_the_match_that_is_resumed_are_replaced() {
        let own = tempfile::tempdir().unwrap();
        let folder = own.path();
        let error =
            |shard, resume| check(folder, shard, resume).map_err(|error| error.to_string()).err();
        check(&folder.join("new"), Shard::WHOLE, false).unwrap();
        // These are no names of logs.
        for name in ["notes.log", "12.log", "000012.txt"] {
            fs::write(folder.join(name), "worth keeping").unwrap();
        }
        assert_eq!(error(Shard::WHOLE, false), None);
        fs::write(folder.join("000012.log"), format!("{HEAD}game 12, a against b\n")).unwrap();
        assert!(error(Shard::WHOLE, false).unwrap().contains("holds 000012.log of another match"));
        assert_eq!(error(Shard::WHOLE, true), None);
        // Pair 6 is the seventh, which belongs to the first of three parts.
        let part = |number| Shard { number, of: 3 };
        assert!(error(part(1), false).is_some());
        assert_eq!(error(part(2), false), None);
        fs::write(folder.join("000012.log"), "worth keeping").unwrap();
        assert!(error(Shard::WHOLE, true).unwrap().contains("holds something else"));
    }
}
