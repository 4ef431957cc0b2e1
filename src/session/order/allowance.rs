//! Allowance: the time for the search of one command, worked out once, when the position of
//! the command is known, and passed on until the search begins.

use std::time::{Duration, Instant};

use goren_engine::{Budget, Clock};

/// The time that the search of a command may use, and since when. It is moved, never
/// copied, so that transposition table, database and search all use the same one.
#[derive(Debug)]
pub struct Allowance {
    /// When the command arrived.
    started: Instant,
    budget: Budget,
    /// Stones on the board, and cells of the board.
    stones_and_area: (usize, usize),
}

impl Allowance {
    /// Works out the time for a command that arrived at `started` and searches a position
    /// with `stones_and_area`: stones on the board, and cells of the board.
    pub fn new(clock: &Clock, started: Instant, stones_and_area: (usize, usize)) -> Allowance {
        Allowance {
            started,
            budget: clock.budget(stones_and_area.0, stones_and_area.1),
            stones_and_area,
        }
    }

    /// Reduces the soft limit to `time`, and the hard limit too if there is one: decisions
    /// about colours may exceed the soft limit.
    pub fn at_most(self, time: Duration) -> Allowance {
        let Budget { soft, hard, .. } = self.budget;
        let hard = if hard == Duration::MAX { hard } else { hard.min(time) };
        Allowance { budget: Budget { soft: soft.min(time), hard, ..self.budget }, ..self }
    }

    /// When the command arrived.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// The time that the search may use, counted from [`Allowance::started`].
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// When a running search must end under a changed clock; `None` without a limit.
    pub fn end_by(&self, changed: &Clock) -> Option<Instant> {
        let budget = changed.budget(self.stones_and_area.0, self.stones_and_area.1);
        self.started.checked_add(budget.hard)
    }
}
