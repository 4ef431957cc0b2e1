//! The journals of the other parts of a run, read while those parts are still writing them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::checksum::{CHECKSUMS, WEIGHTS_CRC32};
use super::journal::{first_line, same_settings};
use super::parts::of_whole;
use super::shard::Shard;
use goren_files::output_path::same;

/// Where the journals of the parts of a run lie.
#[derive(Copy, Clone, Debug)]
pub(crate) enum SiblingPlace {
    /// In one folder.
    Files,
    /// In folders beside each other, under one name.
    Folders,
}

/// The other parts of a run.
pub(crate) struct Siblings {
    place: SiblingPlace,
    /// The journal of this run.
    own: PathBuf,
    /// The settings of the whole run.
    header: Value,
    shard: Shard,
    /// Their journals by number.
    parts: BTreeMap<u64, Tail>,
    /// Files that are none of them.
    strangers: BTreeMap<PathBuf, Stranger>,
    /// Whether all that was there at the beginning has been looked at.
    has_looked: bool,
}

/// A file that is not read.
struct Stranger {
    /// When it was looked at: with another one it is read again.
    stamp: Option<Stamp>,
    /// Its first line: with another one it is another file, and is judged again.
    line: Option<Vec<u8>>,
    kind: StrangerKind,
}

enum StrangerKind {
    /// No part of any run, or the journal of this one.
    Other,
    /// The number of the part that it would be, and why it is none of this run.
    OfAnotherRun(u64, String),
    /// A copy of the part of this number.
    Copy(u64),
}

/// The length of a file, and when it was changed.
type Stamp = (u64, SystemTime);

fn stamp(path: &Path) -> Option<Stamp> {
    let found = fs::metadata(path).ok()?;
    Some((found.len(), found.modified().ok()?))
}

fn is_gone(path: &Path) -> bool {
    path.try_exists().is_ok_and(|exists| !exists)
}

/// Whether a line ends before a byte of a file.
fn ends_line(path: &Path, at: u64) -> bool {
    let Some(last) = at.checked_sub(1) else { return true };
    let mut byte = [0];
    let read = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(last))?;
        file.read_exact(&mut byte)
    });
    read.is_ok() && byte == *b"\n"
}

/// A journal that grows, read up to some byte.
struct Tail {
    path: PathBuf,
    at: u64,
}

impl Siblings {
    /// Those of the part of a run that is described by `header` and has this
    /// journal.
    ///
    /// # Errors
    /// The journal is not there.
    pub(crate) fn new(
        own: &Path,
        place: SiblingPlace,
        header: &Value,
        shard: Shard,
    ) -> Result<Siblings> {
        Ok(Siblings {
            place,
            own: fs::canonicalize(own).with_context(|| own.display().to_string())?,
            header: of_whole(header),
            shard,
            parts: BTreeMap::new(),
            strangers: BTreeMap::new(),
            has_looked: false,
        })
    }

    /// Passes to `each` the lines completed since the last call, without the header line of
    /// each journal. A file that cannot be read now is tried again at the next call.
    ///
    /// # Errors
    /// Two journals are of the same part at the first look; what `each` returns.
    pub(crate) fn look(&mut self, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let parts = &self.parts;
        let is_needed = |stranger: &Stranger| match stranger.kind {
            StrangerKind::Copy(of) => parts.get(&of).is_some_and(|part| is_gone(&part.path)),
            _ => false,
        };
        self.strangers.retain(|path, stranger| !is_gone(path) && !is_needed(stranger));
        for path in self.candidates() {
            if self.parts.values().all(|part| part.path != path) {
                self.take_in(path)?;
            }
        }
        self.has_looked = true;
        self.parts.values_mut().try_for_each(|part| part.read(&mut each))
    }

    /// If the journal of a part was not found: a message, which also names a file that looks
    /// like it but belongs to another run.
    pub(crate) fn missing(&self, number: u64) -> Option<String> {
        if number == self.shard.number || self.parts.contains_key(&number) {
            return None;
        }
        let other = self.strangers.iter().find_map(|(path, stranger)| {
            let StrangerKind::OfAnotherRun(of, why) = &stranger.kind else { return None };
            let reported = || format!("; {} is no part of this run: {why}", path.display());
            (*of == number).then(reported)
        });
        Some(format!("whose file is not there{}", other.unwrap_or_default()))
    }

    fn candidates(&self) -> Vec<PathBuf> {
        let folder = self.own.parent().unwrap_or(&self.own);
        let (around, name) = match self.place {
            SiblingPlace::Files => (folder, None),
            SiblingPlace::Folders => (folder.parent().unwrap_or(folder), self.own.file_name()),
        };
        let entries = fs::read_dir(around).into_iter().flatten().flatten();
        let journal = |path: PathBuf| name.map_or(path.clone(), |name| path.join(name));
        entries.map(|entry| journal(entry.path())).collect()
    }

    /// Looks at a file that is no known part.
    fn take_in(&mut self, path: PathBuf) -> Result<()> {
        let stamp = stamp(&path);
        let known = self.strangers.get_mut(&path);
        if stamp.is_some() && known.as_ref().is_some_and(|known| known.stamp == stamp) {
            return Ok(());
        }
        let line = first_line(&path);
        if let Some(known) = known.filter(|known| known.line == line) {
            known.stamp = stamp;
            return Ok(());
        }
        // Somebody has begun it anew.
        self.strangers.remove(&path);
        let kind = self.judge(&path, line.as_deref().unwrap_or_default())?;
        if let Some(kind) = kind {
            self.strangers.insert(path, Stranger { stamp, line, kind });
        }
        Ok(())
    }

    /// Takes a file with this first line for a part, or says what else it is.
    fn judge(&mut self, path: &Path, line: &[u8]) -> Result<Option<StrangerKind>> {
        if same(path, &self.own) {
            return Ok(Some(StrangerKind::Other));
        }
        let header: Value = serde_json::from_slice(line).unwrap_or(Value::Null);
        let shard = Shard::read(&header["shard"]).unwrap_or(Shard::WHOLE);
        let whole = of_whole(&header);
        let compared = same_settings(&whole, &self.header, "run");
        if shard.of == self.shard.of && compared.is_ok() {
            return self.add(path, shard);
        }
        // It is meant to be a part, but its engines or weights are others.
        if let Err(error) = &compared
            && differs_by_checksums(&whole, &self.header)
        {
            eprintln!("note: {} is no part of this run: {error:#}", path.display());
        }
        let is_part = header["format"] == self.header["format"] && !shard.is_whole();
        if !is_part {
            return Ok(Some(StrangerKind::Other));
        }
        let why = compared.err().map_or(format!("it is {shard}"), |error| format!("{error:#}"));
        Ok(Some(StrangerKind::OfAnotherRun(shard.number, why)))
    }

    /// Takes a journal for that of a part, unless there is one. A copy that somebody makes
    /// during the run is left out. Where the journal of the part is gone this one is read on
    /// from the same byte, as it was renamed.
    fn add(&mut self, path: &Path, shard: Shard) -> Result<Option<StrangerKind>> {
        if let Some(part) = self.parts.get_mut(&shard.number)
            && is_gone(&part.path)
        {
            if !ends_line(path, part.at) {
                let place = path.display();
                let why = "it was begun anew, and what was read before is counted".to_owned();
                eprintln!("note: {place} is no part of this run: {why}");
                return Ok(Some(StrangerKind::OfAnotherRun(shard.number, why)));
            }
            path.clone_into(&mut part.path);
            return Ok(None);
        }
        let known = self.parts.get(&shard.number).map(|part| &part.path);
        if let Some(other) = known.or((shard == self.shard).then_some(&self.own)) {
            let (one, two) = (other.display(), path.display());
            ensure!(self.has_looked, "{one} and {two} are both {shard} of one run");
            eprintln!("note: {one} and {two} are both {shard} of one run; the second is left out");
            return Ok(Some(StrangerKind::Copy(shard.number)));
        }
        self.parts.insert(shard.number, Tail { path: path.to_owned(), at: 0 });
        Ok(None)
    }
}

/// Whether two settings are the same but for their checksums.
fn differs_by_checksums(one: &Value, other: &Value) -> bool {
    one != other && without_checksums(one) == without_checksums(other)
}

fn without_checksums(settings: &Value) -> Value {
    let is_kept = |key: &str| key != CHECKSUMS && key != WEIGHTS_CRC32;
    match settings {
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| is_kept(key))
            .map(|(key, value)| (key.clone(), without_checksums(value)))
            .collect(),
        Value::Array(list) => list.iter().map(without_checksums).collect(),
        other => other.clone(),
    }
}

impl Tail {
    fn read(&mut self, each: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.at))?;
            file.read_to_end(&mut bytes)
        });
        // It may be there again at the next look.
        if read.is_err() {
            return Ok(());
        }
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if line.last() != Some(&b'\n') {
                break;
            }
            if self.at > 0 {
                each(line).with_context(|| format!("{}: byte {}", self.path.display(), self.at))?;
            }
            self.at += line.len() as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tempfile::{TempDir, tempdir};

    /// The settings of a part of two, with a seed and the checksum of an engine.
    fn header(number: u64, seed: u64, checksum: u32) -> Value {
        let engine = json!({"name": "a", CHECKSUMS: {"program_checksum": [checksum]}});
        json!({"format": "run 1", "engines": [engine], "seed": seed, "shard": [number, 2]})
    }

    fn write(folder: &TempDir, name: &str, header: &Value, lines: &str) {
        fs::write(folder.path().join(name), format!("{header}\n{lines}")).unwrap();
    }

    /// The other parts of part 1 in a folder.
    fn siblings(folder: &TempDir) -> Siblings {
        let (header, shard) = (header(1, 1, 7), Shard { number: 1, of: 2 });
        write(folder, "part-1", &header, "");
        let own = folder.path().join("part-1");
        Siblings::new(&own, SiblingPlace::Files, &header, shard).unwrap()
    }

    /// The lines that a look finds.
    fn look(siblings: &mut Siblings) -> Result<String> {
        let mut found = String::new();
        siblings.look(|line| {
            found += str::from_utf8(line)?;
            Ok(())
        })?;
        Ok(found)
    }

    /// They stand beside each engine and each game, and no such part was told.
    #[test]
    fn parts_that_differ_in_checksums_alone_are_told() {
        let differs =
            |one: &Value, other: &Value| differs_by_checksums(&of_whole(one), &of_whole(other));
        assert!(differs(&header(1, 1, 7), &header(2, 1, 8)));
        assert!(!differs(&header(1, 1, 7), &header(2, 1, 7)));
        assert!(!differs(&header(1, 1, 7), &header(2, 2, 8)));
        let tuned = |checksum: u32| json!({"fields": [{"width": 15, WEIGHTS_CRC32: checksum}]});
        assert!(differs(&tuned(1), &tuned(2)) && !differs(&tuned(1), &tuned(1)));
    }

    /// The file of another run was never looked at again, and its part waited for in vain.
    #[test]
    fn a_part_that_is_begun_anew_is_read() {
        let folder = tempdir().unwrap();
        write(&folder, "part-2", &header(2, 9, 7), "old\n");
        let mut siblings = siblings(&folder);
        assert_eq!(look(&mut siblings).unwrap(), "");
        let reported = siblings.missing(2).unwrap();
        let why = "part-2 is no part of this run: it was begun with other settings: seed was 9";
        assert!(
            reported.starts_with("whose file is not there; ") && reported.contains(why),
            "{reported}"
        );
        fs::remove_file(folder.path().join("part-2")).unwrap();
        assert_eq!(look(&mut siblings).unwrap(), "");
        assert_eq!(siblings.missing(2).unwrap(), "whose file is not there");
        write(&folder, "part-2", &header(2, 1, 7), "new\n");
        assert_eq!(look(&mut siblings).unwrap(), "new\n");
        assert_eq!((siblings.missing(2), siblings.missing(1)), (None, None));
    }

    /// It was taken for a copy, and what it got later was never read.
    #[test]
    fn a_part_that_is_renamed_is_read_on() {
        let folder = tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut siblings = siblings(&folder);
        write(&folder, "part-2", &header(2, 1, 7), "a\n");
        assert_eq!(look(&mut siblings).unwrap(), "a\n");
        fs::rename(path("part-2"), path("other")).unwrap();
        assert_eq!(look(&mut siblings).unwrap(), "");
        write(&folder, "other", &header(2, 1, 7), "a\nb\n");
        assert_eq!(look(&mut siblings).unwrap(), "b\n");
        // A copy takes the place of the part that is removed.
        fs::copy(path("other"), path("copy")).unwrap();
        assert_eq!(look(&mut siblings).unwrap(), "");
        fs::remove_file(path("other")).unwrap();
        assert_eq!(look(&mut siblings).unwrap(), "");
        write(&folder, "copy", &header(2, 1, 7), "a\nb\nc\n");
        assert_eq!(look(&mut siblings).unwrap(), "c\n");
        // One that was begun anew has other lines before the byte that was read up to.
        fs::remove_file(path("copy")).unwrap();
        for lines in ["a longer line\n", "a longer line\nanother\n"] {
            write(&folder, "again", &header(2, 1, 7), lines);
            assert_eq!(look(&mut siblings).unwrap(), "");
        }
    }

    /// It ended all parts that were running.
    #[test]
    fn a_copy_that_is_made_during_the_run_is_left_out() {
        let folder = tempdir().unwrap();
        let mut first = siblings(&folder);
        write(&folder, "part-2", &header(2, 1, 7), "a\n");
        assert_eq!(look(&mut first).unwrap(), "a\n");
        for (part, copy) in [("part-1", "own-copy"), ("part-2", "copy")] {
            fs::copy(folder.path().join(part), folder.path().join(copy)).unwrap();
            assert_eq!(look(&mut first).unwrap(), "", "{copy}");
        }
        // At the beginning of a run nobody knows which of them is the part.
        let error = look(&mut siblings(&folder)).unwrap_err().to_string();
        assert!(error.contains("of 2 of one run"), "{error}");
    }
}
