//! The clock of a game: what both seats have left at each position that play came to. It is
//! told the time, and does not read it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::schema::{ClockView, TimeControl};
use goren_core::opening::Seat;
use goren_engine::{Budget, Clock, RawTimes};

/// Longest time for a ply, in milliseconds: an hour.
pub(super) const LONGEST_MS: u64 = 3_600_000;
/// Longest time for a game, in milliseconds: a day.
const LONGEST_GAME_MS: u64 = 24 * 3_600_000;
/// Most milliseconds that a seat may have left in a game that is kept: increments add up.
const MOST_LEFT_MS: u64 = 1000 * LONGEST_GAME_MS;
/// By how much a ply of the engine may reach the clock after the end of its search.
const LATE: Duration = Duration::from_millis(20);

/// The clock at a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Stand {
    /// What the seats have left for the game; zero without that limit.
    left: [Duration; 2],
    /// What the seat to act has spent on its ply.
    spent: Duration,
    /// The seat whose time is out.
    out: Option<Seat>,
}

/// The position at which the clock runs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Run {
    node: usize,
    seat: Seat,
    since: Instant,
}

/// A clock. Positions are given by the nodes that lead to them, without the beginning, as
/// [`Tree::path`](super::tree::Tree::path) has them.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    control: TimeControl,
    /// By nodes; the beginning always has one.
    stands: BTreeMap<usize, Stand>,
    running: Option<Run>,
}

/// The node of a position.
fn node_of(path: &[usize]) -> usize {
    path.last().copied().unwrap_or(0)
}

impl GameClock {
    /// A clock at the beginning of a game, stopped.
    ///
    /// # Errors
    /// The time control has no limit, or one that is out of bounds.
    pub(super) fn new(control: TimeControl) -> Result<GameClock> {
        let TimeControl { game_ms, increment_ms, move_ms } = control;
        ensure!(
            game_ms.is_some() || move_ms.is_some(),
            "a clock needs a time for the game or for a move"
        );
        ensure!(
            game_ms.is_some() || increment_ms == 0,
            "time can only be added to a time for the game"
        );
        ensure!(
            game_ms.is_none_or(|ms| (1..=LONGEST_GAME_MS).contains(&ms)),
            "a game has from 1 to {LONGEST_GAME_MS} milliseconds"
        );
        ensure!(
            move_ms.is_none_or(|ms| (1..=LONGEST_MS).contains(&ms)),
            "a move has from 1 to {LONGEST_MS} milliseconds"
        );
        ensure!(
            increment_ms <= LONGEST_MS,
            "at most {LONGEST_MS} milliseconds are added with each move"
        );
        let left = [Duration::from_millis(game_ms.unwrap_or(0)); 2];
        let stand = Stand { left, spent: Duration::ZERO, out: None };
        Ok(GameClock { control, stands: BTreeMap::from([(0, stand)]), running: None })
    }

    /// A stand after a seat has thought for a time.
    fn charged(&self, mut stand: Stand, seat: Seat, time: Duration) -> Stand {
        let left = &mut stand.left[seat.index()];
        *left = left.saturating_sub(time);
        stand.spent += time;
        let game_is_out = self.control.game_ms.is_some() && left.is_zero();
        let most = self.control.move_ms.map(Duration::from_millis);
        if game_is_out || most.is_some_and(|most| stand.spent >= most) {
            stand.out = Some(seat);
        }
        stand
    }

    /// The clock at a position; where play did not come to it, that of the last position on
    /// the way to which it came.
    fn stand(&self, path: &[usize], now: Instant) -> Stand {
        let node = node_of(path);
        if let Some(&stand) = self.stands.get(&node) {
            return match self.running.filter(|run| run.node == node) {
                Some(run) => self.charged(stand, run.seat, now.duration_since(run.since)),
                None => stand,
            };
        }
        let before = path.iter().rev().find_map(|node| self.stands.get(node));
        Stand { spent: Duration::ZERO, out: None, ..*before.unwrap_or(&self.stands[&0]) }
    }

    /// Whether it runs.
    pub(super) fn runs(&self) -> bool {
        self.running.is_some()
    }

    /// Whether it runs at a node.
    pub(super) fn runs_at(&self, node: usize) -> bool {
        self.running.is_some_and(|run| run.node == node)
    }

    /// The seat whose time is out at a position.
    pub(super) fn out(&self, path: &[usize]) -> Option<Seat> {
        self.stands.get(&node_of(path)).and_then(|stand| stand.out)
    }

    /// Has the time of the seat to act run at a position, unless a time is out there.
    pub(super) fn start(&mut self, path: &[usize], seat: Seat, now: Instant) {
        self.stop(now);
        let (node, stand) = (node_of(path), self.stand(path, now));
        self.stands.insert(node, stand);
        self.running = stand.out.is_none().then_some(Run { node, seat, since: now });
    }

    /// The same after a ply was taken back: the whole time for a ply is there again.
    pub(super) fn start_anew(&mut self, path: &[usize], seat: Seat, now: Instant) {
        self.stop(now);
        let stand = Stand { spent: Duration::ZERO, ..self.stand(path, now) };
        self.stands.insert(node_of(path), stand);
        self.start(path, seat, now);
    }

    /// Stops it. Whether a time has run out before.
    pub(super) fn stop(&mut self, now: Instant) -> bool {
        let Some(Run { node, seat, since }) = self.running.take() else { return false };
        let Some(&stand) = self.stands.get(&node) else { return false };
        let stand = self.charged(stand, seat, now.duration_since(since));
        self.stands.insert(node, stand);
        stand.out.is_some()
    }

    /// Stops it if the time that runs is out; whether it is.
    pub(super) fn expires(&mut self, now: Instant) -> bool {
        let is_out = self.running.is_some_and(|run| {
            let time = now.duration_since(run.since);
            let stand = self.stands.get(&run.node);
            stand.is_some_and(|&stand| self.charged(stand, run.seat, time).out.is_some())
        });
        is_out && self.stop(now)
    }

    /// Stops it as a seat has played the ply from a position to a node.
    pub(super) fn played(&mut self, path: &[usize], node: usize, seat: Seat, now: Instant) {
        self.stop(now);
        let mut stand = Stand { spent: Duration::ZERO, out: None, ..self.stand(path, now) };
        stand.left[seat.index()] += Duration::from_millis(self.control.increment_ms);
        self.stands.insert(node, stand);
    }

    /// The time of the engine for a ply of a seat, in a position with so many stones on a
    /// board of so many cells.
    pub(super) fn budget(
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
        Clock::from_info(&times, false).with_overshoot(LATE).budget(stones, area)
    }

    /// What the page is shown of it at a position, where a seat is to act.
    pub(super) fn view(&self, path: &[usize], to_act: Option<Seat>, now: Instant) -> ClockView {
        let stand = self.stand(path, now);
        let game = |seat: Seat| self.control.game_ms.map(|_| millis(stand.left[seat.index()]));
        let ply = |seat: Seat| {
            let spent = if to_act == Some(seat) { millis(stand.spent) } else { 0 };
            self.control.move_ms.map(|most| most.saturating_sub(spent))
        };
        let running = self.running.filter(|run| run.node == node_of(path));
        ClockView {
            control: Some(self.control),
            game_ms: Seat::ALL.map(game),
            move_ms: Seat::ALL.map(ply),
            running: running.map(|run| run.seat.index()),
            out: stand.out.map(Seat::index),
        }
    }

    /// The part of it whose nodes still stand, by their places in the list of the tree.
    pub(super) fn keep(&self, places: &BTreeMap<usize, usize>, now: Instant) -> KeptClock {
        let kept = |(node, &place): (&usize, &usize)| {
            let mut stand = *self.stands.get(node)?;
            if let Some(run) = self.running.filter(|run| run.node == *node) {
                stand = self.charged(stand, run.seat, now.duration_since(run.since));
            }
            Some(KeptStand {
                place,
                left_ms: stand.left.map(millis),
                spent_ms: millis(stand.spent),
                out: stand.out.map(Seat::index),
            })
        };
        KeptClock { control: self.control, stands: places.iter().filter_map(kept).collect() }
    }

    /// The clock of a tree whose nodes have the numbers `ids` by their places. It is stopped.
    ///
    /// # Errors
    /// It does not belong to the tree.
    pub(super) fn restore(kept: KeptClock, ids: &[usize]) -> Result<GameClock> {
        let broken = || "the clock does not belong to the tree";
        let mut clock = GameClock::new(kept.control)?;
        for KeptStand { place, left_ms, spent_ms, out } in kept.stands {
            let node = *ids.get(place).with_context(broken)?;
            let fits = left_ms.iter().chain([&spent_ms]).all(|&ms| ms <= MOST_LEFT_MS);
            ensure!(fits && out.is_none_or(|seat| seat < 2), broken());
            let left = left_ms.map(Duration::from_millis);
            let spent = Duration::from_millis(spent_ms);
            let stand = Stand { left, spent, out: out.map(|seat| Seat::ALL[seat]) };
            clock.stands.insert(node, stand);
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

/// A clock as it is kept with its tree.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptClock {
    control: TimeControl,
    stands: Vec<KeptStand>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptStand {
    /// The place of its node in the list of the tree.
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
        // While it is stopped nobody spends time.
        clock.stop(now + ms(5000));
        clock.start(&[1], Seat::Second, now + ms(60_000));
        let view = clock.view(&[1], Some(Seat::Second), now + ms(61_000));
        assert_eq!(view.game_ms, [Some(8500), Some(6000)]);
        // A line that play did not come to has the time of the position that it leaves.
        let view = clock.view(&[1, 7, 8], Some(Seat::First), now + ms(61_000));
        assert_eq!((view.game_ms, view.running), ([Some(8500), Some(7000)], None));
    }

    #[test]
    fn a_time_that_is_out_stays_out_and_an_earlier_position_goes_on() {
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
    fn the_engine_ends_before_its_time_does() {
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
    fn what_is_kept_is_what_was_left() {
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
