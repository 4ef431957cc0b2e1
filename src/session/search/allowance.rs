//! Allowance: the time for the search of one command, worked out once when the
//! command has named its position, and passed on until the search begins.

use std::time::{Duration, Instant};

use goren_engine::{Budget, Clock};

/// What the search of a command may spend, and since when. A search takes it
/// over and nothing copies it, so that table, database and search all go by the
/// same one.
#[derive(Debug)]
pub struct Allowance {
    /// When the command arrived.
    started: Instant,
    budget: Budget,
    /// Stones placed so far, and cells of the board.
    measures: (usize, usize),
}

impl Allowance {
    /// For a command that arrived at `started` and searches a position of so many
    /// stones on so many cells.
    pub fn new(clock: &Clock, started: Instant, measures: (usize, usize)) -> Allowance {
        Allowance { started, budget: clock.budget(measures.0, measures.1), measures }
    }

    /// The same with so much time at most.
    pub fn at_most(self, time: Duration) -> Allowance {
        let soft = self.budget.soft.min(time);
        Allowance { budget: Budget { soft, ..self.budget }, ..self }
    }

    /// When the command arrived.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// What the search may spend since then.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// When a search that has begun must end, counted from its start, where the
    /// times were changed meanwhile.
    pub fn end_by(&self, changed: &Clock) -> Duration {
        changed.budget(self.measures.0, self.measures.1).hard
    }
}
