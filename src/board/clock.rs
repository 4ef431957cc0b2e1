//! The clock of a game: the time that both seats have left at each position that the game has
//! reached. Callers pass the current time; the clock does not read it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::schema::{ClockView, TimeControl};
use goren_core::opening::Seat;
use goren_engine::{Budget, Clock, RawTimes};

/// Longest time for a ply, in milliseconds: an hour.
pub(crate) const LONGEST_MS: u64 = 3_600_000;
/// Longest time for a game, in milliseconds: a day.
const LONGEST_GAME_MS: u64 = 24 * 3_600_000;
/// Maximum milliseconds left in a stored game: increments add up.
const MAX_LEFT_MS: u64 = 1000 * LONGEST_GAME_MS;
/// Allowance for the delay between the end of the engine's search and the clock's notice of its
/// ply.
const OVERSHOOT: Duration = Duration::from_millis(20);

/// The clock at a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct State {
    /// Time that each seat has left for the game; zero without such a limit.
    left: [Duration; 2],
    /// Time that the seat to act has spent on its ply.
    spent: Duration,
    /// The seat that is out of time.
    out: Option<Seat>,
}

/// The running clock: at which position, for which seat.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Run {
    node: usize,
    seat: Seat,
    since: Instant,
}

/// A clock. Callers give a position by the nodes that lead to it, without the root, whose number
/// is 0. In a game without variations the number of plies can number the nodes.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    /// The clock by node; the root always has an entry.
    states: BTreeMap<usize, State>,
    running: Option<Run>,
}

/// Returns the last node of a path.
fn node_of(path: &[usize]) -> usize {
    path.last().copied().unwrap_or(0)
}

impl GameClock {
    /// Creates a stopped clock at the beginning of a game.
    ///
    /// # Errors
    /// The time control has no limit, or a limit that is out of bounds.
    pub fn new(control: TimeControl) -> Result<GameClock> {
        let TimeControl { game_ms, increment_ms, move_ms } = control;
        ensure!(
            game_ms.is_some() || move_ms.is_some(),
            "a clock needs a time for the game or for a move"
        );
        ensure!(game_ms.is_some() || increment_ms == 0, "an increment needs a time for the game");
        ensure!(
            game_ms.is_none_or(|ms| (1..=LONGEST_GAME_MS).contains(&ms)),
            "the time for the game must be 1 ms to 24 hours"
        );
        ensure!(
            move_ms.is_none_or(|ms| (1..=LONGEST_MS).contains(&ms)),
            "the time for a move must be 1 ms to 1 hour"
        );
        ensure!(increment_ms <= LONGEST_MS, "the increment must be at most 1 hour");
        let mut clock = GameClock { control, states: BTreeMap::new(), running: None };
        clock.reset();
        Ok(clock)
    }

    /// Stops it, and gives both seats the full time at every position.
    pub fn reset(&mut self) {
        let left = [Duration::from_millis(self.control.game_ms.unwrap_or(0)); 2];
        let state = State { left, spent: Duration::ZERO, out: None };
        (self.states, self.running) = (BTreeMap::from([(0, state)]), None);
    }

    /// Returns the state after a seat has used some time.
    fn charged(&self, mut state: State, seat: Seat, time: Duration) -> State {
        let left = &mut state.left[seat.index()];
        *left = left.saturating_sub(time);
        state.spent += time;
        let game_is_out = self.control.game_ms.is_some() && left.is_zero();
        let most = self.control.move_ms.map(Duration::from_millis);
        if game_is_out || most.is_some_and(|most| state.spent >= most) {
            state.out = Some(seat);
        }
        state
    }

    /// Returns the state at a position; if the game did not reach it, that of the last position
    /// before it that the game reached.
    fn state(&self, path: &[usize], now: Instant) -> State {
        let node = node_of(path);
        if let Some(&state) = self.states.get(&node) {
            return match self.running.filter(|run| run.node == node) {
                Some(run) => self.charged(state, run.seat, now.duration_since(run.since)),
                None => state,
            };
        }
        let before = path.iter().rev().find_map(|node| self.states.get(node));
        State { spent: Duration::ZERO, out: None, ..*before.unwrap_or(&self.states[&0]) }
    }

    /// Whether it is running.
    pub fn runs(&self) -> bool {
        self.running.is_some()
    }

    /// Whether it is running at this node.
    pub fn runs_at(&self, node: usize) -> bool {
        self.running.is_some_and(|run| run.node == node)
    }

    /// Returns the seat that is out of time at a position.
    pub fn out(&self, path: &[usize]) -> Option<Seat> {
        self.states.get(&node_of(path)).and_then(|state| state.out)
    }

    /// Starts the time of the seat to act at a position, unless a seat is out of time there.
    pub fn start(&mut self, path: &[usize], seat: Seat, now: Instant) {
        self.stop(now);
        let (node, state) = (node_of(path), self.state(path, now));
        self.states.insert(node, state);
        self.running = state.out.is_none().then_some(Run { node, seat, since: now });
    }

    /// Starts it after a ply was taken back: with the full time for a ply.
    pub fn start_anew(&mut self, path: &[usize], seat: Seat, now: Instant) {
        self.stop(now);
        let state = State { spent: Duration::ZERO, ..self.state(path, now) };
        self.states.insert(node_of(path), state);
        self.start(path, seat, now);
    }

    /// Stops it; returns whether the time of the running seat was out.
    pub fn stop(&mut self, now: Instant) -> bool {
        let Some(Run { node, seat, since }) = self.running.take() else { return false };
        let Some(&state) = self.states.get(&node) else { return false };
        let state = self.charged(state, seat, now.duration_since(since));
        self.states.insert(node, state);
        state.out.is_some()
    }

    /// Stops it if the running seat is out of time; returns whether it is.
    pub fn expires(&mut self, now: Instant) -> bool {
        let is_out = self.running.is_some_and(|run| {
            let time = now.duration_since(run.since);
            let state = self.states.get(&run.node);
            state.is_some_and(|&state| self.charged(state, run.seat, time).out.is_some())
        });
        is_out && self.stop(now)
    }

    /// Stops it after a seat has played the ply from a position to a node.
    pub fn played(&mut self, path: &[usize], node: usize, seat: Seat, now: Instant) {
        self.stop(now);
        let mut state = State { spent: Duration::ZERO, out: None, ..self.state(path, now) };
        state.left[seat.index()] += Duration::from_millis(self.control.increment_ms);
        self.states.insert(node, state);
    }

    /// Returns the engine's time budget for a ply of a seat, in a position with `stones` stones
    /// on a board of `area` cells.
    pub fn budget(
        &self,
        (path, seat): (&[usize], Seat),
        now: Instant,
        (stones, area): (usize, usize),
    ) -> Budget {
        let view = self.view(path, Some(seat), now);
        let ms = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
        let times = RawTimes {
            timeout_turn: view.move_ms[seat.index()].map(ms),
            timeout_match: self.control.game_ms.map(ms),
            time_left: view.game_ms[seat.index()].map(ms),
            time_increment: Some(ms(self.control.increment_ms)),
        };
        Clock::from_info(&times, false).with_overshoot(OVERSHOOT).budget(stones, area)
    }

    /// Returns the time that a seat has left for the game at a position; `None` without such a
    /// limit.
    pub fn left(&self, path: &[usize], seat: Seat, now: Instant) -> Option<Duration> {
        self.control.game_ms.map(|_| self.state(path, now).left[seat.index()])
    }

    /// Describes it for the page at a position where the seat `to_act` acts.
    pub fn view(&self, path: &[usize], to_act: Option<Seat>, now: Instant) -> ClockView {
        let state = self.state(path, now);
        let game = |seat: Seat| self.left(path, seat, now).map(millis);
        let ply = |seat: Seat| {
            let spent = if to_act == Some(seat) { millis(state.spent) } else { 0 };
            self.control.move_ms.map(|most| most.saturating_sub(spent))
        };
        let running = self.running.filter(|run| run.node == node_of(path));
        ClockView {
            control: Some(self.control),
            game_ms: Seat::ALL.map(game),
            move_ms: Seat::ALL.map(ply),
            running: running.map(|run| run.seat.index()),
            out: state.out.map(Seat::index),
        }
    }

    /// Stores the part of it whose nodes are in `places`, by their indices in the stored tree.
    pub(crate) fn keep(&self, places: &BTreeMap<usize, usize>, now: Instant) -> KeptClock {
        let kept = |(node, &place): (&usize, &usize)| {
            let mut state = *self.states.get(node)?;
            if let Some(run) = self.running.filter(|run| run.node == *node) {
                state = self.charged(state, run.seat, now.duration_since(run.since));
            }
            Some(KeptState {
                place,
                left_ms: state.left.map(millis),
                spent_ms: millis(state.spent),
                out: state.out.map(Seat::index),
            })
        };
        KeptClock { control: self.control, stands: places.iter().filter_map(kept).collect() }
    }

    /// Restores the clock of a tree, stopped; `ids` maps indices to nodes.
    ///
    /// # Errors
    /// It does not belong to the tree.
    pub(crate) fn restore(kept: KeptClock, ids: &[usize]) -> Result<GameClock> {
        let broken = || "the clock does not belong to the tree";
        let mut clock = GameClock::new(kept.control)?;
        for KeptState { place, left_ms, spent_ms, out } in kept.stands {
            let node = *ids.get(place).with_context(broken)?;
            let fits = left_ms.iter().chain([&spent_ms]).all(|&ms| ms <= MAX_LEFT_MS);
            ensure!(fits && out.is_none_or(|seat| seat < 2), broken());
            let left = left_ms.map(Duration::from_millis);
            let spent = Duration::from_millis(spent_ms);
            let state = State { left, spent, out: out.map(|seat| Seat::ALL[seat]) };
            clock.states.insert(node, state);
        }
        Ok(clock)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A clock as stored with its tree.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptClock {
    control: TimeControl,
    stands: Vec<KeptState>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptState {
    /// The index of its node in the stored tree.
    place: usize,
    left_ms: [u64; 2],
    #[serde(default, skip_serializing_if = "is_zero")]
    spent_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    out: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(game_ms: Option<u64>, increment_ms: u64, move_ms: Option<u64>) -> GameClock {
        GameClock::new(TimeControl { game_ms, increment_ms, move_ms }).unwrap()
    }

    #[test]
    fn each_seat_spends_its_own_time_and_gains_the_increment() {
        let (mut clock, now) = (clock(Some(10_000), 500, None), Instant::now());
        clock.start(&[], Seat::First, now);
        clock.played(&[], 1, Seat::First, now + ms(2000));
        clock.start(&[1], Seat::Second, now + ms(2000));
        let view = clock.view(&[1], Some(Seat::Second), now + ms(5000));
        assert_eq!(view.game_ms, [Some(8500), Some(7000)]);
        assert_eq!((view.running, view.move_ms), (Some(1), [None; 2]));
        // A stopped clock charges nobody.
        clock.stop(now + ms(5000));
        clock.start(&[1], Seat::Second, now + ms(60_000));
        let view = clock.view(&[1], Some(Seat::Second), now + ms(61_000));
        assert_eq!(view.game_ms, [Some(8500), Some(6000)]);
        // A line that the game did not reach has the time of the position where it branches off.
        let view = clock.view(&[1, 7, 8], Some(Seat::First), now + ms(61_000));
        assert_eq!((view.game_ms, view.running), ([Some(8500), Some(7000)], None));
    }

    #[test]
    fn an_expired_time_stays_expired_and_an_earlier_position_continues() {
        for mut clock in [clock(Some(1000), 0, None), clock(None, 0, Some(1000))] {
            let now = Instant::now();
            clock.start(&[], Seat::First, now);
            assert!(!clock.expires(now + ms(900)));
            clock.played(&[], 1, Seat::First, now + ms(900));
            clock.start(&[1], Seat::Second, now + ms(900));
            assert!(!clock.expires(now + ms(1899)) && clock.expires(now + ms(1900)));
            assert_eq!((clock.out(&[1]), clock.runs()), (Some(Seat::Second), false));
            clock.start(&[1], Seat::Second, now + ms(2000));
            assert!(!clock.runs(), "a time that is out does not run");
            assert_eq!(clock.out(&[]), None);
            clock.start_anew(&[], Seat::First, now + ms(3000));
            assert!(clock.runs_at(0) && !clock.expires(now + ms(3050)));
            clock.played(&[], 1, Seat::First, now + ms(3050));
            assert_eq!(clock.out(&[1]), None);
        }
    }

    #[test]
    fn the_engine_budget_stays_below_its_time() {
        let now = Instant::now();
        for (clock, most) in [
            (clock(Some(60_000), 0, None), 60_000 / 7 + 1),
            (clock(None, 0, Some(1000)), 940),
            (clock(Some(60_000), 0, Some(500)), 440),
            (clock(Some(200), 0, None), 100),
        ] {
            let budget = clock.budget((&[], Seat::First), now, (10, 225));
            assert!(budget.hard <= ms(most) && budget.soft <= budget.hard, "{budget:?}");
            assert!(budget.soft > Duration::ZERO);
        }
    }

    #[test]
    fn a_stored_clock_restores_the_time_left() {
        let (mut clock, now) = (clock(Some(10_000), 0, Some(3000)), Instant::now());
        clock.start(&[], Seat::First, now);
        clock.played(&[], 4, Seat::First, now + ms(1000));
        clock.start(&[4], Seat::Second, now + ms(1000));
        let later = now + ms(3000);
        let text = serde_json::to_string(&clock.keep(&[(0, 0), (4, 1)].into(), later)).unwrap();
        let again = GameClock::restore(serde_json::from_str(&text).unwrap(), &[0, 9]).unwrap();
        let view = again.view(&[9], Some(Seat::Second), later + ms(50_000));
        assert_eq!(view.game_ms, [Some(9000), Some(8000)]);
        assert_eq!((view.move_ms, view.running), ([Some(3000), Some(1000)], None));
        for (old, new) in [("\"place\":1", "\"place\":2"), ("8000", "99999999999999")] {
            assert!(text.contains(old), "{text}");
            let kept = serde_json::from_str(&text.replace(old, new)).unwrap();
            assert!(GameClock::restore(kept, &[0, 9]).is_err(), "{old}");
        }
    }

    #[test]
    fn a_clock_without_a_limit_is_refused() {
        for (game_ms, increment_ms, move_ms) in [
            (None, 0, None),
            (None, 5, Some(1000)),
            (Some(0), 0, None),
            (Some(u64::MAX), 0, None),
            (Some(1000), u64::MAX, None),
            (None, 0, Some(u64::MAX)),
        ] {
            let control = TimeControl { game_ms, increment_ms, move_ms };
            assert!(GameClock::new(control).is_err(), "{control:?}");
        }
    }
}
