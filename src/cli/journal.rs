//! JSON Lines files that are appended to during a run and resumed after an
//! interruption: a line with the settings, then a line for each result.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

use super::locked_file::LockedFile;

/// A journal open for appending, and locked against other runs.
#[derive(Debug)]
pub(super) struct Journal {
    file: LockedFile,
    path: PathBuf,
    /// Bytes of whole lines.
    length: u64,
}

impl Journal {
    /// Opens the journal of a `thing` described by `header`. With `resume`, a
    /// file that is there is gone on with: `read` is given its lines after the
    /// first, each with its number from 1. Also gives the bytes of an
    /// unfinished line at the end, which were dropped.
    ///
    /// # Errors
    /// A file that is there without `resume`, that another run has open, that
    /// was begun with other settings, that is damaged elsewhere than at its
    /// very end, or cannot be read or written; what `read` returns.
    pub(super) fn open(
        path: &Path,
        thing: &str,
        header: &Value,
        resume: bool,
        mut read: impl FnMut(&[u8], usize) -> Result<()>,
    ) -> Result<(Journal, usize)> {
        let name = path.display();
        let options = File::options().read(true).append(true).create(true).open(path);
        let file = options.with_context(|| format!("cannot open {name}"))?;
        let Some(file) = LockedFile::lock(file) else { bail!("{name} is in use by another run") };
        let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        ensure!(
            bytes.is_empty() || resume,
            "{name} holds a {thing} already; go on with it by --resume, or give another --out"
        );
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let first = lines.next();
        // A run may have ended before its first line was on the disk.
        let begun = first.is_some() || header.to_string().as_bytes().starts_with(&bytes);
        ensure!(begun, "{name} does not begin as a {thing}");
        if let Some(first) = first {
            // An editor may have put a byte order mark there.
            let unmarked = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
            let found: Value = serde_json::from_slice(unmarked)
                .with_context(|| format!("{name}: line 1 does not describe a {thing}"))?;
            let same = same_settings(&found, header, thing);
            same.with_context(|| format!("{name} cannot be resumed"))?;
        }
        let mut at = first.map_or(0, <[u8]>::len);
        for (line, number) in lines.zip(2..) {
            read(line, number)
                .with_context(|| format!("{name}: line {number} (byte {at}) is damaged"))?;
            at += line.len();
        }
        let mut journal = Journal { file, path: path.to_owned(), length: whole as u64 };
        journal.cut().with_context(|| format!("cannot write {name}"))?;
        if first.is_none() {
            journal.append(&format!("{header}\n"))?;
        }
        Ok((journal, bytes.len() - whole))
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

/// Refuses settings that differ from those with which a `thing` was begun.
///
/// # Errors
/// The first setting that differs, with both values.
pub(super) fn same_settings(found: &Value, wanted: &Value, thing: &str) -> Result<()> {
    let (Some(found), Some(wanted)) = (found.as_object(), wanted.as_object()) else {
        bail!("its first line does not describe a {thing}");
    };
    let at = |map: &Map<String, Value>, key| map.get(key).cloned().unwrap_or(Value::Null);
    for key in ["format", "version"] {
        let (before, now) = (at(found, key), at(wanted, key));
        ensure!(
            before == now,
            "another version of Goren began it ({key} {}, now {}): only that can go on with it",
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
    ensure!(all.is_empty(), "it was begun with other settings: {}", told(&all));
    Ok(())
}

/// A setting that differs: where it stands, and what it was and is.
struct Difference {
    /// Keys, and numbers from 1 of what stands in lists.
    path: Vec<String>,
    before: Value,
    now: Value,
}

/// Collects what differs in two values.
fn differences(before: &Value, now: &Value, path: &mut Vec<String>, all: &mut Vec<Difference>) {
    match (before, now) {
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
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

/// What differs in words: the setting by its own name, with the part of a list that
/// has it unless all parts have changed alike.
fn told(all: &[Difference]) -> String {
    let mut words: Vec<String> = Vec::new();
    let is_number = |part: &String| part.bytes().all(|byte| byte.is_ascii_digit());
    let name = |path: &[String]| {
        let key = path.iter().rev().find(|part| !is_number(part));
        key.cloned().unwrap_or_default()
    };
    for one in all {
        let alike = |other: &&Difference| {
            name(&other.path) == name(&one.path)
                && other.before == one.before
                && other.now == one.now
        };
        let list = one.path.iter().position(is_number);
        let place = match list {
            Some(at) if all.iter().filter(alike).count() < 2 && one.path.len() > at + 1 => {
                format!(" of {} {}", one.path[at - 1].trim_end_matches('s'), one.path[at])
            }
            _ => String::new(),
        };
        let text = format!(
            "{}{place} was {}, is {}",
            name(&one.path),
            shown(&one.before),
            shown(&one.now)
        );
        if !words.contains(&text) {
            words.push(text);
        }
    }
    words.join("; ")
}

/// A value, shortened if it is long.
fn shown(value: &Value) -> String {
    /// Characters that are shown.
    const MOST: usize = 60;
    match value {
        Value::Null => "nothing".to_owned(),
        value => {
            let text = value.to_string();
            match text.char_indices().nth(MOST) {
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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let path = PathBuf::from("/dev/full");
        let open = || File::options().append(true).open(&path).unwrap();
        // Another run of this test may have it for a moment.
        let file = std::iter::repeat_with(open).find_map(LockedFile::lock).unwrap();
        let mut journal = Journal { file, path, length: 0 };
        let error = format!("{:#}", journal.append("{}\n").unwrap_err());
        assert!(error.contains("cannot write /dev/full"), "{error}");
    }
    #[test]
    fn settings_that_differ_are_named() {
        let engine = |name: &str, nodes: u64| json!({"name": name, "limits": {"nodes": nodes}});
        let header = |engines: [Value; 2], rule: &str| json!({"engines": engines, "rule": rule});
        let old = header([engine("a", 2000), engine("b", 2000)], "renju");
        let said = |new: &Value| format!("{:#}", same_settings(&old, new, "match").unwrap_err());
        let both = header([engine("a", 4000), engine("b", 4000)], "renju");
        assert!(said(&both).ends_with("settings: nodes was 2000, is 4000"), "{}", said(&both));
        let one = header([engine("a", 2000), engine("c", 4000)], "caro");
        assert!(
            said(&one).ends_with(
                "settings: nodes of engine 2 was 2000, is 4000; name of engine 2 was \"b\", is \
                 \"c\"; rule was \"renju\", is \"caro\""
            ),
            "{}",
            said(&one)
        );
        let fewer = json!({"engines": [engine("a", 2000)]});
        assert!(said(&fewer).contains("rule was \"renju\", is nothing"), "{}", said(&fewer));
        assert!(same_settings(&old, &old, "match").is_ok());
    }
}
