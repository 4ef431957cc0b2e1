//! Files of positions, the moves of one on a line.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::forms::text_of;

/// Hands the positions of a file to `solve`, and tells on standard error which
/// of them are none; lines that begin with `#` are comments. Whether all had an answer.
///
/// # Errors
/// The file cannot be read or has no positions.
pub(super) fn lines(path: &Path, mut solve: impl FnMut(&str) -> Result<bool>) -> Result<bool> {
    let text = text_of(path)?;
    // Elsewhere a # is a part of links, which are positions too.
    let is_position = |line: &str| !line.is_empty() && !line.starts_with('#');
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| is_position(line)).peekable();
    ensure!(lines.peek().is_some(), "{}: there is no position in it", path.display());
    let mut all = true;
    for (number, line) in lines {
        // A line that fails does not keep the others from being solved.
        all &= solve(line).unwrap_or_else(|error| {
            eprintln!("{}:{number}: {error:#}", path.display());
            false
        });
    }
    Ok(all)
}
