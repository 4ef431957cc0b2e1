//! Opens plain files only: reading a named pipe could block the program.

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
/// The path is not a plain file, or cannot be read.
pub fn open_plain(path: &Path) -> Result<File, FileError> {
    if fs::metadata(path)?.is_file() { Ok(File::open(path)?) } else { Err(FileError::NotPlain) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(open_plain(folder.path()), Err(FileError::NotPlain)));
        assert!(matches!(open_plain(&folder.path().join("none")), Err(FileError::Io(_))));
        let path = folder.path().join("file");
        fs::write(&path, "").unwrap();
        open_plain(&path).unwrap();
    }
}
