//! Files as bytes, up to a size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Most bytes that are read at once.
pub const MOST_BYTES: u64 = 64 << 20;

/// The bytes of a file.
///
/// # Errors
/// It cannot be read, or is too large.
pub fn bounded_file(path: &Path) -> Result<Vec<u8>> {
    let name = || format!("cannot read {}", path.display());
    bounded(&mut File::open(path).with_context(name)?).with_context(name)
}

/// The bytes of a file or of standard input.
///
/// # Errors
/// It cannot be read, or is too large.
pub(super) fn bounded(input: &mut dyn Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= MOST_BYTES, "more than 64 MiB");
    Ok(bytes)
}
