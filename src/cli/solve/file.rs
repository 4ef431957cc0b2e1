//! Files of positions, the moves of one on a line.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::forms::text_of;

/// Hands the positions of a file to `solve`, and tells on standard error which
/// of them are none. Whether all had an answer.
///
/// # Errors
/// The file cannot be read or has no positions.
pub(super) fn lines(path: &Path, mut solve: impl FnMut(&str) -> Result<bool>) -> Result<bool> {
    let text = text_of(path)?;
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).peekable();
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
