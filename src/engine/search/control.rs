//! Stopping a running search, or changing its time limit, from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Shared by a running search and the threads that may stop it or change its time
/// limit. The search looks at it at each clock check.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// Time limit, in milliseconds after the start of the search; `u64::MAX` if none.
    cap: AtomicU64,
    /// Time limit of all searches under this control.
    end: Option<Instant>,
}

impl Default for Control {
    fn default() -> Control {
        Control { stop: AtomicBool::new(false), cap: AtomicU64::new(u64::MAX), end: None }
    }
}

impl Control {
    /// A control under which every search ends by `end`.
    pub fn until(end: Instant) -> Control {
        Control { end: Some(end), ..Control::default() }
    }

    /// Requests a stop; the search then answers with its best move so far.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether a stop was requested.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether a search that began at `started` must have ended by `now`.
    pub fn is_over(&self, started: Instant, now: Instant) -> bool {
        let elapsed = now.saturating_duration_since(started);
        self.stopped()
            || self.end.is_some_and(|end| now >= end)
            || self.latest_end().is_some_and(|end| elapsed >= end)
    }

    /// Sets the time limit of the search, counted from its start; it replaces an
    /// earlier one, but the hard limit of the budget still applies. Zero ends the
    /// search at once.
    pub fn cap(&self, end: Duration) {
        self.cap.store(end.as_millis().min(u128::from(u64::MAX)) as u64, Relaxed);
    }

    /// The time limit set by [`Control::cap`], if any.
    pub fn latest_end(&self) -> Option<Duration> {
        match self.cap.load(Relaxed) {
            u64::MAX => None,
            ms => Some(Duration::from_millis(ms)),
        }
    }

    /// Withdraws the stop and the time limit of [`Control::cap`], for the next search.
    pub fn reset(&self) {
        self.stop.store(false, Relaxed);
        self.cap.store(u64::MAX, Relaxed);
    }
}
