//! [`Pace`]: how many steps of work to do between two clock checks.
//!
//! The number is adapted so that 0.2 to 1 ms pass between checks. The search, the df-pn
//! prover and every solver use it.

use std::time::{Duration, Instant};

/// If less time passes between two checks, the number of steps is doubled.
const SHORT: Duration = Duration::from_micros(200);
/// Target interval after checks that were more than [`LONG`] apart.
const TARGET: Duration = Duration::from_micros(500);
/// If more time passes between two checks, the number of steps is reduced.
const LONG: Duration = Duration::from_millis(1);
/// Maximum number of steps between two checks.
const MAX_STRIDE: u64 = 1 << 16;

/// Counts the steps of work until the next clock check. Their number is not fixed: a step
/// may take a microsecond or, with page faults or a busy processor, a thousand times as
/// long. The first check comes after the first step.
#[derive(Copy, Clone, Debug)]
pub struct Pace {
    /// Steps left until the next check.
    left: u64,
    /// Steps between two checks.
    stride: u64,
    /// Time of the last check.
    last_check: Option<Instant>,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { left: 1, stride: 1, last_check: None }
    }
}

impl Pace {
    /// A pace that never checks the clock.
    pub const fn never() -> Pace {
        Pace { left: u64::MAX, stride: 1, last_check: None }
    }

    /// Counts a step. Returns whether the clock must be checked now.
    #[inline]
    pub fn step(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    /// Records a check of the clock. The next one is due after at most `max_steps` steps.
    pub fn looked(&mut self, now: Instant, max_steps: u64) {
        let passed = self.last_check.map(|before| now.saturating_duration_since(before));
        self.stride = match passed {
            Some(passed) if passed < SHORT => (self.stride * 2).min(MAX_STRIDE),
            Some(passed) if passed > LONG => {
                let steps = u128::from(self.stride) * TARGET.as_nanos() / passed.as_nanos();
                (steps as u64).max(1)
            }
            _ => self.stride,
        };
        self.last_check = Some(now);
        self.left = self.stride.min(max_steps).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The intervals between the checks during steps of these durations, all in microseconds.
    fn intervals(steps: impl Iterator<Item = u64>) -> Vec<u64> {
        let (mut now, mut last) = (Instant::now(), Duration::ZERO);
        let mut passed = Duration::ZERO;
        let (mut pace, mut intervals) = (Pace::default(), Vec::new());
        for step in steps {
            let step = Duration::from_micros(step);
            (now, passed) = (now + step, passed + step);
            if pace.step() {
                pace.looked(now, u64::MAX);
                intervals.push((passed - last).as_micros() as u64);
                last = passed;
            }
        }
        intervals
    }

    #[test]
    fn the_interval_does_not_depend_on_the_duration_of_a_step() {
        for step in [1, 3, 50, 300] {
            let times = intervals(std::iter::repeat_n(step, 100_000));
            let settled = &times[20..];
            assert!(settled.iter().all(|us| (200..=1_000).contains(us)), "{step}: {settled:?}");
        }
        let times = intervals(std::iter::repeat_n(5_000, 50));
        assert!(times.iter().all(|&us| us == 5_000), "{times:?}");
    }

    #[test]
    fn the_stride_adapts_when_steps_become_slow_or_quick() {
        let slow = std::iter::repeat_n(10, 1_000).chain(std::iter::repeat_n(2_000, 200));
        let times = intervals(slow);
        let late = times.iter().filter(|&&us| us > 2_000).count();
        assert!(late <= 2, "{times:?}");
        let quick = std::iter::repeat_n(2_000, 20).chain(std::iter::repeat_n(1, 100_000));
        let times = intervals(quick);
        assert!(times[40..].iter().all(|us| (200..=1_000).contains(us)), "{times:?}");
    }

    #[test]
    fn a_step_limit_is_met_exactly() {
        let mut pace = Pace::default();
        let now = Instant::now();
        let mut done = 0;
        // As in a search of 1,000 nodes.
        while done < 1_000 {
            done += 1;
            if pace.step() {
                pace.looked(now, 1_000 - done);
            }
        }
        assert!(pace.left == 1 && pace.stride > 1);
    }
}
