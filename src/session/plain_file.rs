//! Opening of plain files only: reading a named pipe could block the session.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A folder, pipe or device.
    #[error("not a plain file")]
    NotPlain,
    /// The system refuses to open or read it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Opens a plain file for reading.
///
/// # Errors
/// It is not a plain file, or cannot be read.
pub(crate) fn open_plain(path: &Path) -> Result<File, FileError> {
    if fs::metadata(path)?.is_file() { Ok(File::open(path)?) } else { Err(FileError::NotPlain) }
}
