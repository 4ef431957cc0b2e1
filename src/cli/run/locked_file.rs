//! Files that one run at a time may write to.

use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};

/// A file that is locked against other runs until it is dropped.
#[derive(Debug)]
pub(crate) struct LockedFile(File);

impl LockedFile {
    /// Locks a file; `None` if another run has it. Systems without locks have
    /// to do without.
    pub(crate) fn lock(file: File) -> Option<LockedFile> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => None,
            _ => Some(LockedFile(file)),
        }
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
        let open = || LockedFile::lock(File::create(folder.path().join("file")).unwrap());
        let own = open().unwrap();
        assert!(open().is_none());
        // As a process has it that was started meanwhile.
        let inherited = own.try_clone().unwrap();
        drop(own);
        assert!(open().is_some());
        drop(inherited);
    }
}
