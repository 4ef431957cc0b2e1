//! Arguments of the command `load`: a file, the number of a game in it, and reading options.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use clap::Parser;

use crate::forms::ReadingArgs;

/// Arguments of `load`.
#[derive(Debug)]
pub(super) struct LoadArgs {
    pub(super) file: String,
    pub(super) options: LoadOptions,
}

/// The options after the file name.
#[derive(Parser, Default, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(super) struct LoadOptions {
    /// The number of the game in the file.
    pub(super) number: Option<usize>,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
}

/// Removes the quotes of a name that is quoted as in a shell.
pub(super) fn unquoted(text: &str) -> &str {
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        text.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote))
    });
    quoted.unwrap_or(text)
}

/// Finds the file of a name, whose extension may be omitted as in `save`.
fn existing_file(name: &str) -> Option<String> {
    let ended = format!("{name}.sgf");
    [name, &ended].into_iter().find(|name| Path::new(name).is_file()).map(String::from)
}

/// Splits a text into its longest prefix that is the name of a file, and the rest. Names may
/// contain blanks.
fn split(text: &str) -> Option<(String, &str)> {
    let ends = text.char_indices().filter(|(_, sign)| sign.is_whitespace()).map(|(at, _)| at);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    ends.into_iter().rev().find_map(|end| {
        let (name, rest) = text.split_at(end);
        Some((existing_file(unquoted(name.trim_end()))?, rest))
    })
}

impl LoadArgs {
    /// Reads the typed arguments.
    ///
    /// # Errors
    /// There is no such file, or the text after it is neither a number nor an option.
    pub(super) fn read(text: &str) -> Result<LoadArgs> {
        if text.is_empty() {
            bail!("load FILE, such as load game.sgf");
        }
        let name = unquoted(text);
        if Path::new(name).is_dir() {
            bail!("{name} is a folder");
        }
        let Some((file, rest)) = split(text) else { bail!("there is no file {name}") };
        let options = LoadOptions::try_parse_from(rest.split_whitespace()).map_err(|error| {
            let message = error.to_string();
            let first = message.lines().next().unwrap_or_default();
            anyhow!("{}", first.strip_prefix("error: ").unwrap_or(first))
        })?;
        Ok(LoadArgs { file, options })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_blanks_and_quotes_and_options_follow_them() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let (one, two) = (at("one.sgf"), at("my game 2.sgf"));
        std::fs::write(&one, "").unwrap();
        std::fs::write(&two, "").unwrap();
        let number = |text: &str| {
            let LoadArgs { file, options } = LoadArgs::read(text).unwrap();
            (file, options.number, options.reading.lenient)
        };
        assert_eq!(number(&one), (one.clone(), None, false));
        assert_eq!(number(&format!("{} 3", at("one"))), (one.clone(), Some(3), false));
        assert_eq!(number(&format!("\"{two}\"")), (two.clone(), None, false));
        assert_eq!(number(&format!("'{two}' 2 --lenient")), (two.clone(), Some(2), true));
        assert_eq!(number(&format!("{two} --lenient")), (two, None, true));
        let error = |text: &str| LoadArgs::read(text).unwrap_err().to_string();
        assert!(error(&format!("{one} --nonsense")).contains("--nonsense"));
        assert!(error(&format!("{one} x")).contains("invalid"));
        assert!(error(&at("none.sgf")).starts_with("there is no file"));
    }
}
