//! Clocks of a game: a main time for each player, and an increment after every move.

use std::time::Duration;

use goren_core::opening::Seat;
use goren_engine::{Budget, Clock, RawTimes};

/// Time control of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TimeControl {
    main: Duration,
    increment: Duration,
}

/// Reads minutes, optionally followed by a plus sign and seconds per move.
///
/// # Errors
/// Not a time control.
pub(super) fn time_control(text: &str) -> Result<TimeControl, String> {
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    let number = |text: &str| text.parse::<f64>().ok();
    let time = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    let main = number(minutes).and_then(|minutes| time(minutes * 60.0));
    match (main, number(seconds).and_then(time)) {
        (Some(main), Some(increment)) if main + increment > Duration::ZERO => {
            Ok(TimeControl { main, increment })
        }
        _ => Err("minutes for the game and seconds per move are needed, such as 10+5".into()),
    }
}

/// Time left of both players.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ChessClock {
    control: TimeControl,
    left: [Duration; 2],
}

impl ChessClock {
    pub(super) fn new(control: TimeControl) -> ChessClock {
        ChessClock { control, left: [control.main + control.increment; 2] }
    }

    pub(super) fn restart(&mut self) {
        *self = ChessClock::new(self.control);
    }

    pub(super) fn left(&self, seat: Seat) -> Duration {
        self.left[seat.index()]
    }

    /// Deducts the used time; returns whether there was enough.
    pub(super) fn deduct(&mut self, seat: Seat, used: Duration) -> bool {
        let left = &mut self.left[seat.index()];
        let enough = used < *left;
        *left = left.saturating_sub(used);
        enough
    }

    /// Adds the increment for a move.
    pub(super) fn add_increment(&mut self, seat: Seat) {
        self.left[seat.index()] += self.control.increment;
    }

    /// Returns the time budget of the engine for a move.
    pub(super) fn budget(&self, seat: Seat, stones: usize, area: usize) -> Budget {
        let ms = |time: Duration| i64::try_from(time.as_millis()).ok();
        let times = RawTimes {
            timeout_match: ms(self.control.main.max(Duration::from_millis(1))),
            time_left: ms(self.left(seat).max(Duration::from_millis(1))),
            time_increment: ms(self.control.increment),
            ..RawTimes::default()
        };
        Clock::from_info(&times, false).budget(stones, area)
    }
}

/// Formats minutes and seconds.
pub(super) fn minutes_seconds(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_out_and_get_increments() {
        let control = time_control("1+5").unwrap();
        let mut clock = ChessClock::new(control);
        assert_eq!(minutes_seconds(clock.left(Seat::First)), "1:05");
        assert!(clock.deduct(Seat::First, Duration::from_secs(60)));
        clock.add_increment(Seat::First);
        assert_eq!(clock.left(Seat::First), Duration::from_secs(10));
        assert!(!clock.deduct(Seat::First, Duration::from_secs(11)));
        assert!(clock.budget(Seat::Second, 10, 225).hard < Duration::from_secs(65));
        for bad in ["", "x", "-1", "1+x", "0", "nan", "1e300", "5 5"] {
            assert!(time_control(bad).is_err(), "{bad}");
        }
        assert_eq!(time_control("0.5").unwrap().main, Duration::from_secs(30));
    }
}
