//! Sources of input lines: a user at a terminal, or a pipe.

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// An input line, or the end of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum InputLine {
    Text(String),
    /// Ctrl-C.
    Interrupt,
    /// The end of the input.
    End,
}

/// A source of lines.
pub(super) trait LineSource {
    /// Asks for a line.
    ///
    /// # Errors
    /// The terminal is broken.
    fn line(&mut self, prompt: &str, out: &mut dyn Write) -> Result<InputLine>;

    /// Whether a user is there who can answer questions and interrupt the search.
    fn is_person(&self) -> bool;
}

/// A pipe or a file. Echoes the lines it reads, so that the output is complete.
pub(super) struct Piped<R>(pub(super) R);

impl<R: BufRead> LineSource for Piped<R> {
    fn line(&mut self, prompt: &str, out: &mut dyn Write) -> Result<InputLine> {
        write!(out, "{prompt}")?;
        out.flush()?;
        let mut bytes = Vec::new();
        let read = self.0.read_until(b'\n', &mut bytes).context("cannot read the input")?;
        if read == 0 {
            writeln!(out)?;
            return Ok(InputLine::End);
        }
        let line = String::from_utf8_lossy(&bytes).into_owned();
        writeln!(out, "{}", line.trim().replace(char::is_control, ""))?;
        Ok(InputLine::Text(line))
    }

    fn is_person(&self) -> bool {
        false
    }
}

/// A terminal, with a history and a line that can be edited.
pub(super) struct Terminal {
    editor: DefaultEditor,
}

impl Terminal {
    /// Opens the terminal of the process.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(super) fn open() -> Result<Terminal> {
        Ok(Terminal { editor: DefaultEditor::new().context("cannot read from the terminal")? })
    }
}

impl LineSource for Terminal {
    fn line(&mut self, prompt: &str, out: &mut dyn Write) -> Result<InputLine> {
        out.flush()?;
        match self.editor.readline(prompt) {
            Ok(line) => {
                // A failure only affects the history.
                let _ = self.editor.add_history_entry(&line);
                Ok(InputLine::Text(line))
            }
            Err(ReadlineError::Interrupted) => Ok(InputLine::Interrupt),
            Err(ReadlineError::Eof) => Ok(InputLine::End),
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Ok(InputLine::End)
            }
            Err(error) => Err(error).context("cannot read the input"),
        }
    }

    fn is_person(&self) -> bool {
        true
    }
}
