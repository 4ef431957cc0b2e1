//! Opens plain files only: a named pipe could block the session.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Nothing that could be read to an end.
    #[error("not a plain file")]
    NotPlain,
    /// The system does not let it be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Opens a file to read it. Nothing else is opened: a pipe would have to be
/// waited for.
///
/// # Errors
/// It is no plain file, or cannot be read.
pub(crate) fn open_plain(path: &Path) -> Result<File, FileError> {
    if fs::metadata(path)?.is_file() { Ok(File::open(path)?) } else { Err(FileError::NotPlain) }
}
