//! A command line as text, and the folder it is run in.

use std::env;
use std::path::{Path, PathBuf};

use super::Failure;

/// How to run an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// Program and arguments, quoted as in a shell.
    pub command: String,
    /// Where it is run; otherwise in the folder of the program if the command
    /// names one, as engines look for their files there.
    pub folder: Option<PathBuf>,
}

impl EngineSpec {
    /// Where its program lies, if the command names it by a path; else its name.
    pub fn program_path(&self) -> PathBuf {
        let words = words(&self.command).unwrap_or_default();
        let program = words.into_iter().next().unwrap_or_default();
        let named = is_path(&program);
        let path = PathBuf::from(program);
        if named { std::path::absolute(&path).unwrap_or(path) } else { path }
    }
}

/// Whether a program is named by its path, so that it is not looked for elsewhere.
fn is_path(program: &str) -> bool {
    program.contains('/') || cfg!(windows) && program.contains('\\')
}

/// A program, its arguments and its folder.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct CommandLine {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    /// `None`: ours.
    pub(super) folder: Option<PathBuf>,
}

/// The words of a text, quoted as in a shell; `None` if a quote is left open.
pub fn words(text: &str) -> Option<Vec<String>> {
    // On Windows a backslash is part of a path.
    split(text, cfg!(windows))
}

/// [`words`], where a backslash stands for itself or, as in a shell, quotes what follows.
fn split(text: &str, backslash_is_plain: bool) -> Option<Vec<String>> {
    if !backslash_is_plain {
        return shlex::split(text);
    }
    // A shell takes those within single quotes as they are.
    let mut doubled = String::with_capacity(text.len());
    let (mut in_single, mut in_double) = (false, false);
    for c in text.chars() {
        match c {
            '\'' if !in_double => in_single = !in_single,
            '"' if !in_single => in_double = !in_double,
            '\\' if !in_single => doubled.push(c),
            _ => {}
        }
        doubled.push(c);
    }
    shlex::split(&doubled)
}

/// Reads the words of a command. A program named by a path is looked for from
/// our folder, whatever the folder it will be run in.
///
/// # Errors
/// [`Failure::Spawn`]: no words, open quotes, or our own folder is unknown.
pub(super) fn read(spec: &EngineSpec) -> Result<CommandLine, Failure> {
    let words = words(&spec.command)
        .ok_or_else(|| Failure::Spawn(format!("a quote is left open in: {}", spec.command)))?;
    let mut words = words.into_iter();
    let program = words.next().filter(|word| !word.is_empty());
    let program = program.ok_or_else(|| Failure::Spawn("its command is empty".into()))?;
    let by_path = is_path(&program);
    let program = if by_path {
        let own = env::current_dir().map_err(|e| Failure::Spawn(format!("no folder: {e}")))?;
        own.join(program)
    } else {
        PathBuf::from(program)
    };
    let beside = by_path.then(|| program.parent().map(Path::to_owned)).flatten();
    Ok(CommandLine { folder: spec.folder.clone().or(beside), arguments: words.collect(), program })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn line(command: &str) -> Result<CommandLine, Failure> {
        read(&EngineSpec { command: command.into(), folder: None })
    }

    #[test]
    fn words_are_read_as_by_a_shell_and_the_folder_is_the_programs() {
        let read = line(r#"/opt/a\ b/engine --name 'it is' "x y""#).unwrap();
        assert_eq!(read.program, Path::new("/opt/a b/engine"));
        assert_eq!(read.arguments, ["--name", "it is", "x y"]);
        assert_eq!(read.folder.as_deref(), Some(Path::new("/opt/a b")));
        let read = line("sh -c 'echo'").unwrap();
        assert_eq!((read.program.as_path(), read.folder), (Path::new("sh"), None));
        let folder = Some(PathBuf::from("/tmp"));
        let spec = EngineSpec { command: "./engine".into(), folder: folder.clone() };
        let read = super::read(&spec).unwrap();
        assert!(read.program.is_absolute());
        assert_eq!(read.folder, folder);
    }

    #[test]
    fn backslashes_are_kept_where_paths_have_them() {
        let line = r#"name=old cmd=C:\engines\new.exe dir='C:\a b\' "cmd=\\host\x y.exe""#;
        let expected =
            [r"name=old", r"cmd=C:\engines\new.exe", r"dir=C:\a b\", r"cmd=\\host\x y.exe"];
        assert_eq!(split(line, true).unwrap(), expected);
        assert_eq!(split(r"a\ b", false).unwrap(), ["a b"]);
        assert_eq!(split("it's", true), None);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        assert!(line("  ").unwrap_err().to_string().contains("empty"));
        assert!(line("engine 'open").unwrap_err().to_string().contains("quote"));
    }
}
