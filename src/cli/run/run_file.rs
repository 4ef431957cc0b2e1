//! Files to which a run appends records, also on a shared folder that is slow or fails for
//! a while.

use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use goren_files::{AppendError, AppendFile, LockedFile};

use super::stop::signalled;

/// Time for which a failed write is retried; none in unit tests.
pub(crate) const RETRY_TIME: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 30 });
/// Pause before the first retry; each later pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Writes that take longer are reported on standard error.
const SLOW: Duration = Duration::from_secs(5);

/// A file that a run appends to.
#[derive(Debug)]
pub(crate) struct RunFile {
    file: AppendFile,
    /// Whether the last record failed: the next one is not retried.
    has_failed: bool,
}

impl RunFile {
    /// Continues a file after its first `length` bytes; drops the rest.
    ///
    /// # Errors
    /// An I/O error.
    pub(crate) fn resume(file: LockedFile, path: &Path, length: u64) -> io::Result<RunFile> {
        Ok(RunFile { file: AppendFile::resume(file, path, length)?, has_failed: false })
    }

    /// Length of the complete records in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.file.length()
    }

    /// Appends a record and waits until it is on the disk. Retries a failed write for
    /// half a minute, or until a signal ends the run; reports failures and slow writes.
    ///
    /// # Errors
    /// An I/O error, or another run writes to the file. A record that could not be
    /// written leaves no trace in the file.
    pub(crate) fn append(&mut self, record: &[u8]) -> Result<()> {
        let name = self.file.path().display().to_string();
        let retry_time = if self.has_failed { Duration::ZERO } else { RETRY_TIME };
        let written = persist(&name, retry_time, || self.file.append_synced(record));
        self.has_failed = written.is_err();
        match written {
            Err(AppendError::Io(error)) => {
                Err(error).with_context(|| format!("cannot write {name}"))
            }
            written => Ok(written?),
        }
    }
}

/// Calls `write`, which writes to the file `name`, and retries for `retry_time` if it fails;
/// reports a failure, and a write that takes long.
///
/// # Errors
/// The error of the last try, or another run writes to the file.
pub(crate) fn persist(
    name: &str,
    retry_time: Duration,
    mut write: impl FnMut() -> Result<(), AppendError>,
) -> Result<(), AppendError> {
    let (begun, mut pause, mut failed) = (Instant::now(), FIRST_PAUSE, false);
    loop {
        let Err(error) = write() else {
            if let Some(note) = slow_write_note(name, begun.elapsed(), failed) {
                eprintln!("{note}");
            }
            return Ok(());
        };
        let is_final = matches!(error, AppendError::Foreign(_));
        if is_final || begun.elapsed() >= retry_time || signalled().is_some() {
            return Err(error);
        }
        if !failed {
            let seconds = retry_time.as_secs();
            eprintln!("note: cannot write {name}: {error}; retrying for {seconds} s");
        }
        failed = true;
        sleep_until_signal(pause);
        pause *= 2;
    }
}

/// The note on a write that took too long, or succeeded only after failures.
fn slow_write_note(name: &str, elapsed: Duration, failed: bool) -> Option<String> {
    let is_slow = failed || elapsed >= SLOW;
    is_slow.then(|| format!("note: {name}: written after {:.1} s", elapsed.as_secs_f64()))
}

/// Waits, at most until a signal.
fn sleep_until_signal(pause: Duration) {
    let end = Instant::now() + pause;
    while Instant::now() < end && signalled().is_none() {
        thread::sleep(FIRST_PAUSE.min(end.saturating_duration_since(Instant::now())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_is_retried_for_some_time() {
        let full = || AppendError::Io(io::ErrorKind::StorageFull.into());
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
        let is_full =
            matches!(&error, AppendError::Io(e) if e.kind() == io::ErrorKind::StorageFull);
        assert_eq!((is_full, tries), (true, 2), "{error}");
        let mut tries = 0;
        let taken = || {
            tries += 1;
            Err(AppendError::Foreign("it".into()))
        };
        persist("it", Duration::from_secs(9), taken).unwrap_err();
        assert_eq!(tries, 1);
    }

    #[test]
    fn slow_writes_are_reported() {
        let note = |ms, failed| slow_write_note("it", Duration::from_millis(ms), failed);
        assert_eq!(note(900, false), None);
        assert_eq!(note(7_250, false).as_deref(), Some("note: it: written after 7.2 s"));
        assert_eq!(note(900, true).as_deref(), Some("note: it: written after 0.9 s"));
    }
}
