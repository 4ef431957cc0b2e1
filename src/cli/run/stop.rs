//! Orderly end of long runs before their work is done: on Ctrl-C, SIGTERM or a
//! time limit.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::seconds::seconds;

/// Exit status of a run that ended in order with work left, for job scripts:
/// EX_TEMPFAIL of sysexits.h.
pub const UNFINISHED: u8 = 75;

/// Exit status of programs ended by Ctrl-C.
const KILLED: i32 = 130;

/// Maximum delay of our own signal after it has ended a child process.
const SIGNAL_DELAY: Duration = Duration::from_millis(200);

/// Set by Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Set by SIGTERM, once its handler is installed.
static TERMINATED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Outcome of a stopped run that `--resume` continues.
pub(crate) const RESUMED: &str = "finished work is kept; --resume continues the run";
/// Outcome of a stopped run that the same command continues.
pub(crate) const CONTINUED: &str = "finished work is kept; the same command continues the run";

/// Arguments of a command whose run may end early.
#[derive(clap::Args, Copy, Clone, Debug)]
pub(crate) struct StopArgs {
    /// Stop cleanly after this many seconds, as on SIGTERM or Ctrl-C. The exit
    /// status is 75 if work is left.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    stop_after: Option<Duration>,
}

impl StopArgs {
    /// Watches for the end of a run that begins now.
    pub(crate) fn watch(self) -> Stop {
        Stop::after(self.stop_after)
    }
}

/// A run ended before its work was done.
#[derive(Debug, thiserror::Error)]
#[error("Stopped by {why}: {outcome}.")]
pub struct Stopped {
    /// What ended it.
    why: &'static str,
    /// What is kept, and how to continue.
    outcome: &'static str,
}

/// Requests that a run end though work is left.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Stop {
    end: Option<Instant>,
}

impl Stop {
    /// From now on Ctrl-C, SIGTERM and the end of `time` stop the run. A second Ctrl-C
    /// ends the program at once.
    pub(crate) fn after(time: Option<Duration>) -> Stop {
        TERMINATED.get_or_init(take_signals);
        Stop { end: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Returns what stops the run, if anything does.
    pub(crate) fn asked(self) -> Option<&'static str> {
        let over = || self.end.is_some_and(|end| Instant::now() >= end);
        signalled().or_else(|| over().then_some("its time limit"))
    }

    /// The error of a run that was stopped; `outcome` says what is kept, and how to continue.
    pub(crate) fn stopped(self, outcome: &'static str) -> Stopped {
        Stopped { why: self.asked().unwrap_or("request"), outcome }
    }
}

/// The signal that stops the run, if one has arrived.
pub(crate) fn signalled() -> Option<&'static str> {
    let terminated = || TERMINATED.get().is_some_and(|flag| flag.load(Relaxed));
    if INTERRUPTED.load(Relaxed) { Some("Ctrl-C") } else { terminated().then_some("SIGTERM") }
}

/// The error of work that a signal stops, if one has arrived; `outcome` says what is kept, and
/// how to continue.
pub(crate) fn stopped_by_signal(outcome: &'static str) -> Option<Stopped> {
    signalled().map(|why| Stopped { why, outcome })
}

/// Whether a signal that ended a child process reaches us too: job systems and
/// terminals send it to all processes of a job, one after another.
pub(crate) fn signalled_with_a_child() -> bool {
    if signalled().is_none() {
        std::thread::sleep(SIGNAL_DELAY);
    }
    signalled().is_some()
}

/// Installs the handlers of Ctrl-C and SIGTERM; returns the flag that SIGTERM sets. A
/// signal whose handler the system refuses ends the program at once.
fn take_signals() -> Arc<AtomicBool> {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Relaxed) {
            process::exit(KILLED);
        }
    });
    let flag = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGTERM, flag.clone());
    flag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_time_stops_a_run() {
        assert_eq!(Stop::after(None).asked(), None);
        assert_eq!(Stop::after(Some(Duration::from_secs(3600))).asked(), None);
        let over = Stop::after(Some(Duration::ZERO));
        assert_eq!(over.asked(), Some("its time limit"));
        let message = over.stopped(RESUMED).to_string();
        let expected =
            "Stopped by its time limit: finished work is kept; --resume continues the run.";
        assert_eq!(message, expected);
    }
}
