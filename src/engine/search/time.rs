//! Time management: turns the times of the protocol ([`RawTimes`]) into a time
//! control ([`Clock`]), that into the soft and hard limit of a search ([`Budget`]),
//! and decides after each iteration whether to begin another
//! ([`Budget::keep_going`]).
//!
//! Pure arithmetic: it never reads a clock. All times are passed in, counted from
//! the arrival of the command.

use std::time::Duration;

use goren_core::types::{Move, PROVEN, Score};

/// The number of milliseconds that means "no limit" to Piskvork, c-gomoku-cli and
/// qpiskvork (`i32::MAX`).
pub const NO_LIMIT_MS: i64 = 2_147_483_647;
/// `timeout_turn` of Yixin-Board at its level "unlimited". It sends this together
/// with [`YIXIN_NO_MATCH_MS`], and then counts `time_left` down from the latter.
const YIXIN_NO_TURN_MS: i64 = 2_000_000;
/// `timeout_match` of Yixin-Board at its level "unlimited".
const YIXIN_NO_MATCH_MS: i64 = 100_000_000;
/// Time per move that the protocol prescribes if no time is sent.
const DEFAULT_TURN: Duration = Duration::from_secs(30);

/// Budget of a move that must come as fast as possible.
const INSTANT: Budget =
    Budget { soft: Duration::from_millis(5), hard: Duration::from_millis(12), saves: false };
/// Safety margin before a limit; less before a limit that is short itself.
const MARGIN: Duration = Duration::from_millis(30);
/// Overhead of a move beyond its search (pipes, polling of the manager, process
/// switches). It is set aside from the match time for each of the next
/// [`MANY_MOVES`] moves.
const MOVE_OVERHEAD: Duration = Duration::from_millis(9);
/// The same for each further move, up to a full board (a drawn game).
const DRAWN_MOVE_OVERHEAD: Duration = Duration::from_millis(6);
/// The hard limit is at most the usable match time left divided by this, or by the moves
/// that fill the board if those are fewer, plus the increment.
const HARD_LIMIT_DIVISOR: usize = 7;
/// Moves to go by which the soft limit divides the usable match time left.
const MOVES_TO_GO: f64 = 22.0;
/// Games with more stones than this tend to be long: divide by more moves to go.
const LONG_GAME: usize = 40;
/// A number of moves that a game may well reach. If the match time left covers them at the
/// full time per move, there is no reason to save time.
const MANY_MOVES: usize = 45;
/// A move gets more time with fewer stones on the board than this, as opening moves
/// matter most.
const OPENING_STONES: usize = 6;

/// The time control of one move: time per move, match time left, increment, and
/// how late recent answers were.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    turn: Limit,
    left: Limit,
    increment: Duration,
    overshoot: Duration,
}

/// A limit of a clock.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Limit {
    /// No limit.
    None,
    /// The client did not send one.
    Unknown,
    /// Move at once.
    Now,
    /// At most this time.
    Of(Duration),
}

/// The times of `INFO` as they were sent, in milliseconds; `None` if a key was not
/// sent.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct RawTimes {
    /// `timeout_turn`. 0: as fast as possible; negative: as if not sent; from
    /// [`NO_LIMIT_MS`] on: no limit.
    pub timeout_turn: Option<i64>,
    /// `timeout_match`. Negative: no limit. Otherwise it counts only if `time_left` is
    /// not sent: 0, or from [`NO_LIMIT_MS`] on, is no limit.
    pub timeout_match: Option<i64>,
    /// `time_left`. 0 or negative: move at once; from [`NO_LIMIT_MS`] on, and any
    /// value if `timeout_match` is negative: no limit.
    pub time_left: Option<i64>,
    /// `time_increment`, added to the match time after each move.
    pub time_increment: Option<i64>,
}

impl Clock {
    /// No time limit.
    pub const UNLIMITED: Clock = Clock {
        turn: Limit::None,
        left: Limit::None,
        increment: Duration::ZERO,
        overshoot: Duration::ZERO,
    };

    /// Converts the raw values to a time control. If they set no limit at all, it is the protocol's
    /// default of 30 s per move, unless the search is `bounded_otherwise` (by depth or nodes).
    pub fn from_info(times: &RawTimes, bounded_otherwise: bool) -> Clock {
        let is_long = times.timeout_turn == Some(YIXIN_NO_TURN_MS);
        // Even a long time limit would make a search of fixed nodes or depth depend on
        // the clock. `goren match` sends this value where only those are limited.
        let is_bounded = bounded_otherwise
            && matches!(times.timeout_match, None | Some(0))
            && times.time_left.is_none_or(|left| left >= NO_LIMIT_MS);
        if is_long && (is_bounded || times.timeout_match == Some(YIXIN_NO_MATCH_MS)) {
            return Clock::UNLIMITED;
        }
        let turn = match times.timeout_turn {
            None | Some(..=-1) => Limit::Unknown,
            Some(0) => Limit::Now,
            Some(NO_LIMIT_MS..) => Limit::None,
            Some(ms) => Limit::Of(millis(ms)),
        };
        let left = match (times.time_left, times.timeout_match) {
            (Some(NO_LIMIT_MS..), _) => Limit::None,
            // gomocalc sends -1 for "no limit"; the `time_left` it sends then, always
            // 1, means nothing.
            (_, Some(..=-1)) => Limit::None,
            (Some(..=0), _) => Limit::Now,
            (Some(ms), _) => Limit::Of(millis(ms)),
            (None, None) => Limit::Unknown,
            (None, Some(..=0 | NO_LIMIT_MS..)) => Limit::None,
            (None, Some(ms)) => Limit::Of(millis(ms)),
        };
        let turn = match (turn, left) {
            // If only the match, depth or nodes are limited, c-gomoku-cli does not send
            // `timeout_turn`.
            (Limit::Unknown, Limit::None | Limit::Unknown) if !bounded_otherwise => {
                Limit::Of(DEFAULT_TURN)
            }
            _ => turn,
        };
        let increment = millis(times.time_increment.unwrap_or(0));
        Clock { turn, left, increment, overshoot: Duration::ZERO }
    }

    /// A time control of `turn` per move, without a match time.
    pub fn per_move(turn: Duration) -> Clock {
        Clock { turn: Limit::Of(turn), ..Clock::UNLIMITED }
    }

    /// The same time control for an engine whose recent answers exceeded their hard
    /// limit by up to `worst` ([`Overshoot::worst`]): the safety margin grows.
    #[must_use]
    pub fn with_overshoot(self, worst: Duration) -> Clock {
        Clock { overshoot: worst, ..self }
    }

    /// The budget of a search in a position with `stones` stones on a board of `area`
    /// cells.
    pub fn budget(&self, stones: usize, area: usize) -> Budget {
        if self.turn == Limit::Now || self.left == Limit::Now {
            return INSTANT;
        }
        let turn = match self.turn {
            Limit::Of(turn) => Some(turn - self.margin(turn)),
            _ => None,
        };
        let left = match self.left {
            Limit::Of(left) => left,
            _ => return turn.map_or(Budget::UNLIMITED, Budget::within),
        };
        // An upper bound: a drawn game fills the board.
        let moves_to_full_board = area.saturating_sub(stones).div_ceil(2).max(1);
        let likely = moves_to_full_board.min(MANY_MOVES);
        let reserve = MOVE_OVERHEAD * likely as u32
            + DRAWN_MOVE_OVERHEAD * (moves_to_full_board - likely) as u32;
        let usable = left.saturating_sub(reserve);
        if let Some(turn) = turn
            && turn * likely as u32 <= usable
        {
            return Budget::within(turn);
        }
        // The least time, if the match time does not even cover the overheads.
        let least = left / (8 * moves_to_full_board as u32);
        let part = (usable / moves_to_full_board.min(HARD_LIMIT_DIVISOR) as u32).max(least)
            + self.increment;
        let hard = part.min(turn.unwrap_or(Duration::MAX)).min(left - self.margin(left));
        let planned =
            usable.div_f64(moves_to_go(stones).min(moves_to_full_board as f64)).max(least);
        let importance = if stones < OPENING_STONES { 1.25 } else { 1.0 };
        let soft = (planned + self.increment.mul_f64(0.75)).mul_f64(importance);
        Budget { soft: soft.min(hard.mul_f64(0.9)), hard, saves: true }
    }

    /// Safety margin before a limit, at most half of it.
    fn margin(&self, limit: Duration) -> Duration {
        MARGIN.min(limit / 4).max((self.overshoot * 3).min(limit / 2))
    }
}

/// Converts a number of milliseconds; zero if negative.
fn millis(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0) as u64)
}

/// Moves to go that the soft limit assumes with `stones` stones on the board.
fn moves_to_go(stones: usize) -> f64 {
    MOVES_TO_GO + stones.saturating_sub(LONG_GAME).min(60) as f64 / 4.0
}

/// By how much recent answers exceeded the hard limit of their budget.
///
/// A manager may freeze the process (GomocupJudge and Piskvork do between moves),
/// so a single answer can look late through no fault of the engine. Therefore
/// observations are capped and decay.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Overshoot {
    worst: Duration,
}

impl Overshoot {
    /// Cap of a single observation.
    const CAP: Duration = Duration::from_millis(300);

    /// Notes an answer sent `elapsed` after the arrival of its command.
    pub fn note(&mut self, budget: &Budget, elapsed: Duration) {
        let late = elapsed.saturating_sub(budget.hard).min(Overshoot::CAP);
        self.worst = late.max(self.worst.mul_f64(0.7));
    }

    /// The largest recent excess, older ones decayed.
    pub fn worst(&self) -> Duration {
        self.worst
    }
}

/// Time budget of a search, counted from the arrival of the command.
///
/// In serde formats the durations are whole milliseconds, or null for no limit:
/// `{"soft": 4500, "hard": null, "saves": true}`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Budget {
    /// Soft limit: no iteration begins after it, or, if time can be saved, after its product
    /// with a factor for the stability of best move and score, which may be
    /// above 1. [`Duration::MAX`] is no limit.
    #[cfg_attr(feature = "serde", serde(with = "super::millis"))]
    pub soft: Duration,
    /// Hard limit: the search stops by it, even within an iteration.
    /// [`Duration::MAX`] is no limit.
    #[cfg_attr(feature = "serde", serde(with = "super::millis"))]
    pub hard: Duration,
    /// Whether to save time for later moves. False if unused time is lost (time per
    /// move only) or not needed (ample match time).
    pub saves: bool,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Budget = Budget { soft: Duration::MAX, hard: Duration::MAX, saves: false };

    /// The budget of a move under a time control of `turn` per move.
    pub fn per_move(turn: Duration) -> Budget {
        Budget::within(turn - Clock::UNLIMITED.margin(turn))
    }

    /// The budget of a move that need not save time: unused time is lost, or the match
    /// time is ample.
    fn within(hard: Duration) -> Budget {
        Budget { soft: hard.mul_f64(0.9), hard, saves: false }
    }

    /// Whether to begin another iteration at `elapsed`, after those noted in `stability`. If time
    /// can be saved, an iteration that would probably not end before the hard limit is not begun.
    pub fn keep_going(&self, elapsed: Duration, stability: &Stability) -> bool {
        if elapsed >= self.hard || stability.confirmed() {
            return false;
        }
        if !self.saves {
            return elapsed < self.soft;
        }
        // In seconds, as a limit of `Duration::MAX` cannot be scaled.
        let target = self.soft.as_secs_f64() * stability.factor();
        elapsed.as_secs_f64() < target && elapsed.saturating_add(stability.forecast()) < self.hard
    }
}

/// Stability of best move and score over the iterations of one search.
#[derive(Clone, PartialEq, Debug)]
pub struct Stability {
    /// Score of the previous search, for the same side.
    previous: Option<Score>,
    iterations: u32,
    best: Move,
    score: Score,
    /// Points by which the score fell in the last iteration.
    drop: Score,
    /// Changes of the best move; each iteration halves earlier ones.
    changes: f64,
    /// For how many iterations the best move has not changed.
    unchanged: u32,
    /// Number of last iterations with the same proven score; 0 if the last is not proven.
    proven: u32,
    /// End of the last iteration.
    ended: Duration,
    /// Duration of the last iteration.
    lasted: Duration,
    /// Estimated ratio of the durations of an iteration and the one before.
    growth: f64,
}

impl Stability {
    /// Creates the state before the first iteration. `previous` is the score of the previous search
    /// for the same side, if there was one.
    pub fn new(previous: Option<Score>) -> Stability {
        Stability {
            previous: previous.filter(|score| score.abs() < PROVEN),
            iterations: 0,
            best: Move::NONE,
            score: 0,
            drop: 0,
            changes: 0.0,
            unchanged: 0,
            proven: 0,
            ended: Duration::ZERO,
            lasted: Duration::ZERO,
            growth: 2.0,
        }
    }

    /// Notes a finished iteration: its best move and score, and when it ended.
    pub fn note(&mut self, best: Move, score: Score, elapsed: Duration) {
        let first = self.iterations == 0;
        self.iterations += 1;
        self.changes *= 0.5;
        if best == self.best {
            self.unchanged += 1;
        } else {
            self.unchanged = 0;
            self.changes += if first { 0.0 } else { 1.0 };
        }
        self.drop = if first { 0 } else { self.score - score };
        self.proven = if score.abs() < PROVEN {
            0
        } else if score == self.score {
            self.proven + 1
        } else {
            1
        };
        let lasted = elapsed.saturating_sub(self.ended);
        // The durations of shorter iterations are mostly noise.
        if self.lasted >= Duration::from_millis(1) {
            let growth = (lasted.as_secs_f64() / self.lasted.as_secs_f64()).clamp(1.1, 6.0);
            self.growth = (self.growth + growth) / 2.0;
        }
        (self.best, self.score) = (best, score);
        (self.ended, self.lasted) = (elapsed, lasted);
    }

    /// Whether the result is proven and enough iterations confirm it.
    fn confirmed(&self) -> bool {
        // More for a loss, as a deeper iteration may find a longer defence.
        let needed = if self.score > 0 { 2 } else { 4 };
        self.proven >= needed
    }

    /// Factor of the soft limit: more time if the best move changes or the score falls,
    /// less the longer the best move stays the same.
    fn factor(&self) -> f64 {
        let instability = (1.0 + 0.5 * self.changes).min(2.0);
        let fallen = self.previous.map_or(0, |previous| previous - self.score).max(self.drop);
        let falling = (0.9 + f64::from(fallen) / 400.0).clamp(0.6, 1.6);
        let stability = (1.05 - 0.03 * f64::from(self.unchanged)).max(0.6);
        instability * falling * stability
    }

    /// Predicted duration of the next iteration.
    fn forecast(&self) -> Duration {
        self.lasted.mul_f64(self.growth)
    }
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;
