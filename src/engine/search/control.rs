//! Stopping a running search, or changing its time limit, from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Shared by a running search and the threads that may stop it or change its time
/// limit. The search looks at it at each clock check.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// Time limit, in milliseconds after the start of the search; `u64::MAX` if none.
    time_limit_ms: AtomicU64,
    /// Time limit of all searches under this control.
    deadline: Option<Instant>,
}

impl Default for Control {
    fn default() -> Control {
        Control {
            stop: AtomicBool::new(false),
            time_limit_ms: AtomicU64::new(u64::MAX),
            deadline: None,
        }
    }
}

impl Control {
    /// A control under which every search ends by `deadline`.
    pub fn until(deadline: Instant) -> Control {
        Control { deadline: Some(deadline), ..Control::default() }
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
            || self.deadline.is_some_and(|deadline| now >= deadline)
            || self.time_limit().is_some_and(|limit| elapsed >= limit)
    }

    /// Sets the time limit of the search, counted from its start; it replaces an
    /// earlier one, but the hard limit of the budget still applies. Zero ends the
    /// search at once.
    pub fn set_time_limit(&self, limit: Duration) {
        self.time_limit_ms.store(limit.as_millis().min(u128::from(u64::MAX)) as u64, Relaxed);
    }

    /// The time limit set by [`Control::set_time_limit`], if any.
    pub fn time_limit(&self) -> Option<Duration> {
        match self.time_limit_ms.load(Relaxed) {
            u64::MAX => None,
            ms => Some(Duration::from_millis(ms)),
        }
    }

    /// Withdraws the stop and the time limit of [`Control::set_time_limit`], for the next
    /// search.
    pub fn reset(&self) {
        self.stop.store(false, Relaxed);
        self.time_limit_ms.store(u64::MAX, Relaxed);
    }
}
