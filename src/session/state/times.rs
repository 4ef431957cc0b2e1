//! Times sent by `INFO`, and the match time counted down between them.

use std::time::Duration;

use goren_engine::{Clock, NO_LIMIT_MS, RawTimes};

/// Times sent by the client. They survive START and RESTART.
#[derive(Clone, Default, Debug)]
pub struct Times {
    /// The values in use. The match time left may be one computed here.
    raw: RawTimes,
    /// Whether `raw.time_left` was computed here and not sent since the last move. If so, the
    /// next game drops it.
    left_is_estimate: bool,
}

impl Times {
    /// Stores `INFO timeout_turn`, in ms.
    pub fn set_timeout_turn(&mut self, ms: i64) {
        self.raw.timeout_turn = Some(ms);
    }

    /// Stores `INFO timeout_match`, in ms. The same value again does not reset the remaining
    /// time.
    pub fn set_timeout_match(&mut self, ms: i64) {
        if self.raw.timeout_match.replace(ms) != Some(ms) {
            self.drop_estimate();
        }
    }

    /// Stores `INFO time_left`, in ms.
    pub fn set_time_left(&mut self, ms: i64) {
        self.raw.time_left = Some(ms);
        self.left_is_estimate = false;
    }

    /// Stores `INFO time_increment`, in ms.
    pub fn set_time_increment(&mut self, ms: i64) {
        self.raw.time_increment = Some(ms);
    }

    /// The clock of the next move. `bounded_otherwise`: whether depth or nodes limit the
    /// search.
    pub fn clock(&self, bounded_otherwise: bool) -> Clock {
        Clock::from_info(&self.raw, bounded_otherwise)
    }

    /// Subtracts the time of a move from the match time, for managers that do not send
    /// `time_left` before every move.
    pub fn spend(&mut self, elapsed: Duration) {
        let left = self.raw.time_left.or(self.raw.timeout_match.filter(|&ms| ms > 0));
        if self.raw.time_left.is_some_and(|ms| ms >= NO_LIMIT_MS) {
            // No limit to count down, but the value must not carry over to the next game.
            self.left_is_estimate = true;
        } else if let Some(left) = left.filter(|&ms| ms < NO_LIMIT_MS) {
            let spent = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
            let increment = self.raw.time_increment.unwrap_or(0).max(0);
            let left = left.saturating_sub(spent).saturating_add(increment);
            self.raw.time_left = Some(left);
            self.left_is_estimate = true;
        }
    }

    /// As [`Times::spend`] if the client sent `time_left` during the move, `elapsed` ago.
    /// Yixin-Board sends that of the next game while it waits for the last answer of the
    /// previous one, so it is kept when a game begins.
    pub fn spend_since_set(&mut self, elapsed: Duration) {
        match &mut self.raw.time_left {
            Some(NO_LIMIT_MS..) => self.left_is_estimate = true,
            Some(left) => {
                let spent = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
                *left = left.saturating_sub(spent);
            }
            None => {}
        }
    }

    /// Must be called when a game begins: the remaining match time is unknown, unless it was
    /// sent since the last move (Yixin-Board sends it before START).
    pub fn new_game(&mut self) {
        self.drop_estimate();
    }

    fn drop_estimate(&mut self) {
        if self.left_is_estimate {
            self.raw.time_left = None;
            self.left_is_estimate = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_engine::Budget;

    /// Times after values of `INFO timeout_match` and `INFO time_left`.
    fn with(timeout_match: i64, time_left: i64) -> Times {
        let mut times = Times::default();
        times.set_timeout_match(timeout_match);
        times.set_time_left(time_left);
        times
    }

    /// The budget of a move on 15x15.
    fn budget(times: &Times, stones: usize) -> Budget {
        times.clock(false).budget(stones, 225)
    }

    #[test]
    fn repeating_a_match_time_does_not_reset_the_remaining_time() {
        let mut times = Times::default();
        times.set_timeout_match(3_000);
        times.spend(Duration::from_millis(2_300));
        times.set_timeout_match(3_000);
        assert_eq!(times.raw.time_left, Some(700));
        times.set_timeout_match(9_000);
        assert_eq!(times.raw.time_left, None);
    }

    /// If the client sent the time left during a search, the rest of that search was free.
    #[test]
    fn time_left_sent_during_a_move_runs_on_and_is_no_estimate() {
        let mut times = with(60_000, 9_000);
        times.spend_since_set(Duration::from_millis(3_000));
        times.new_game();
        assert_eq!(times.raw.time_left, Some(6_000));
        // Unlimited time is valid for its own game only.
        let mut times = with(60_000, NO_LIMIT_MS);
        times.spend_since_set(Duration::from_millis(3_000));
        times.new_game();
        assert_eq!(times.raw.time_left, None);
    }

    #[test]
    fn match_time_runs_down_without_time_left() {
        let mut times = Times::default();
        times.set_timeout_turn(1_000);
        times.set_timeout_match(2_000);
        let first = budget(&times, 0);
        times.spend(Duration::from_millis(1_500));
        let second = budget(&times, 2);
        assert!(second.soft < first.soft / 2);
        times.set_time_left(2_000);
        assert!(budget(&times, 2).soft > second.soft);
        times.spend(Duration::from_millis(1_500));
        times.new_game();
        assert_eq!(budget(&times, 0), first);
    }

    #[test]
    fn unlimited_time_does_not_carry_over_to_the_next_game() {
        let mut times = Times::default();
        times.set_timeout_turn(60_000);
        times.set_time_left(NO_LIMIT_MS);
        let unlimited = budget(&times, 0);
        times.spend(Duration::from_millis(1_500));
        assert_eq!(budget(&times, 2), unlimited);
        times.new_game();
        times.set_timeout_match(60_000);
        let mut fresh = Times::default();
        fresh.set_timeout_turn(60_000);
        fresh.set_timeout_match(60_000);
        assert_eq!(times.clock(false), fresh.clock(false));
        assert!(budget(&times, 0).hard < unlimited.hard / 2);
    }

    #[test]
    fn time_left_sent_before_start_survives_it() {
        let mut times = with(100_000, -5);
        let instant = budget(&times, 0);
        times.new_game();
        assert_eq!(budget(&times, 0), instant);
        assert!(instant.hard < Duration::from_millis(20));
    }
}
