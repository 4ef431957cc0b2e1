//! Files to which each record is appended whole or not at all.

use std::fs;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::locked_file::LockedFile;

/// A file that is appended to, locked against other runs.
#[derive(Debug)]
pub struct AppendFile {
    file: LockedFile,
    path: PathBuf,
    /// Bytes of whole records.
    length: u64,
    /// Whether part of a failed write may follow the whole records.
    is_torn: bool,
    /// Whether the file is neither a device nor a pipe.
    is_plain: bool,
}

/// Why a record was not appended. No part of it stays in the file, so the caller can append it
/// again.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Another process has changed or replaced the file since the last write. On Unix this is
    /// detected by length, device and inode, elsewhere by length alone. Needed in addition to
    /// locks, because some shared folders do not support them.
    #[error("{} was changed or replaced by another program, and stays as it is", .0.display())]
    Foreign(PathBuf),
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<AppendError> for io::Error {
    fn from(error: AppendError) -> io::Error {
        match error {
            AppendError::Io(error) => error,
            AppendError::Foreign(_) => io::Error::other(error),
        }
    }
}

impl AppendFile {
    /// Continues after the first `length` bytes of a file; drops all bytes after them.
    ///
    /// # Errors
    /// An I/O error.
    pub fn resume(file: LockedFile, path: &Path, length: u64) -> io::Result<AppendFile> {
        let is_plain = file.metadata()?.is_file();
        let mut file = AppendFile { file, path: path.to_owned(), length, is_torn: false, is_plain };
        file.cut()?;
        Ok(file)
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length of the whole records in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Appends a record. It survives the end of the program, and after [`AppendFile::sync`]
    /// also a loss of power.
    ///
    /// # Errors
    /// An I/O error, or another run writes to the file.
    pub fn append(&mut self, record: &[u8]) -> Result<(), AppendError> {
        self.add(record, false)
    }

    /// Appends a record and waits until it is on the disk.
    ///
    /// # Errors
    /// As in [`AppendFile::append`].
    pub fn append_synced(&mut self, record: &[u8]) -> Result<(), AppendError> {
        self.add(record, true)
    }

    /// Waits until all records are on the disk.
    ///
    /// # Errors
    /// An I/O error.
    pub fn sync(&self) -> io::Result<()> {
        if self.is_plain { self.file.sync_data() } else { Ok(()) }
    }

    /// Checks that no other run has written to the file or replaced it.
    ///
    /// # Errors
    /// [`AppendError::Foreign`], or an I/O error.
    pub fn check(&self) -> Result<(), AppendError> {
        if self.is_torn || !self.is_plain {
            return Ok(());
        }
        // Check the file that the path leads to now: if another file has taken the name, records
        // appended to ours would be lost. If the path leads to no file (removed or renamed by
        // hand), continue to append to ours.
        let own = self.file.metadata()?;
        let is_own = match fs::metadata(&self.path) {
            Ok(found) => found.len() == self.length && is_same_file(&found, &own),
            Err(_) => own.len() == self.length,
        };
        if is_own { Ok(()) } else { Err(AppendError::Foreign(self.path.clone())) }
    }

    /// Removes the file, unless another run writes to it. If that fails the file stays, empty
    /// if possible.
    pub fn remove(self) {
        if self.check().is_err() {
            return;
        }
        // Emptied first: the system may refuse to remove the name.
        drop(self.file.set_len(0));
        drop(fs::remove_file(&self.path));
    }

    fn add(&mut self, record: &[u8], synced: bool) -> Result<(), AppendError> {
        self.check()?;
        let written = self.write(record, synced);
        if written.is_err() {
            // Best effort: the next record and the next run also drop a torn one.
            self.cut().ok();
        }
        written?;
        self.length += record.len() as u64;
        Ok(())
    }

    fn write(&mut self, record: &[u8], synced: bool) -> io::Result<()> {
        if self.is_torn {
            self.cut()?;
        }
        self.is_torn = true;
        self.file.write_all(record)?;
        if synced {
            self.sync()?;
        }
        self.is_torn = false;
        Ok(())
    }

    /// Drops all bytes after the last whole record.
    fn cut(&mut self) -> io::Result<()> {
        if self.is_plain {
            self.file.set_len(self.length)?;
            self.file.seek(SeekFrom::Start(self.length))?;
        }
        self.is_torn = false;
        Ok(())
    }
}

/// Whether the metadata of two names or handles belong to the same file.
#[cfg(unix)]
fn is_same_file(found: &fs::Metadata, own: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino()) == (own.dev(), own.ino())
}

#[cfg(not(unix))]
fn is_same_file(_found: &fs::Metadata, _own: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_record_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "one\ntwo\nthr").unwrap();
        let open = || LockedFile::open(&path).unwrap();
        assert!(open().is_some_and(|_own| open().is_none()));
        let mut file = AppendFile::resume(open().unwrap(), &path, 8).unwrap();
        file.append(b"three\n").unwrap();
        file.sync().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
        // As a write that fails midway leaves it.
        file.file.write_all(b"fo").unwrap();
        file.is_torn = true;
        file.append_synced(b"four\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\nfour\n");
        assert_eq!((file.length(), file.path()), (19, &*path));
        file.remove();
        assert!(!path.exists());
    }

    /// Records used to go to the file that had lost its name, for example if a tree was packed
    /// to the name of a tree in progress.
    #[cfg(not(windows))]
    #[test]
    fn a_replaced_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["file", "other"].map(|name| folder.path().join(name));
        let own = LockedFile::open(&path).unwrap().unwrap();
        let mut file = AppendFile::resume(own, &path, 0).unwrap();
        file.append(b"own\n").unwrap();
        fs::write(&other, "another\n").unwrap();
        fs::rename(&other, &path).unwrap();
        let error = file.append(b"more\n").unwrap_err();
        assert!(matches!(&error, AppendError::Foreign(of) if *of == path), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "another\n");
        // If the path leads to no file, no other run has it.
        fs::remove_file(&path).unwrap();
        file.append(b"more\n").unwrap();
        assert_eq!(file.length(), 9);
    }

    /// It used to be taken for the file itself.
    #[cfg(unix)]
    #[test]
    fn another_file_of_the_same_length_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["file", "other"].map(|name| folder.path().join(name));
        let own = LockedFile::open(&path).unwrap().unwrap();
        let mut file = AppendFile::resume(own, &path, 0).unwrap();
        file.append(b"own\n").unwrap();
        fs::write(&other, "new\n").unwrap();
        fs::rename(&other, &path).unwrap();
        let error = file.append(b"more\n").unwrap_err();
        assert!(matches!(&error, AppendError::Foreign(of) if *of == path), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\n");
    }

    /// The other run writes as it can in a folder without locks.
    #[cfg(not(windows))]
    #[test]
    fn a_write_by_another_run_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let open = || LockedFile::open(&path).unwrap();
        let mut file = AppendFile::resume(open().unwrap(), &path, 0).unwrap();
        file.append_synced(b"own\n").unwrap();
        let mut other = fs::File::options().append(true).open(&path).unwrap();
        other.write_all(b"other\n").unwrap();
        let error = file.append_synced(b"five\n").unwrap_err();
        assert!(matches!(&error, AppendError::Foreign(of) if *of == path), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "own\nother\n");
        file.remove();
        assert!(path.exists(), "the other run's");
        let file = AppendFile::resume(open().unwrap(), &path, 3).unwrap();
        file.remove();
        assert!(!path.exists());
    }
}
