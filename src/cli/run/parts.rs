//! Joins the journals of the parts of a run into that of the whole run.

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

/// Maximum number of missing numbers that a message lists.
const MAX_NUMBERS: usize = 20;

/// The settings of the whole run, from those of any of its parts.
pub(crate) fn whole_settings(header: &Value) -> Value {
    let mut header = header.clone();
    if header.is_object() {
        header["shard"] = Value::Null;
    }
    header
}

/// The journals to join into `target`, with `target` itself if it exists, so that nothing
/// in it is lost.
pub(crate) fn with_target(parts: &[PathBuf], target: &Path) -> Vec<PathBuf> {
    let mut parts = parts.to_vec();
    if target.exists() && !parts.iter().any(|path| same(path, target)) {
        parts.push(target.to_owned());
    }
    parts
}

/// Locks the file of a whole run, if it exists, until the joined one replaces it: what another
/// run appends to it meanwhile would be lost. Refuses the file of a part, as that part could
/// not resume from the whole. The first line of `settings`, which may be the same file,
/// describes the run.
///
/// # Errors
/// It is the file of a part, another run has locked it, or it cannot be opened.
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
        "{name} is {shard}, and stays as it is: name the file of the whole run before the parts"
    );
    let file = LockedFile::open(target).with_context(|| format!("cannot open {name}"))?;
    Ok(Some(file.with_context(|| format!("{name} is in use by another run"))?))
}

/// The content of the journals of the parts of one run.
pub(crate) struct Parts<T> {
    /// The settings of the whole run.
    pub(crate) header: Value,
    /// Parsed items and their lines, by number.
    pub(crate) items: BTreeMap<u64, (T, String)>,
    /// The parts that were read.
    shards: Vec<Shard>,
}

impl<T> Parts<T> {
    /// Reads journals of a `thing`: `read` gets the settings, the part and a line, and
    /// returns the number of its item and the parsed item.
    ///
    /// # Errors
    /// A file cannot be read or is damaged; files are of different runs, or differ in
    /// an item.
    pub(crate) fn read(
        files: &[PathBuf],
        thing: &str,
        read: impl FnMut(&Value, Shard, &[u8]) -> Result<(u64, T)>,
    ) -> Result<Parts<T>> {
        Parts::read_retried(files, thing, |_| false, read)
    }

    /// The same where failed items may be retried: another line of an item that `has_failed`
    /// replaces it.
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
        ensure!(bytes.contains(&b'\n'), "{name} is not the file of a {thing}");
        let mut header = Value::Null;
        let begin = |found: &Value| {
            header = found.clone();
            Ok(())
        };
        read_lines(path, thing, &bytes, begin, |_, _| Ok(()))?;
        let shard = Shard::read(&header["shard"]).with_context(|| format!("{name}: line 1"))?;
        header = whole_settings(&header);
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
            eprintln!("note: {name} ends within a line: its last {lost} left out");
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

    /// Writes the journal of the whole run; at any moment the old one or the new one
    /// exists.
    ///
    /// # Errors
    /// An I/O error, with the name of the file.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        write_lines(path, &self.header, self.items.values().map(|(_, line)| line.as_str()))
    }

    /// Prints how many items and parts there are, and what is missing; returns whether
    /// nothing before the last item is.
    pub(crate) fn report(&self, one: &str, many: &str) -> bool {
        report(&plural(self.items.len(), one, many), &self.shards, self.items.keys().copied())
    }
}

/// Prints the `count` of the items in words, their parts, and which of the `numbers`,
/// given in order, are missing; returns whether none before the last one is.
pub(crate) fn report(count: &str, shards: &[Shard], numbers: impl Iterator<Item = u64>) -> bool {
    println!("{count} of {}", shards_text(shards));
    let missing = missing(numbers);
    if let Some(missing) = &missing {
        println!("Missing: {missing}");
    }
    missing.is_none()
}

/// Rewrites a journal; at any moment the old one or the new one exists.
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
fn shards_text(shards: &[Shard]) -> String {
    let parts: Vec<&Shard> = shards.iter().filter(|shard| !shard.is_whole()).collect();
    let Some(first) = parts.first() else { return "the whole".into() };
    let mut text = plural(parts.len(), "part", "parts");
    let is_missing = |number: &u64| parts.iter().all(|shard| shard.number != *number);
    if parts.iter().all(|shard| shard.of == first.of)
        && let Some(missing) = numbers((1..=first.of).filter(is_missing))
    {
        text += &format!("; of {} these are missing: {missing}", first.of);
    }
    text
}

/// The missing numbers in an ascending sequence from 0, in words.
fn missing(present: impl Iterator<Item = u64>) -> Option<String> {
    let (mut due, mut count, mut last) = (0, 0, None);
    let mut first = Vec::new();
    for number in present {
        count += number.saturating_sub(due);
        first.extend((due..number).take(MAX_NUMBERS + 1 - first.len()));
        due = number.saturating_add(1);
        last = Some(number);
    }
    Some(format!("{count} before number {}: {}", last?, numbers(first.into_iter())?))
}

fn numbers(all: impl Iterator<Item = u64>) -> Option<String> {
    let mut shown: Vec<String> = all.take(MAX_NUMBERS + 1).map(|n| n.to_string()).collect();
    if shown.len() > MAX_NUMBERS {
        shown[MAX_NUMBERS] = "...".into();
    }
    (!shown.is_empty()).then(|| shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a large number in a damaged journal used up the memory.
    #[test]
    fn the_first_missing_numbers_are_listed() {
        let missing = |present: &[u64]| missing(present.iter().copied());
        assert_eq!(missing(&[]), None);
        assert_eq!(missing(&[0, 1]), None);
        assert_eq!(missing(&[1, 2, 5]).unwrap(), "3 before number 5: 0, 3, 4");
        let text = missing(&[0, 10, u64::MAX]).unwrap();
        assert!(text.starts_with("18446744073709551613 before number 18446744073709551615: 1, 2"));
        assert!(text.ends_with(", 20, 21, ..."), "{text}");
    }
}
