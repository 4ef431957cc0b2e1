//! The clock of a game: its argument, and when it runs.

use std::time::{Duration, Instant};

use super::table::{Closed, Match};
use goren_board::clock::GameClock;
use goren_board::schema::TimeControl;
use goren_core::opening::Seat;
use goren_core::record::Ending;
use goren_notation::ending::OVERTIME;

/// Reads minutes, optionally followed by a plus sign and seconds per move.
///
/// # Errors
/// Not a time control, or a time that is too long.
pub(super) fn time_control(text: &str) -> Result<TimeControl, String> {
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    let number = |text: &str| text.parse::<f64>().ok();
    let ms = |seconds: f64| {
        let time = Duration::try_from_secs_f64(seconds).ok()?;
        Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    };
    let main_ms = number(minutes).and_then(|minutes| ms(minutes * 60.0));
    let (Some(main_ms), Some(increment_ms)) = (main_ms, number(seconds).and_then(ms)) else {
        return Err("minutes for the game and seconds per move are needed, such as 10+5".into());
    };
    // The first move has its seconds too.
    let game_ms = Some(main_ms.saturating_add(increment_ms));
    let control = TimeControl { game_ms, increment_ms, move_ms: None };
    match GameClock::new(control) {
        Ok(_) => Ok(control),
        Err(error) => Err(error.to_string()),
    }
}

impl Match {
    /// Returns the positions since the beginning as the clock numbers them, by their plies.
    pub(super) fn path(&self) -> Vec<usize> {
        (1..=self.game_state.actions().len()).collect()
    }

    /// Returns the time that a seat has left; `None` without a clock.
    pub(super) fn time_left(&self, seat: Seat) -> Option<Duration> {
        self.clock.as_ref()?.left(&self.path(), seat, Instant::now())
    }

    /// Starts the time of the seat to act.
    pub(super) fn start_clock(&mut self) {
        let (path, pending) = (self.path(), self.pending());
        if let (Some(clock), Some(pending)) = (&mut self.clock, pending) {
            clock.start(&path, pending.seat, Instant::now());
        }
    }

    /// Stops the clock. Returns whether the seat to act has run out of time, which ends the game.
    pub(super) fn stop_clock(&mut self) -> bool {
        let is_late = self.clock.as_mut().is_some_and(|clock| clock.stop(Instant::now()));
        if is_late {
            let ending = Ending::Win(!self.game_state.seat());
            self.closed = Some(Closed { ending, reason: OVERTIME });
        }
        is_late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_minutes_and_seconds() {
        let control = |game_ms, increment_ms| {
            Ok(TimeControl { game_ms: Some(game_ms), increment_ms, move_ms: None })
        };
        assert_eq!(time_control("1+5"), control(65_000, 5_000));
        assert_eq!(time_control("0.5"), control(30_000, 0));
        assert_eq!(time_control("0+3"), control(3_000, 3_000));
        for bad in ["", "x", "-1", "1+x", "0", "nan", "1e300", "5 5"] {
            assert!(time_control(bad).is_err(), "{bad}");
        }
    }

    /// Regression: the sum of such times overflowed.
    #[test]
    fn too_long_times_are_refused() {
        for bad in ["300000000000000000+18000000000000000000", "1e9", "10+4000"] {
            let error = time_control(bad).unwrap_err();
            assert!(error.contains("hour"), "{error}");
        }
    }
}
