//! A command line given as text, and its working folder.

use std::env;
use std::path::{Path, PathBuf};

use super::Failure;

/// How to run an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// Program and arguments, quoted as in a shell.
    pub command: String,
    /// Working folder. Default: the folder of the program, if the command gives its path,
    /// as engines look for their files there.
    pub folder: Option<PathBuf>,
}

impl EngineSpec {
    /// Returns the absolute path of the program, if the command gives a path; else its name.
    pub fn program_path(&self) -> PathBuf {
        let words = words(&self.command).unwrap_or_default();
        let program = words.into_iter().next().unwrap_or_default();
        let has_path = is_path(&program);
        let path = PathBuf::from(program);
        if has_path { std::path::absolute(&path).unwrap_or(path) } else { path }
    }
}

/// Whether a program is given by its path, not to be searched for in `PATH`.
fn is_path(program: &str) -> bool {
    program.contains('/') || cfg!(windows) && program.contains('\\')
}

/// A program, its arguments and its folder.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct CommandLine {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    /// `None`: our own.
    pub(super) folder: Option<PathBuf>,
}

/// Splits a text into words, quoted as in a shell; `None` if a quote is left open.
pub fn words(text: &str) -> Option<Vec<String>> {
    // On Windows a backslash is part of a path.
    split(text, cfg!(windows))
}

/// Splits a text as [`words`] does; a backslash is plain or, as in a shell, an escape.
fn split(text: &str, backslash_is_plain: bool) -> Option<Vec<String>> {
    if !backslash_is_plain {
        return shlex::split(text);
    }
    // Within single quotes backslashes are plain in a shell, too.
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

/// Splits a command into program and arguments. A relative path of the program is relative
/// to our folder, not to the working folder of the engine.
///
/// # Errors
/// [`Failure::Spawn`]: no words, open quotes, or our own folder is unknown.
pub(super) fn read(spec: &EngineSpec) -> Result<CommandLine, Failure> {
    let words = words(&spec.command)
        .ok_or_else(|| Failure::Spawn(format!("a quote is not closed in: {}", spec.command)))?;
    let mut words = words.into_iter();
    let program = words.next().filter(|word| !word.is_empty());
    let program = program.ok_or_else(|| Failure::Spawn("the command is empty".into()))?;
    let by_path = is_path(&program);
    let program = if by_path {
        let own = env::current_dir();
        let own = own.map_err(|e| Failure::Spawn(format!("no current folder: {e}")))?;
        own.join(program)
    } else {
        PathBuf::from(program)
    };
    let program_folder = by_path.then(|| program.parent().map(Path::to_owned)).flatten();
    let folder = spec.folder.clone().or(program_folder);
    Ok(CommandLine { folder, arguments: words.collect(), program })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn line(command: &str) -> Result<CommandLine, Failure> {
        read(&EngineSpec { command: command.into(), folder: None })
    }

    #[test]
    fn words_are_read_as_by_a_shell_and_the_folder_is_that_of_the_program() {
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
    fn backslashes_in_windows_paths_are_kept() {
        let line = r#"name=old cmd=C:\engines\new.exe dir='C:\a b\' "cmd=\\host\x y.exe""#;
        let expected =
            [r"name=old", r"cmd=C:\engines\new.exe", r"dir=C:\a b\", r"cmd=\\host\x y.exe"];
        assert_eq!(split(line, true).unwrap(), expected);
        assert_eq!(split(r"a\ b", false).unwrap(), ["a b"]);
        assert_eq!(split("it's", true), None);
    }

    #[test]
    fn an_invalid_command_is_refused() {
        assert!(line("  ").unwrap_err().to_string().contains("empty"));
        assert!(line("engine 'open").unwrap_err().to_string().contains("quote"));
    }
}
