//! The other parts of a run, by their journals, which are read as they grow.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::checksum::CHECKSUMS;
use super::journal::same_settings;
use super::parts::of_whole;
use super::shard::Shard;
use goren_files::output_path::same;

/// Longest first line of a journal.
const LONGEST_HEADER: u64 = 1 << 20;

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
    /// Files that begin as anything else.
    strangers: HashSet<PathBuf>,
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
            strangers: HashSet::new(),
        })
    }

    /// Hands on the lines that have come to their end since the last look, but for
    /// the first ones. What cannot be read at the moment is left for the next look.
    ///
    /// # Errors
    /// Two journals are of the same part; what `each` returns.
    pub(crate) fn look(&mut self, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        for path in self.candidates() {
            if !self.is_known(&path) && !same(&path, &self.own) {
                self.take_in(path)?;
            }
        }
        self.parts.values_mut().try_for_each(|part| part.read(&mut each))
    }

    /// Whether the journal of a part has been found, or is that of this run.
    pub(crate) fn has(&self, number: u64) -> bool {
        number == self.shard.number || self.parts.contains_key(&number)
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

    fn is_known(&self, path: &PathBuf) -> bool {
        self.strangers.contains(path) || self.parts.values().any(|part| part.path == *path)
    }

    fn take_in(&mut self, path: PathBuf) -> Result<()> {
        let Some(line) = first_line(&path) else { return Ok(()) };
        let header: Value = serde_json::from_slice(&line).unwrap_or(Value::Null);
        let shard = Shard::read(&header["shard"]).unwrap_or(Shard::WHOLE);
        let same = same_settings(&of_whole(&header), &self.header, "run");
        if shard.of != self.shard.of || same.is_err() {
            // It is meant to be a part, but its engines or weights are others.
            if let Err(error) = same
                && differs_by_checksums(&of_whole(&header), &self.header)
            {
                eprintln!("note: {} is no part of this run: {error:#}", path.display());
            }
            self.strangers.insert(path);
            return Ok(());
        }
        let known = self.parts.get(&shard.number).map(|part| &part.path);
        if let Some(other) = known.or((shard == self.shard).then_some(&self.own)) {
            bail!("{} and {} are both {shard} of one run", other.display(), path.display());
        }
        self.parts.insert(shard.number, Tail { path, at: 0 });
        Ok(())
    }
}

/// Whether two settings are the same but for their checksums.
fn differs_by_checksums(one: &Value, other: &Value) -> bool {
    let without = |settings: &Value| {
        let mut settings = settings.clone();
        if let Some(map) = settings.as_object_mut() {
            map.remove(CHECKSUMS);
        }
        settings
    };
    one != other && without(one) == without(other)
}

/// The first line of a file, once it has come to its end.
fn first_line(path: &Path) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    // A pipe would be waited for.
    let file = path.is_file().then(|| File::open(path).ok())??;
    BufReader::new(file).take(LONGEST_HEADER).read_until(b'\n', &mut line).ok()?;
    (line.last() == Some(&b'\n')).then_some(line)
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
