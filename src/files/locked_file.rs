//! Files that one program at a time may write to.

use std::fs::{File, OpenOptions};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// A file that no other run, of this or another process, may write to until it is dropped.
/// Every process may read it meanwhile.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Opens or creates a file for reading and writing, and keeps its content; `None` if
    /// another run has locked it.
    ///
    /// # Errors
    /// An I/O error.
    pub fn open(path: &Path) -> io::Result<Option<LockedFile>> {
        let mut options = File::options();
        LockedFile::open_with(path, options.read(true).write(true).create(true).truncate(false))
    }

    /// Opens a file with these options and locks it; `None` if another run has locked it. On
    /// systems without locks the file stays unlocked.
    ///
    /// # Errors
    /// An I/O error.
    pub fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<Option<LockedFile>> {
        Ok(locked(path, options)?.map(LockedFile))
    }
}

/// Opens a file, with an advisory lock.
#[cfg(not(windows))]
fn locked(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    let file = options.open(path)?;
    Ok(match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => None,
        _ => Some(file),
    })
}

/// Opens a file that other processes may read, rename and remove meanwhile, but not write to.
/// A lock would also stop them from reading.
#[cfg(windows)]
fn locked(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_SHARE_READ: u32 = 1;
    const FILE_SHARE_DELETE: u32 = 4;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    match options.share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE).open(path) {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
        opened => opened.map(Some),
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that is just starting has its
        // parent's files open for a moment and so holds their locks.
        #[cfg(not(windows))]
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
    use std::fs;
    use std::io::Write;

    use super::*;

    /// On Windows a run could not read the journals of its other parts.
    #[test]
    fn a_locked_file_is_read_by_others_and_written_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut own = LockedFile::open(&path).unwrap().unwrap();
        own.write_all(b"one\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\n");
        let for_reading = || LockedFile::open_with(&path, File::options().read(true)).unwrap();
        assert!(LockedFile::open(&path).unwrap().is_none() && for_reading().is_none());
        // A reader does not prevent writing.
        let reader = File::open(&path).unwrap();
        drop(own);
        let own = LockedFile::open(&path).unwrap().unwrap();
        drop(reader);
        // As when the file replaces another one.
        let other = folder.path().join("other");
        fs::rename(&path, &other).unwrap();
        drop(own);
        assert!(LockedFile::open(&other).unwrap().is_some());
    }

    #[cfg(not(windows))]
    #[test]
    fn dropping_a_file_unlocks_it_even_if_others_have_it_open() {
        let folder = tempfile::tempdir().unwrap();
        let open = || LockedFile::open(&folder.path().join("file")).unwrap();
        let own = open().unwrap();
        assert!(open().is_none());
        // As a child process that was started meanwhile has the file.
        let inherited = own.try_clone().unwrap();
        drop(own);
        assert!(open().is_some());
        drop(inherited);
    }
}
