//! Files that one program at a time may write to.

use std::fs::{File, TryLockError};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// A file that is locked against other runs, of this or another process, until it is
/// dropped.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Locks a file; `None` if another run has it. Systems without locks have
    /// to do without.
    pub fn lock(file: File) -> Option<LockedFile> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => None,
            _ => Some(LockedFile(file)),
        }
    }

    /// Opens a file to be read and written, or makes it, and leaves what is in it; `None`
    /// if another run has it.
    ///
    /// # Errors
    /// An I/O error.
    pub fn open(path: &Path) -> io::Result<Option<LockedFile>> {
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(LockedFile::lock(file))
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // To close it is not enough: a process that is just being started has
        // the files of its parent open for a moment, and so keeps their locks.
        let _ = self.0.unlock();
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_free_once_dropped_though_others_have_it_open() {
        let folder = tempfile::tempdir().unwrap();
        let open = || LockedFile::open(&folder.path().join("file")).unwrap();
        let own = open().unwrap();
        assert!(open().is_none());
        // As a process has it that was started meanwhile.
        let inherited = own.try_clone().unwrap();
        drop(own);
        assert!(open().is_some());
        drop(inherited);
    }
}
