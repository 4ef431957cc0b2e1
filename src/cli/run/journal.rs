//! JSON Lines files that are appended to during a run and resumed after an
//! interruption: a line with the settings, then a line for each result.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

use super::checksum::CHECKSUMS;
use super::run_file::RunFile;
use goren_files::LockedFile;

/// Maximum length of the first line of a journal.
const MAX_HEADER: u64 = 1 << 20;
/// A byte order mark, which an editor may have put before the first line.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A journal open for appending, and locked against other runs.
#[derive(Debug)]
pub(crate) struct RunJournal(RunFile);

impl RunJournal {
    /// Opens the journal of a `thing` described by `header`. With `resume`, an
    /// existing file is continued: `read` gets its lines after the first, each
    /// with its number from 1. Also returns the number of bytes of an unfinished
    /// line at the end, which is dropped.
    ///
    /// # Errors
    /// The file exists without `resume`, another run has it open, it was begun
    /// with other settings, is damaged before its end, or cannot be read or
    /// written; the error of `read`.
    pub(crate) fn open(
        path: &Path,
        thing: &str,
        header: &Value,
        resume: bool,
        read: impl FnMut(&[u8], usize) -> Result<()>,
    ) -> Result<(RunJournal, usize)> {
        let name = path.display();
        let opened = LockedFile::open(path).with_context(|| format!("cannot open {name}"))?;
        let Some(mut file) = opened else { bail!("{name} is in use by another run") };
        let cannot = || format!("cannot read {name}");
        // A device or a pipe is only written to.
        let is_plain = file.metadata().with_context(cannot)?.is_file();
        let mut bytes = Vec::new();
        if is_plain {
            file.read_to_end(&mut bytes).with_context(cannot)?;
        }
        ensure!(bytes.is_empty() || resume, "{}", taken_message(path, thing));
        // A run may have ended before its first line was on the disk.
        let is_begun = bytes.contains(&b'\n');
        ensure!(
            is_begun || header.to_string().as_bytes().starts_with(&bytes),
            "{name} is not the file of a {thing}"
        );
        let same = |found: &Value| {
            let same = same_settings(found, header, thing);
            same.with_context(|| format!("{name} cannot be resumed"))
        };
        let whole = read_lines(path, thing, &bytes, same, read)?;
        let file = RunFile::resume(file, path, whole as u64);
        let mut journal = RunJournal(file.with_context(|| format!("cannot write {name}"))?);
        if !is_begun {
            journal.append(&format!("{header}\n"))?;
        }
        Ok((journal, bytes.len() - whole))
    }

    /// Appends whole lines, as [`RunFile::append`] does.
    ///
    /// # Errors
    /// An I/O error, with the name of the file. A line that could not be written
    /// leaves no trace in the file.
    pub(crate) fn append(&mut self, lines: &str) -> Result<()> {
        self.0.append(lines.as_bytes())
    }
}

/// Checks, before long work, that a journal may be begun or resumed. Refuses a file with
/// content unless `resume` is set.
///
/// # Errors
/// The journal exists, and `resume` is not set.
pub(crate) fn check_new(path: &Path, thing: &str, resume: bool) -> Result<()> {
    let is_taken = fs::metadata(path).is_ok_and(|old| old.is_file() && old.len() > 0);
    ensure!(resume || !is_taken, "{}", taken_message(path, thing));
    Ok(())
}

fn taken_message(path: &Path, thing: &str) -> String {
    let name = path.display();
    format!("{name} holds a {thing} already; continue it with --resume, or name another")
}

/// Reads the `bytes` of the journal of a `thing`: `begin` gets its first line, `read`
/// each other line with its number from 1. Returns the number of bytes of complete
/// lines; an incomplete last line is not read.
///
/// # Errors
/// The first line describes nothing, or another line is damaged; names its place. The
/// errors of `begin` and `read`.
pub(crate) fn read_lines(
    path: &Path,
    thing: &str,
    bytes: &[u8],
    begin: impl FnOnce(&Value) -> Result<()>,
    mut read: impl FnMut(&[u8], usize) -> Result<()>,
) -> Result<usize> {
    let name = path.display();
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
    let Some(first) = lines.next() else { return Ok(0) };
    let found: Value = serde_json::from_slice(without_bom(first))
        .with_context(|| format!("{name}: line 1 does not describe a {thing}"))?;
    begin(&found)?;
    let mut at = first.len();
    for (line, number) in lines.zip(2..) {
        read(line, number)
            .with_context(|| format!("{name}: line {number} (byte {at}) is damaged"))?;
        at += line.len();
    }
    Ok(whole)
}

/// A first line without a byte order mark.
pub(crate) fn without_bom(line: &[u8]) -> &[u8] {
    line.strip_prefix(MARK).unwrap_or(line)
}

/// The first line of a file, if it is complete.
pub(crate) fn first_line(path: &Path) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    // Reading a pipe would block.
    let file = path.is_file().then(|| File::open(path).ok())??;
    BufReader::new(file).take(MAX_HEADER).read_until(b'\n', &mut line).ok()?;
    (line.last() == Some(&b'\n')).then(|| without_bom(&line).to_vec())
}

/// Checks that settings equal those with which a `thing` was begun. Checksums are compared
/// only where both have them.
///
/// # Errors
/// The settings that differ, with both values.
pub(crate) fn same_settings(found: &Value, wanted: &Value, thing: &str) -> Result<()> {
    let (Some(found), Some(wanted)) = (found.as_object(), wanted.as_object()) else {
        bail!("its first line does not describe a {thing}");
    };
    let at = |map: &Map<String, Value>, key| map.get(key).cloned().unwrap_or(Value::Null);
    for key in ["format", "version"] {
        let (before, now) = (at(found, key), at(wanted, key));
        ensure!(
            before == now,
            "another version of Goren began it ({key} {}, now {}): only that one can continue it",
            shown(&before),
            shown(&now)
        );
    }
    let mut all = Vec::new();
    differences(
        &Value::Object(found.clone()),
        &Value::Object(wanted.clone()),
        &mut Vec::new(),
        &mut all,
    );
    ensure!(all.is_empty(), "it was begun with other settings: {}", differences_text(&all));
    Ok(())
}

/// A setting that differs: its path, and its values before and now.
struct Difference {
    /// Keys, and numbers from 1 of the items of lists.
    path: Vec<String>,
    before: Value,
    now: Value,
}

/// Collects the differences of two values.
fn differences(before: &Value, now: &Value, path: &mut Vec<String>, all: &mut Vec<Difference>) {
    match (before, now) {
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            let in_both = |key: &str| old.contains_key(key) && new.contains_key(key);
            let are_sums = path.last().is_some_and(|last| last == CHECKSUMS);
            let is_due = |key: &&String| (!are_sums && *key != CHECKSUMS) || in_both(key);
            for key in old.keys().chain(added).filter(is_due) {
                path.push(key.clone());
                let of = |map: &Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
                differences(&of(old), &of(new), path, all);
                path.pop();
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (number, (old, new)) in (1..).zip(old.iter().zip(new)) {
                path.push(number.to_string());
                differences(old, new, path, all);
                path.pop();
            }
        }
        _ if before == now => {}
        _ => {
            let path = path.clone();
            all.push(Difference { path, before: before.clone(), now: now.clone() });
        }
    }
}

/// The differences in words: each setting by its own name, with the item of a list that
/// has it unless all items have changed alike.
fn differences_text(all: &[Difference]) -> String {
    let mut texts: Vec<String> = Vec::new();
    let is_number = |part: &String| part.bytes().all(|byte| byte.is_ascii_digit());
    let name = |path: &[String]| {
        let key = path.iter().rev().find(|part| !is_number(part));
        key.cloned().unwrap_or_default()
    };
    for Difference { path, before, now } in all {
        let alike = |other: &&Difference| {
            name(&other.path) == name(path) && other.before == *before && other.now == *now
        };
        let list = path.iter().position(is_number);
        let place = match list {
            Some(at) if all.iter().filter(alike).count() < 2 && path.len() > at + 1 => {
                format!(" of {} {}", path[at - 1].trim_end_matches('s'), path[at])
            }
            _ => String::new(),
        };
        let text = format!("{}{place} was {}, is {}", name(path), shown(before), shown(now));
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join("; ")
}

/// A value, shortened if it is long.
fn shown(value: &Value) -> String {
    /// Maximum number of characters shown.
    const MAX_CHARS: usize = 60;
    match value {
        Value::Null => "nothing".to_owned(),
        value => {
            let text = value.to_string();
            match text.char_indices().nth(MAX_CHARS) {
                Some((at, _)) => format!("{}...", &text[..at]),
                None => text,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn different_settings_are_named() {
        let engine = |name: &str, nodes: u64| json!({"name": name, "limits": {"nodes": nodes}});
        let header = |engines: [Value; 2], rule: &str| json!({"engines": engines, "rule": rule});
        let old = header([engine("a", 2000), engine("b", 2000)], "renju");
        let error = |new: &Value| format!("{:#}", same_settings(&old, new, "match").unwrap_err());
        let both = header([engine("a", 4000), engine("b", 4000)], "renju");
        assert!(error(&both).ends_with("settings: nodes was 2000, is 4000"), "{}", error(&both));
        let one = header([engine("a", 2000), engine("c", 4000)], "caro");
        assert!(
            error(&one).ends_with(
                "settings: nodes of engine 2 was 2000, is 4000; name of engine 2 was \"b\", is \
                 \"c\"; rule was \"renju\", is \"caro\""
            ),
            "{}",
            error(&one)
        );
        let fewer = json!({"engines": [engine("a", 2000)]});
        assert!(error(&fewer).contains("rule was \"renju\", is nothing"), "{}", error(&fewer));
        assert!(same_settings(&old, &old, "match").is_ok());
        // Former versions wrote no checksums.
        let summed = [1, 1, 2].map(|sum| {
            let mut new = old.clone();
            new["engines"][1][CHECKSUMS] = json!({"weights_checksum": [sum]});
            new
        });
        let [one, same, other] = &summed;
        for (before, now) in [(&old, one), (one, &old), (one, same)] {
            same_settings(before, now, "match").unwrap();
        }
        let error = format!("{:#}", same_settings(one, other, "match").unwrap_err());
        assert!(error.ends_with("weights_checksum of engine 2 was 1, is 2"), "{error}");
        // Or fewer of them.
        let mut more = one.clone();
        more["engines"][1][CHECKSUMS]["program_checksum"] = json!([7]);
        same_settings(one, &more, "match").unwrap();
        assert!(same_settings(other, &more, "match").is_err());
    }
}
