//! Files that records are appended to during a run, each whole or not at all, also
//! on a shared folder that is slow or fails for a while.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::locked_file::LockedFile;
use super::stop::signalled;

/// How long a failed write is retried; not at all in tests of the modules.
pub(crate) const RETRY_TIME: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 30 });
/// Pause before the first time; each one after it is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// A write that takes longer is told.
const SLOW: Duration = Duration::from_secs(5);

/// A file that is appended to, locked against other runs.
#[derive(Debug)]
pub(crate) struct AppendFile {
    file: LockedFile,
    path: PathBuf,
    /// Bytes of whole records.
    length: u64,
    /// Whether there may be more: what is left of a write that failed.
    is_torn: bool,
    /// Whether it is neither a device nor a pipe.
    is_plain: bool,
    /// Whether the last record was given up: the next one does not wait as long again.
    has_failed: bool,
}

impl AppendFile {
    /// Goes on after the first `length` bytes of a file; drops what is behind.
    ///
    /// # Errors
    /// An I/O error.
    pub(crate) fn resume(file: LockedFile, path: &Path, length: u64) -> io::Result<AppendFile> {
        let is_plain = file.metadata()?.is_file();
        let path = path.to_owned();
        let mut file =
            AppendFile { file, path, length, is_torn: false, is_plain, has_failed: false };
        file.cut()?;
        Ok(file)
    }

    /// Bytes of whole records.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Appends a record and waits until it is on the disk. A write that fails is
    /// retried for half a minute, until a signal ends the run; both are told.
    ///
    /// # Errors
    /// An I/O error, or another run writes to the file. Nothing stays of what could not
    /// be written.
    pub(crate) fn append(&mut self, record: &[u8]) -> Result<()> {
        let name = self.path.display().to_string();
        let cannot = || format!("cannot write {name}");
        // Not every shared folder has locks: another run may be seen by what it writes.
        let length = self.file.metadata().with_context(cannot)?.len();
        let is_ours = self.is_torn || !self.is_plain || length == self.length;
        ensure!(is_ours, "{name} is written by another run too, and stays as it is");
        let retry_time = if self.has_failed { Duration::ZERO } else { RETRY_TIME };
        let written = persist(&name, retry_time, || self.write(record));
        self.has_failed = written.is_err();
        if written.is_err() {
            // Best effort: the next run drops a torn record too.
            self.cut().ok();
        }
        written.with_context(cannot)?;
        self.length += record.len() as u64;
        Ok(())
    }

    fn write(&mut self, record: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.cut()?;
        }
        self.is_torn = true;
        self.file.write_all(record)?;
        if self.is_plain {
            self.file.sync_data()?;
        }
        self.is_torn = false;
        Ok(())
    }

    /// Drops what stands behind the last whole record.
    fn cut(&mut self) -> io::Result<()> {
        if self.is_plain {
            self.file.set_len(self.length)?;
            self.file.seek(SeekFrom::Start(self.length))?;
        }
        self.is_torn = false;
        Ok(())
    }
}

/// Opens a file to be appended to, or makes it; `None` if another run has it.
///
/// # Errors
/// An I/O error.
pub(crate) fn open_locked(path: &Path) -> io::Result<Option<LockedFile>> {
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    Ok(LockedFile::lock(file))
}

/// Writes to a file called `name`, and retries for `retry_time` if that fails; reports a
/// failure, and a write that takes long.
///
/// # Errors
/// The error of the last try.
pub(crate) fn persist(
    name: &str,
    retry_time: Duration,
    mut write: impl FnMut() -> io::Result<()>,
) -> io::Result<()> {
    let (begun, mut pause, mut failed) = (Instant::now(), FIRST_PAUSE, false);
    loop {
        let Err(error) = write() else {
            if let Some(note) = lateness(name, begun.elapsed(), failed) {
                eprintln!("{note}");
            }
            return Ok(());
        };
        if begun.elapsed() >= retry_time || signalled().is_some() {
            return Err(error);
        }
        if !failed {
            let seconds = retry_time.as_secs();
            eprintln!("note: cannot write {name}: {error}; it is tried again for {seconds} s");
        }
        failed = true;
        rest(pause);
        pause *= 2;
    }
}

/// The note on a write that took so long, or succeeded only after failures.
fn lateness(name: &str, took: Duration, failed: bool) -> Option<String> {
    let is_late = failed || took >= SLOW;
    is_late.then(|| format!("note: {name}: written after {:.1} s", took.as_secs_f64()))
}

/// Waits, but not beyond a signal.
fn rest(pause: Duration) {
    let end = Instant::now() + pause;
    while Instant::now() < end && signalled().is_none() {
        thread::sleep(FIRST_PAUSE.min(end.saturating_duration_since(Instant::now())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_write_that_fails_is_tried_again_for_some_time() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let mut tries = 0;
        let fails_once = || {
            tries += 1;
            if tries == 1 { Err(full()) } else { Ok(()) }
        };
        persist("it", Duration::from_secs(9), fails_once).unwrap();
        assert_eq!(tries, 2);
        let mut tries = 0;
        let always = || {
            tries += 1;
            Err(full())
        };
        let error = persist("it", FIRST_PAUSE, always).unwrap_err();
        assert_eq!((error.kind(), tries), (io::ErrorKind::StorageFull, 2));
    }

    #[test]
    fn a_slow_folder_is_told() {
        let told = |ms, failed| lateness("it", Duration::from_millis(ms), failed);
        assert_eq!(told(900, false), None);
        assert_eq!(told(7_250, false).as_deref(), Some("note: it: written after 7.2 s"));
        assert_eq!(told(900, true).as_deref(), Some("note: it: written after 0.9 s"));
    }

    #[test]
    fn what_is_torn_is_cut_and_another_run_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "one\ntwo\nthr").unwrap();
        assert!(
            open_locked(&path).unwrap().is_some_and(|_own| open_locked(&path).unwrap().is_none())
        );
        let mut file = AppendFile::resume(open_locked(&path).unwrap().unwrap(), &path, 8).unwrap();
        file.append(b"three\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
        // As a write leaves it that failed in the middle.
        file.file.write_all(b"fo").unwrap();
        file.is_torn = true;
        file.append(b"four\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\nfour\n");
        assert_eq!(file.len(), 19);
        // As a run does it on a folder without locks.
        let mut other = File::options().append(true).open(&path).unwrap();
        other.write_all(b"other\n").unwrap();
        let error = format!("{:#}", file.append(b"five\n").unwrap_err());
        assert!(error.contains("written by another run too"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\nfour\nother\n");
    }
}
