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

/// A program, its arguments and its folder.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct CommandLine {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    /// `None`: ours.
    pub(super) folder: Option<PathBuf>,
}

/// Reads the words of a command. A program named by a path is looked for from
/// our folder, whatever the folder it will be run in.
///
/// # Errors
/// [`Failure::Spawn`]: no words, open quotes, or our own folder is unknown.
pub(super) fn read(spec: &EngineSpec) -> Result<CommandLine, Failure> {
    // On Windows a backslash is part of a path.
    let text = if cfg!(windows) { spec.command.replace('\\', r"\\") } else { spec.command.clone() };
    let words = shlex::split(&text)
        .ok_or_else(|| Failure::Spawn(format!("a quote is left open in: {}", spec.command)))?;
    let mut words = words.into_iter();
    let program = words.next().filter(|word| !word.is_empty());
    let program = program.ok_or_else(|| Failure::Spawn("its command is empty".into()))?;
    let by_path = program.contains('/') || cfg!(windows) && program.contains('\\');
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
    fn what_is_no_command_is_refused() {
        assert!(line("  ").unwrap_err().to_string().contains("empty"));
        assert!(line("engine 'open").unwrap_err().to_string().contains("quote"));
    }
}
