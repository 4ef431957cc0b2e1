//! Files of positions: the moves of a position on each line.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::forms::text_of;

/// Calls `solve` with each position of a file and prints its errors to standard error; lines
/// that begin with `#` are comments. Returns whether all positions had an answer.
///
/// # Errors
/// The file cannot be read or has no positions.
pub(super) fn lines(path: &Path, mut solve: impl FnMut(&str) -> Result<bool>) -> Result<bool> {
    let text = text_of(path)?;
    // In other places a # is part of a link, which is a position, too.
    let is_position = |line: &str| !line.is_empty() && !line.starts_with('#');
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| is_position(line)).peekable();
    ensure!(lines.peek().is_some(), "{}: there is no position in it", path.display());
    let mut all = true;
    for (number, line) in lines {
        // An error in one line does not prevent the others from being solved.
        all &= solve(line).unwrap_or_else(|error| {
            eprintln!("{}:{number}: {error:#}", path.display());
            false
        });
    }
    Ok(all)
}
