//! Reads files as bytes, up to a maximum size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Maximum number of bytes read at once.
pub const MAX_BYTES: u64 = 64 << 20;

/// Reads the bytes of a file.
///
/// # Errors
/// The file cannot be read, or is too large.
pub fn bounded_file(path: &Path) -> Result<Vec<u8>> {
    let name = || format!("cannot read {}", path.display());
    bounded(&mut File::open(path).with_context(name)?).with_context(name)
}

/// Reads the bytes of a file or of standard input.
///
/// # Errors
/// The input cannot be read, or is too large.
pub(super) fn bounded(input: &mut dyn Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= MAX_BYTES, "more than 64 MiB");
    Ok(bytes)
}
