//! Stopping a running search, or changing its time limit, from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Shared by running searches and the threads that may stop them or change their time
/// limit. A search reads it at each clock check.
///
/// One turn or decision may run several searches, one after another, under one control. So its time
/// limits are points in time, the same for all these searches, and not durations from the start of
/// each.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// Time of creation.
    created: Instant,
    /// End set by [`Control::set_end`], in microseconds after `created`; `u64::MAX` if none.
    end_us: AtomicU64,
    /// Fixed end, set by [`Control::until`].
    deadline: Option<Instant>,
}

impl Default for Control {
    fn default() -> Control {
        Control {
            stop: AtomicBool::new(false),
            created: Instant::now(),
            end_us: AtomicU64::new(u64::MAX),
            deadline: None,
        }
    }
}

impl Control {
    /// Creates a control under which every search ends by `deadline`.
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

    /// Whether a search must have ended by `now`.
    pub fn is_over(&self, now: Instant) -> bool {
        self.stopped()
            || self.deadline.is_some_and(|deadline| now >= deadline)
            || self.end().is_some_and(|end| now >= end)
    }

    /// Sets when all searches must end, or removes the end that was set before; the hard limit of a
    /// budget still applies. A point in the past ends a search at once.
    pub fn set_end(&self, end: Option<Instant>) {
        let us = end.map(|end| end.saturating_duration_since(self.created).as_micros());
        let us = us.and_then(|us| u64::try_from(us).ok()).unwrap_or(u64::MAX);
        self.end_us.store(us, Relaxed);
    }

    /// The end set by [`Control::set_end`], if any.
    pub fn end(&self) -> Option<Instant> {
        match self.end_us.load(Relaxed) {
            u64::MAX => None,
            us => self.created.checked_add(Duration::from_micros(us)),
        }
    }

    /// The time left until the end set by [`Control::set_end`]; zero if it is over.
    pub fn left(&self) -> Option<Duration> {
        self.end().map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Withdraws the stop and the end set by [`Control::set_end`], for the next search.
    pub fn reset(&self) {
        self.stop.store(false, Relaxed);
        self.end_us.store(u64::MAX, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_holds_until_it_is_removed() {
        let control = Control::default();
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let far = now + second * 3600;
        assert!(control.end().is_none() && control.left().is_none() && !control.is_over(far));
        control.set_end(Some(now + second * 60));
        assert!(control.left().is_some_and(|left| left <= second * 60));
        assert!(control.is_over(now + second * 60) && !control.is_over(now + second * 59));
        // A point in time before the control was created.
        control.set_end(now.checked_sub(second));
        assert!(control.is_over(now));
        let removals: [fn(&Control); 2] = [Control::reset, |control| control.set_end(None)];
        for remove in removals {
            control.set_end(Some(now));
            remove(&control);
            assert!(control.end().is_none() && !control.is_over(far));
        }
    }
}
