//! Reads the journals of the other parts of a run while those parts still write them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::checksum::{CHECKSUMS, WEIGHTS_CRC32};
use super::journal::{first_line, same_settings};
use super::parts::whole_settings;
use super::shard::Shard;
use goren_files::output_path::same;

/// Location of the journals of the parts of a run.
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
    /// The journal of this part.
    own: PathBuf,
    /// The settings of the whole run.
    header: Value,
    shard: Shard,
    /// Their journals by number.
    parts: BTreeMap<u64, Tail>,
    /// Files that are no journals of other parts.
    ignored: BTreeMap<PathBuf, IgnoredFile>,
    /// Whether the files that existed at the beginning have been examined.
    has_looked: bool,
}

/// A file that is not read.
struct IgnoredFile {
    /// Stamp when it was last examined: if it changes, the first line is read again.
    stamp: Option<Stamp>,
    /// Its first line: if it changes, the file is classified again.
    line: Option<Vec<u8>>,
    kind: IgnoredKind,
}

enum IgnoredKind {
    /// No part of any run, or the journal of this part.
    Unrelated,
    /// The number of the part that it would be, and why it is not part of this run.
    OfAnotherRun(u64, String),
    /// A copy of the part of this number.
    Copy(u64),
}

/// Length of a file and time of its last change.
type Stamp = (u64, SystemTime);

fn stamp(path: &Path) -> Option<Stamp> {
    let found = fs::metadata(path).ok()?;
    Some((found.len(), found.modified().ok()?))
}

fn is_gone(path: &Path) -> bool {
    path.try_exists().is_ok_and(|exists| !exists)
}

/// Whether a line of a file ends right before a byte.
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
    /// The siblings of a part of the run described by `header`; `own` is the journal
    /// of the part.
    ///
    /// # Errors
    /// The journal does not exist.
    pub(crate) fn new(
        own: &Path,
        place: SiblingPlace,
        header: &Value,
        shard: Shard,
    ) -> Result<Siblings> {
        Ok(Siblings {
            place,
            own: fs::canonicalize(own).with_context(|| own.display().to_string())?,
            header: whole_settings(header),
            shard,
            parts: BTreeMap::new(),
            ignored: BTreeMap::new(),
            has_looked: false,
        })
    }

    /// Passes to `each` the lines completed since the last call, without the header line of
    /// each journal. A file that cannot be read now is tried again at the next call.
    ///
    /// # Errors
    /// Two journals are of the same part at the first call; the error of `each`.
    pub(crate) fn look(&mut self, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let parts = &self.parts;
        let is_needed = |file: &IgnoredFile| match file.kind {
            IgnoredKind::Copy(of) => parts.get(&of).is_some_and(|part| is_gone(&part.path)),
            _ => false,
        };
        self.ignored.retain(|path, file| !is_gone(path) && !is_needed(file));
        for path in self.candidates() {
            if self.parts.values().all(|part| part.path != path) {
                self.examine(path)?;
            }
        }
        self.has_looked = true;
        self.parts.values_mut().try_for_each(|part| part.read(&mut each))
    }

    /// The message that the journal of a part was not found, if so; names a file that looks
    /// like it but belongs to another run.
    pub(crate) fn missing(&self, number: u64) -> Option<String> {
        if number == self.shard.number || self.parts.contains_key(&number) {
            return None;
        }
        let other = self.ignored.iter().find_map(|(path, file)| {
            let IgnoredKind::OfAnotherRun(of, why) = &file.kind else { return None };
            let message = || format!("; {} is not part of this run: {why}", path.display());
            (*of == number).then(message)
        });
        Some(format!("whose file does not exist{}", other.unwrap_or_default()))
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

    /// Examines a file that is no known part.
    fn examine(&mut self, path: PathBuf) -> Result<()> {
        let stamp = stamp(&path);
        let known = self.ignored.get_mut(&path);
        if stamp.is_some() && known.as_ref().is_some_and(|known| known.stamp == stamp) {
            return Ok(());
        }
        let line = first_line(&path);
        if let Some(known) = known.filter(|known| known.line == line) {
            known.stamp = stamp;
            return Ok(());
        }
        // The file is new, or was begun anew.
        self.ignored.remove(&path);
        let kind = self.classify(&path, line.as_deref().unwrap_or_default())?;
        if let Some(kind) = kind {
            self.ignored.insert(path, IgnoredFile { stamp, line, kind });
        }
        Ok(())
    }

    /// Adds a file with this first line as a part, or returns why it is ignored.
    fn classify(&mut self, path: &Path, line: &[u8]) -> Result<Option<IgnoredKind>> {
        if same(path, &self.own) {
            return Ok(Some(IgnoredKind::Unrelated));
        }
        let header: Value = serde_json::from_slice(line).unwrap_or(Value::Null);
        let shard = Shard::read(&header["shard"]).unwrap_or(Shard::WHOLE);
        let whole = whole_settings(&header);
        let compared = same_settings(&whole, &self.header, "run");
        if shard.of == self.shard.of && compared.is_ok() {
            return self.add(path, shard);
        }
        // Meant to be a part, but with other engines or weights.
        if let Err(error) = &compared
            && differs_by_checksums(&whole, &self.header)
        {
            eprintln!("note: {} is not part of this run: {error:#}", path.display());
        }
        let is_part = header["format"] == self.header["format"] && !shard.is_whole();
        if !is_part {
            return Ok(Some(IgnoredKind::Unrelated));
        }
        let why = compared.err().map_or(format!("it is {shard}"), |error| format!("{error:#}"));
        Ok(Some(IgnoredKind::OfAnotherRun(shard.number, why)))
    }

    /// Adds the journal of a part, unless the part has one. Ignores a copy that is made during
    /// the run. If the known journal of the part is gone, it was renamed, and this one is
    /// read on from the same byte.
    fn add(&mut self, path: &Path, shard: Shard) -> Result<Option<IgnoredKind>> {
        if let Some(part) = self.parts.get_mut(&shard.number)
            && is_gone(&part.path)
        {
            if !ends_line(path, part.at) {
                let place = path.display();
                let why = "it was begun anew, but its old results already count".to_owned();
                eprintln!("note: {place} is not part of this run: {why}");
                return Ok(Some(IgnoredKind::OfAnotherRun(shard.number, why)));
            }
            path.clone_into(&mut part.path);
            return Ok(None);
        }
        let known = self.parts.get(&shard.number).map(|part| &part.path);
        if let Some(other) = known.or((shard == self.shard).then_some(&self.own)) {
            let (one, two) = (other.display(), path.display());
            ensure!(self.has_looked, "{one} and {two} are both {shard} of one run");
            eprintln!("note: {one} and {two} are both {shard} of one run; the second is left out");
            return Ok(Some(IgnoredKind::Copy(shard.number)));
        }
        self.parts.insert(shard.number, Tail { path: path.to_owned(), at: 0 });
        Ok(None)
    }
}

/// Whether two settings differ only in their checksums.
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
        // It may be readable at the next call.
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

    /// Regression: checksums of engines and games were not found, so that such parts were not
    /// reported.
    #[test]
    fn parts_that_differ_only_in_checksums_are_recognised() {
        let differs = |one: &Value, other: &Value| {
            differs_by_checksums(&whole_settings(one), &whole_settings(other))
        };
        assert!(differs(&header(1, 1, 7), &header(2, 1, 8)));
        assert!(!differs(&header(1, 1, 7), &header(2, 1, 7)));
        assert!(!differs(&header(1, 1, 7), &header(2, 2, 8)));
        let tuned = |checksum: u32| json!({"fields": [{"width": 15, WEIGHTS_CRC32: checksum}]});
        assert!(differs(&tuned(1), &tuned(2)) && !differs(&tuned(1), &tuned(1)));
    }

    /// Regression: the file of another run was never examined again, and the run waited in
    /// vain for the part.
    #[test]
    fn a_part_that_is_begun_anew_is_read() {
        let folder = tempdir().unwrap();
        write(&folder, "part-2", &header(2, 9, 7), "old\n");
        let mut siblings = siblings(&folder);
        assert_eq!(look(&mut siblings).unwrap(), "");
        let message = siblings.missing(2).unwrap();
        let why = "part-2 is not part of this run: it was begun with other settings: seed was 9";
        assert!(
            message.starts_with("whose file does not exist; ") && message.contains(why),
            "{message}"
        );
        fs::remove_file(folder.path().join("part-2")).unwrap();
        assert_eq!(look(&mut siblings).unwrap(), "");
        assert_eq!(siblings.missing(2).unwrap(), "whose file does not exist");
        write(&folder, "part-2", &header(2, 1, 7), "new\n");
        assert_eq!(look(&mut siblings).unwrap(), "new\n");
        assert_eq!((siblings.missing(2), siblings.missing(1)), (None, None));
    }

    /// Regression: it was taken for a copy, and lines appended later were never read.
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
        // A journal begun anew has other lines before the byte read so far.
        fs::remove_file(path("copy")).unwrap();
        for lines in ["a longer line\n", "a longer line\nanother\n"] {
            write(&folder, "again", &header(2, 1, 7), lines);
            assert_eq!(look(&mut siblings).unwrap(), "");
        }
    }

    /// Regression: a copy ended all running parts.
    #[test]
    fn a_copy_made_during_the_run_is_ignored() {
        let folder = tempdir().unwrap();
        let mut first = siblings(&folder);
        write(&folder, "part-2", &header(2, 1, 7), "a\n");
        assert_eq!(look(&mut first).unwrap(), "a\n");
        for (part, copy) in [("part-1", "own-copy"), ("part-2", "copy")] {
            fs::copy(folder.path().join(part), folder.path().join(copy)).unwrap();
            assert_eq!(look(&mut first).unwrap(), "", "{copy}");
        }
        // At the beginning of a run it is unknown which of the two is the part.
        let error = look(&mut siblings(&folder)).unwrap_err().to_string();
        assert!(error.contains("of 2 of one run"), "{error}");
    }
}
