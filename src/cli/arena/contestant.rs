//! An engine of a match, as given on the command line.

use std::collections::{BTreeMap, HashSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use crate::engine::{EngineLimits, EngineSpec, words};
use crate::run::checksum::of_file;
use crate::weights;
use goren_core::rules::Variant;

/// Settings of an engine that are files.
const FILES: [&str; 2] = ["weights", "proof"];

/// An engine and its limits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Contestant {
    /// Unique within a match; empty until known.
    pub(super) name: String,
    pub(super) command: String,
    pub(super) folder: Option<PathBuf>,
    pub(super) limits: EngineLimits,
    /// Checksums of the program and of files in the settings, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    checksums: BTreeMap<String, Vec<u32>>,
}

impl Contestant {
    /// Reads `key=value` words, quoted as in a shell, or a whole command if
    /// there is no `cmd=` among them. The words override `limits`, which apply to all engines.
    ///
    /// # Errors
    /// Unknown keys, values that cannot be read, no command, weights of another game.
    pub(super) fn read(text: &str, limits: &EngineLimits, variant: Variant) -> Result<Contestant> {
        let mut contestant = Contestant {
            name: String::new(),
            command: text.trim().to_owned(),
            folder: None,
            limits: limits.clone(),
            checksums: BTreeMap::new(),
        };
        ensure!(!contestant.command.is_empty(), "an engine has no command");
        let words = words(text).with_context(|| format!("a quote is not closed in: {text}"))?;
        if words.iter().any(|word| word.starts_with("cmd=")) {
            for word in &words {
                contestant.set(word, variant).with_context(|| format!("engine {text:?}"))?;
            }
        }
        ensure!(!contestant.command.is_empty(), "an engine has no command: {text:?}");
        contestant.add_checksums();
        Ok(contestant)
    }

    /// Computes the checksums of the program, if the command gives its path, and of the files
    /// in the settings. A match is resumed only with the same files.
    fn add_checksums(&mut self) {
        let settings = self.limits.options.iter().filter(|(key, _)| FILES.contains(&key.as_str()));
        let settings = settings.map(|(key, path)| (key.as_str(), PathBuf::from(path)));
        for (what, path) in settings.chain([("program", self.program_path())]) {
            // A bare name is looked up by the engine or the system.
            if let Some(sum) = path.is_absolute().then(|| of_file(&path)).flatten() {
                self.checksums.entry(format!("{what}_checksum")).or_default().push(sum);
            }
        }
    }

    fn set(&mut self, word: &str, variant: Variant) -> Result<()> {
        let (key, value) = word.split_once('=').with_context(|| {
            format!("{word:?} is not key=value; quote a command with blanks: cmd='...'")
        })?;
        let limits = &mut self.limits;
        let number = || value.parse::<u64>().with_context(|| format!("{word}: a number is needed"));
        let small = || u32::try_from(number()?).with_context(|| format!("{word}: too large"));
        match key {
            "name" => self.name = value.to_owned(),
            "cmd" => self.command = value.to_owned(),
            "dir" => self.folder = Some(PathBuf::from(value)),
            "time-per-move" => limits.turn_ms = Some(number()?),
            "time-per-game" => limits.match_ms = Some(number()?),
            "increment" => limits.increment_ms = number()?,
            "nodes" => limits.nodes = Some(number()?),
            "depth" => limits.depth = Some(small()?),
            "threads" => limits.threads = Some(small()?),
            "memory" => limits.memory = mebibytes(number()?),
            _ => match key.strip_prefix("info.") {
                // Checked here because the engine accepts weights of any game; absolute because
                // it runs in another folder.
                Some("weights") => {
                    weights::load(&[value], &[variant])?;
                    let path = std::path::absolute(value)?.display().to_string();
                    limits.options.push(("weights".to_owned(), path));
                }
                // A file; otherwise the name of a tree, which the engine looks up itself.
                Some("proof") if Path::new(value).exists() => {
                    let path = std::path::absolute(value)?.display().to_string();
                    limits.options.push(("proof".to_owned(), path));
                }
                Some(option) if !option.is_empty() => {
                    limits.options.push((option.to_owned(), value.to_owned()));
                }
                _ => bail!(
                    "unknown key {key:?}; the keys are name, cmd, dir, time-per-move, \
                     time-per-game, increment, nodes, depth, threads, memory and info.KEY"
                ),
            },
        }
        Ok(())
    }

    pub(super) fn spec(&self) -> EngineSpec {
        EngineSpec { command: self.command.clone(), folder: self.folder.clone() }
    }

    /// Path of the program, if the command gives one.
    fn program_path(&self) -> PathBuf {
        self.spec().program_path()
    }

    /// Name of the program, for an engine that does not report its own name.
    pub(super) fn program(&self) -> String {
        file_name(&self.program_path()).unwrap_or_else(|| "engine".to_owned())
    }
}

/// Name of a file, without the extension of Windows programs.
fn file_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    Some(name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name))
}

/// Renames engines that report the same name after their programs, or after the folders
/// in which these differ. Names given by the user stay.
pub(super) fn make_distinct(names: &mut [String], contestants: &[Contestant]) {
    let given: Vec<bool> = contestants.iter().map(|c| !c.name.is_empty()).collect();
    for i in 0..names.len() {
        let alike: Vec<usize> =
            (0..names.len()).filter(|&j| !given[j] && names[j] == names[i]).collect();
        if given[i] || alike.len() < 2 {
            continue;
        }
        let paths: Vec<PathBuf> = alike.iter().map(|&j| contestants[j].program_path()).collect();
        if let Some(distinct) = distinct_parts(&paths) {
            alike.into_iter().zip(distinct).for_each(|(j, name)| names[j] = name);
        }
    }
    make_unique(names);
}

/// Names of the files or, if some are equal, of the nearest folders that all differ.
fn distinct_parts(paths: &[PathBuf]) -> Option<Vec<String>> {
    let parts = |path: &PathBuf| -> Vec<String> {
        let folders = path.parent().into_iter().flat_map(|folder| folder.components().rev());
        let names = folders.filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        file_name(path).into_iter().chain(names).collect()
    };
    let parts: Vec<Vec<String>> = paths.iter().map(parts).collect();
    let depth = parts.iter().map(Vec::len).min()?;
    let at = |level: usize| parts.iter().map(move |parts| &parts[level]);
    let differ = |&level: &usize| at(level).collect::<HashSet<_>>().len() == parts.len();
    let level = (0..depth).find(differ)?;
    Some(at(level).cloned().collect())
}

/// Bytes of `count` MiB; 0 means no limit.
pub(super) fn mebibytes(count: u64) -> Option<u64> {
    (count > 0).then(|| count.saturating_mul(1 << 20))
}

/// Appends numbers to names that are used twice.
fn make_unique(names: &mut [String]) {
    for i in 1..names.len() {
        let (earlier, name) = names.split_at_mut(i);
        let (wanted, mut number) = (name[0].clone(), 2);
        while earlier.contains(&name[0]) {
            name[0] = format!("{wanted}-{number}");
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::run::journal::same_settings;
    use goren_core::rules::RuleId;
    use goren_engine::eval::{Side, Weights};

    fn read(text: &str, limits: &EngineLimits) -> Result<Contestant> {
        Contestant::read(text, limits, Variant::from_name("renju").unwrap())
    }

    #[test]
    fn an_engine_is_a_command_or_words() {
        let all = EngineLimits { nodes: Some(5), threads: Some(1), ..EngineLimits::default() };
        let plain = read("./engine --fast", &all).unwrap();
        assert_eq!((plain.command.as_str(), &plain.limits), ("./engine --fast", &all));
        assert_eq!(plain.program(), "engine");
        let text = "name='the one' cmd='./e -x \"a b\"' dir=/tmp nodes=7 memory=2 info.strength=9";
        let words = read(text, &all).unwrap();
        assert_eq!((words.name.as_str(), words.command.as_str()), ("the one", "./e -x \"a b\""));
        assert_eq!(words.folder.as_deref(), Some(Path::new("/tmp")));
        assert_eq!((words.limits.nodes, words.limits.memory), (Some(7), Some(2 << 20)));
        assert_eq!(words.limits.threads, Some(1));
        assert_eq!(words.limits.options, [("strength".to_owned(), "9".to_owned())]);
    }

    #[test]
    fn the_path_of_a_proof_is_made_absolute() {
        let proof = |text: &str| {
            let contestant = read(text, &EngineLimits::default()).unwrap();
            contestant.limits.options[0].1.clone()
        };
        let here = std::path::absolute("Cargo.toml").unwrap();
        assert_eq!(proof("cmd=x info.proof=Cargo.toml"), here.display().to_string());
        assert_eq!(proof("cmd=x info.proof=free-renju"), "free-renju");
    }

    /// Regression: a match was resumed with other weights and another build of the engine.
    #[test]
    fn changed_files_count_as_changed_settings() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let text = format!(
            "cmd='{}' info.weights='{}' info.proof='{}'",
            at("engine").display(),
            at("w.bin").display(),
            at("tree").display()
        );
        let weights = |value: i16| {
            let mut side = Side::ZERO;
            side.to_move[1] = value;
            Weights::new(RuleId::Renju, &[side.clone(), side]).write()
        };
        fs::write(at("w.bin"), weights(1)).unwrap();
        fs::write(at("engine"), "one").unwrap();
        fs::write(at("tree"), "one").unwrap();
        let header = || serde_json::json!(read(&text, &EngineLimits::default()).unwrap());
        let before = header();
        same_settings(&before, &header(), "match").unwrap();
        for (name, bytes, key) in [
            ("engine", b"two".to_vec(), "program"),
            ("w.bin", weights(2), "weights"),
            ("tree", b"two".to_vec(), "proof"),
        ] {
            let original = fs::read(at(name)).unwrap();
            fs::write(at(name), bytes).unwrap();
            let error = format!("{:#}", same_settings(&before, &header(), "match").unwrap_err());
            assert!(error.contains(&format!("settings: {key}_checksum was ")), "{error}");
            fs::write(at(name), original).unwrap();
        }
    }

    #[test]
    fn errors_name_the_fault_of_an_engine() {
        for (text, fault) in [
            ("", "no command"),
            ("name=x cmd=", "no command"),
            ("cmd=x node=3", "unknown key \"node\""),
            ("cmd=x nodes=many", "a number is needed"),
            ("cmd=x depth=99999999999", "too large"),
            ("cmd=./my engine", "not key=value"),
            ("cmd='x", "quote"),
            ("cmd=x info.weights=/nowhere/w.bin", "weights /nowhere/w.bin"),
        ] {
            let error = read(text, &EngineLimits::default()).unwrap_err();
            assert!(format!("{error:#}").contains(fault), "{text}: {error:#}");
        }
    }

    #[test]
    fn equal_names_get_numbers() {
        let mut names = ["a", "b", "a", "a", "a-2"].map(String::from);
        make_unique(&mut names);
        assert_eq!(names, ["a", "b", "a-2", "a-3", "a-2-2"]);
    }

    /// The final names of engines that all report the name Goren.
    fn distinguished(engines: &[&str]) -> Vec<String> {
        let contestants: Vec<Contestant> =
            engines.iter().map(|text| read(text, &EngineLimits::default()).unwrap()).collect();
        let own = |c: &Contestant| {
            if c.name.is_empty() { "Goren".to_owned() } else { c.name.clone() }
        };
        let mut names: Vec<String> = contestants.iter().map(own).collect();
        make_distinct(&mut names, &contestants);
        names
    }

    #[test]
    fn engines_of_one_name_are_named_after_file_or_folder() {
        assert_eq!(
            distinguished(&["./pbrain-0.1", "./pbrain-0.2.exe"]),
            ["pbrain-0.1", "pbrain-0.2"]
        );
        assert_eq!(distinguished(&["./new/goren", "./old/goren -x"]), ["new", "old"]);
        let deep = ["/a/new/target/release/goren", "/a/old/target/release/goren", "/b/e/goren"];
        assert_eq!(distinguished(&deep[..2]), ["new", "old"]);
        assert_eq!(distinguished(&deep), ["Goren", "Goren-2", "Goren-3"]);
        assert_eq!(distinguished(&["./goren", "./goren --x"]), ["Goren", "Goren-2"]);
        // A given name stays; the other engine then needs no new name.
        assert_eq!(distinguished(&["name=Goren cmd=./new", "./old"]), ["Goren", "Goren-2"]);
        assert_eq!(distinguished(&["name=a cmd=./new", "./old"]), ["a", "Goren"]);
    }
}
