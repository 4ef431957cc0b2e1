//! [`Pace`]: how many steps of work to do between two clock checks.
//!
//! The number is adapted so that 0.2 to 1 ms pass between checks. The search, the df-pn
//! prover and every solver use it.

use std::time::{Duration, Instant};

/// If less time passes between two checks, the number of steps is doubled.
const SHORT: Duration = Duration::from_micros(200);
/// Target interval after checks that were more than [`LONG`] apart.
const AIM: Duration = Duration::from_micros(500);
/// If more time passes between two checks, the number of steps is reduced.
const LONG: Duration = Duration::from_millis(1);
/// Most steps of work between two looks.
const MOST: u64 = 1 << 16;

/// Counts the steps of work until the next clock check. Their number is not fixed: a step
/// may take a microsecond or, with page faults or a busy processor, a thousand times as
/// long. The first check comes after the first step.
#[derive(Copy, Clone, Debug)]
pub struct Pace {
    /// Steps left until the next look.
    left: u64,
    /// Steps between two looks.
    stride: u64,
    /// When the clock was looked at last.
    looked: Option<Instant>,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { left: 1, stride: 1, looked: None }
    }
}

impl Pace {
    /// The clock is never looked at.
    pub const fn never() -> Pace {
        Pace { left: u64::MAX, stride: 1, looked: None }
    }

    /// Counts a step. Whether the clock must be looked at now.
    #[inline]
    pub fn step(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    /// Notes a look at the clock. The next one is due after `most` steps, or
    /// sooner.
    pub fn looked(&mut self, now: Instant, most: u64) {
        let passed = self.looked.map(|before| now.saturating_duration_since(before));
        self.stride = match passed {
            Some(passed) if passed < SHORT => (self.stride * 2).min(MOST),
            Some(passed) if passed > LONG => {
                let steps = u128::from(self.stride) * AIM.as_nanos() / passed.as_nanos();
                (steps as u64).max(1)
            }
            _ => self.stride,
        };
        self.looked = Some(now);
        self.left = self.stride.min(most).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of the times given, in microseconds; how far apart the looks are.
    fn walk(steps: impl Iterator<Item = u64>) -> Vec<u64> {
        let (mut now, mut last) = (Instant::now(), Duration::ZERO);
        let mut passed = Duration::ZERO;
        let (mut pace, mut apart) = (Pace::default(), Vec::new());
        for step in steps {
            let step = Duration::from_micros(step);
            (now, passed) = (now + step, passed + step);
            if pace.step() {
                pace.looked(now, u64::MAX);
                apart.push((passed - last).as_micros() as u64);
                last = passed;
            }
        }
        apart
    }

    #[test]
    fn looks_are_as_far_apart_in_time_whatever_a_step_takes() {
        for step in [1, 3, 50, 300] {
            let apart = walk(std::iter::repeat_n(step, 100_000));
            let settled = &apart[20..];
            assert!(settled.iter().all(|us| (200..=1_000).contains(us)), "{step}: {settled:?}");
        }
        let apart = walk(std::iter::repeat_n(5_000, 50));
        assert!(apart.iter().all(|&us| us == 5_000), "{apart:?}");
    }

    #[test]
    fn steps_that_become_slow_are_noticed_once() {
        let apart = walk(std::iter::repeat_n(10, 1_000).chain(std::iter::repeat_n(2_000, 200)));
        let late = apart.iter().filter(|&&us| us > 2_000).count();
        assert!(late <= 2, "{apart:?}");
        // And steps that become quick.
        let apart = walk(std::iter::repeat_n(2_000, 20).chain(std::iter::repeat_n(1, 100_000)));
        assert!(apart[40..].iter().all(|us| (200..=1_000).contains(us)), "{apart:?}");
    }

    #[test]
    fn a_bound_of_steps_is_met_exactly() {
        let mut pace = Pace::default();
        let now = Instant::now();
        let mut done = 0;
        // As a search of 1,000 nodes does it.
        while done < 1_000 {
            done += 1;
            if pace.step() {
                pace.looked(now, 1_000 - done);
            }
        }
        assert!(pace.left == 1 && pace.stride > 1);
    }
}
