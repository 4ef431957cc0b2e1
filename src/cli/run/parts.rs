//! Journals of the parts of a run, read together into the lines of the whole one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::journal::{first_line, read_lines, same_settings};
use super::shard::Shard;
use goren_files::LockedFile;
use goren_files::output_path::{replace, same};
use goren_notation::words::plural;

/// Most missing numbers that a message lists.
const MOST_NUMBERS: usize = 20;

/// The settings of a whole run, of those of any part of it.
pub(crate) fn of_whole(header: &Value) -> Value {
    let mut header = header.clone();
    if header.is_object() {
        header["shard"] = Value::Null;
    }
    header
}

/// The parts of a run whose journals are to be joined into one, which is among them
/// if it is there: nothing in it may get lost.
pub(crate) fn with_target(parts: &[PathBuf], target: &Path) -> Vec<PathBuf> {
    let mut parts = parts.to_vec();
    if target.exists() && !parts.iter().any(|path| same(path, target)) {
        parts.push(target.to_owned());
    }
    parts
}

/// Holds the file of a whole run, if it is there, until it is replaced by the joined one:
/// what another run appends to it meanwhile would be lost. The file of a part is refused, as
/// that part could not go on with the whole. The first line of `settings`, which may be the
/// same file, describes the run.
///
/// # Errors
/// It is the file of a part, another run has it, or it cannot be opened.
pub(crate) fn hold(target: &Path, settings: &Path) -> Result<Option<LockedFile>> {
    if !target.exists() {
        return Ok(None);
    }
    let name = target.display();
    let line = first_line(settings).unwrap_or_default();
    let header: Value = serde_json::from_slice(&line).unwrap_or(Value::Null);
    let shard = Shard::read(&header["shard"]).unwrap_or(Shard::WHOLE);
    ensure!(
        shard.is_whole(),
        "{name} is {shard}, and stays as it is: name the whole first, then its parts"
    );
    let held = LockedFile::open(target).with_context(|| format!("cannot open {name}"))?;
    Ok(Some(held.with_context(|| format!("{name} is in use by another run"))?))
}

/// The content of the journals of the parts of one run.
pub(crate) struct Parts<T> {
    /// The settings of the whole run.
    pub(crate) header: Value,
    /// What the lines say, and the lines, by the numbers of the items.
    pub(crate) items: BTreeMap<u64, (T, String)>,
    /// Which parts there are.
    shards: Vec<Shard>,
}

impl<T> Parts<T> {
    /// Reads journals of a `thing`: `read` is given the settings, the part and a
    /// line, and gives the number of its item and what it says.
    ///
    /// # Errors
    /// A file cannot be read or is damaged; files of different runs, or that
    /// differ in an item.
    pub(crate) fn read(
        files: &[PathBuf],
        thing: &str,
        read: impl FnMut(&Value, Shard, &[u8]) -> Result<(u64, T)>,
    ) -> Result<Parts<T>> {
        Parts::read_retried(files, thing, |_| false, read)
    }

    /// The same where what `has_failed` may be tried again: other lines of such an item take
    /// its place.
    ///
    /// # Errors
    /// As [`Parts::read`].
    pub(crate) fn read_retried(
        files: &[PathBuf],
        thing: &str,
        has_failed: impl Fn(&T) -> bool,
        mut read: impl FnMut(&Value, Shard, &[u8]) -> Result<(u64, T)>,
    ) -> Result<Parts<T>> {
        let (first, others) = files.split_first().context("no file")?;
        let mut all = Parts::of(first, thing, &has_failed, &mut read)?;
        for path in others {
            let other = Parts::of(path, thing, &has_failed, &mut read)?;
            all.add(other, path, thing, &has_failed)?;
        }
        Ok(all)
    }

    fn of(
        path: &Path,
        thing: &str,
        has_failed: &impl Fn(&T) -> bool,
        read: &mut impl FnMut(&Value, Shard, &[u8]) -> Result<(u64, T)>,
    ) -> Result<Parts<T>> {
        let name = path.display();
        let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        // A run may have ended before its first line was on the disk.
        ensure!(bytes.contains(&b'\n'), "{name} is no {thing}");
        let mut header = Value::Null;
        let begin = |found: &Value| {
            header = found.clone();
            Ok(())
        };
        read_lines(path, thing, &bytes, begin, |_, _| Ok(()))?;
        let shard = Shard::read(&header["shard"]).with_context(|| format!("{name}: line 1"))?;
        header = of_whole(&header);
        let mut items = BTreeMap::new();
        let whole = read_lines(
            path,
            thing,
            &bytes,
            |_| Ok(()),
            |line, _| {
                let (number, item) = read(&header, shard, line)?;
                let text = str::from_utf8(line)?.to_owned();
                let before = items.insert(number, (item, text));
                let is_new = before.is_none_or(|(item, _)| has_failed(&item));
                ensure!(is_new, "number {number} comes twice");
                Ok(())
            },
        )?;
        if whole < bytes.len() {
            let lost = bytes.len() - whole;
            let lost = plural(lost, "byte is", "bytes are");
            eprintln!("note: {name} ends within a line, of which {lost} left out");
        }
        Ok(Parts { header, items, shards: vec![shard] })
    }

    fn add(
        &mut self,
        other: Parts<T>,
        path: &Path,
        thing: &str,
        has_failed: &impl Fn(&T) -> bool,
    ) -> Result<()> {
        let name = path.display();
        same_settings(&other.header, &self.header, thing)
            .with_context(|| format!("{name} is of another {thing}"))?;
        for (number, item) in other.items {
            match self.items.get(&number).filter(|(known, _)| !has_failed(known)) {
                Some((_, line)) if *line != item.1 && !has_failed(&item.0) => {
                    bail!("{name}: number {number} is in another file too, and differs")
                }
                Some(_) => {}
                None => {
                    self.items.insert(number, item);
                }
            }
        }
        self.shards.extend(other.shards);
        Ok(())
    }

    /// Writes the journal of the whole run; at any moment there is the old one or
    /// the new.
    ///
    /// # Errors
    /// An I/O error, with the name of the file.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        write_lines(path, &self.header, self.items.values().map(|(_, line)| line.as_str()))
    }

    /// Prints how many items and parts there are, and what is missing; whether
    /// nothing is, as far as it can be seen.
    pub(crate) fn report(&self, one: &str, many: &str) -> bool {
        report(&plural(self.items.len(), one, many), &self.shards, self.items.keys().copied())
    }
}

/// Prints how many items there are, by their `count` in words and their `numbers` in
/// order, of which parts, and what is missing; whether nothing is, as far as it can
/// be seen.
pub(crate) fn report(count: &str, shards: &[Shard], numbers: impl Iterator<Item = u64>) -> bool {
    println!("{count} of {}", reported(shards));
    let missing = missing(numbers);
    if let Some(missing) = &missing {
        println!("Missing: {missing}");
    }
    missing.is_none()
}

/// Writes a journal anew; at any moment there is the old one or the new.
///
/// # Errors
/// An I/O error, with the name of the file.
pub(crate) fn write_lines<'a>(
    path: &Path,
    header: &Value,
    lines: impl Iterator<Item = &'a str>,
) -> Result<()> {
    let text = format!("{header}\n{}", lines.collect::<String>());
    Ok(replace(path, text.as_bytes())?)
}

/// The parts in words, with those that are missing.
fn reported(shards: &[Shard]) -> String {
    let parts: Vec<&Shard> = shards.iter().filter(|shard| !shard.is_whole()).collect();
    let Some(first) = parts.first() else { return "the whole".into() };
    let mut words = plural(parts.len(), "part", "parts");
    let is_missing = |number: &u64| parts.iter().all(|shard| shard.number != *number);
    if parts.iter().all(|shard| shard.of == first.of)
        && let Some(missing) = numbers((1..=first.of).filter(is_missing))
    {
        words += &format!("; of {} these are not there: {missing}", first.of);
    }
    words
}

/// The numbers that are missing in a row of numbers from 0, in words.
fn missing(there: impl Iterator<Item = u64>) -> Option<String> {
    let mut due = 0;
    let mut gaps = Vec::new();
    for number in there {
        gaps.extend(due..number);
        due = number + 1;
    }
    let (count, last) = (gaps.len(), due.checked_sub(1)?);
    Some(format!("{count} before number {last}: {}", numbers(gaps.into_iter())?))
}

fn numbers(all: impl Iterator<Item = u64>) -> Option<String> {
    let mut shown: Vec<String> = all.take(MOST_NUMBERS + 1).map(|n| n.to_string()).collect();
    if shown.len() > MOST_NUMBERS {
        shown[MOST_NUMBERS] = "...".into();
    }
    (!shown.is_empty()).then(|| shown.join(", "))
}
