//! Builds the iterations of a run from the results of its pairs of games, in order.

use std::time::{Duration, Instant};

use indicatif::HumanDuration;

use super::game::Results;
use super::record::{IterationLine, values};
use super::report::table;
use super::tuner::Tuner;
use crate::progress::Steps;

/// Sums the pairs of each iteration.
pub(super) struct Learner {
    /// Pairs of an iteration.
    pairs: u64,
    /// Iterations between two reports of the values.
    every: u64,
    /// Results of the current iteration, by condition.
    results: Vec<Results>,
    /// Results of all iterations.
    pub(super) total: Vec<Results>,
    started: Instant,
    /// Iterations that were learnt from before the start.
    restored: u64,
}

impl Learner {
    /// A learner for a run of `conditions` conditions, which take the pairs in turn.
    pub(super) fn new(pairs: u64, every: u64, conditions: usize) -> Learner {
        Learner {
            pairs,
            every,
            results: vec![Results::default(); conditions],
            total: vec![Results::default(); conditions],
            started: Instant::now(),
            restored: 0,
        }
    }

    /// Counts an iteration of the file that is resumed.
    pub(super) fn restore(&mut self, line: &IterationLine) {
        self.count(line);
        self.restored = line.iteration;
    }

    /// Marks `done` iterations as learnt from before the start.
    pub(super) fn set_restored(&mut self, done: u64) {
        self.restored = done;
    }

    fn count(&mut self, line: &IterationLine) {
        for (total, score) in self.total.iter_mut().zip(&line.results) {
            *total += *score;
        }
    }

    /// Counts the result of the next pair. After the last pair of an iteration, calls
    /// `learn` with the games that its first side won less those that it lost; returns
    /// the line of the iteration and the state of the run.
    pub(super) fn take(
        &mut self,
        pair: u64,
        score: Results,
        learn: impl FnOnce(i64) -> Tuner,
    ) -> Option<(IterationLine, Tuner)> {
        let condition = pair % self.results.len() as u64;
        self.results[condition as usize] += score;
        if !(pair + 1).is_multiple_of(self.pairs) {
            return None;
        }
        let mut line = IterationLine {
            iteration: pair / self.pairs + 1,
            results: self.results.clone(),
            values: None,
        };
        self.results.fill(Results::default());
        self.count(&line);
        let tuner = learn(line.won());
        let is_over = tuner.done() == tuner.gains().iterations;
        let is_due = is_over || tuner.done().is_multiple_of(self.every);
        line.values = is_due.then(|| values(tuner.axes()));
        Some((line, tuner))
    }

    /// Reports an iteration, with the values if they are due.
    pub(super) fn report(&self, steps: &Steps, line: &IterationLine, tuner: &Tuner) {
        if line.values.is_some() {
            if tuner.done() < tuner.gains().iterations {
                steps.print(&table(tuner.axes()));
            }
            steps.print(&self.progress(tuner));
        }
        steps.step();
    }

    /// Progress and speed of the run in words.
    fn progress(&self, tuner: &Tuner) -> String {
        let (done, iterations) = (tuner.done(), tuner.gains().iterations);
        let elapsed: Duration = self.started.elapsed();
        let played = (done - self.restored).max(1) as f64;
        let left = elapsed.mul_f64((iterations - done) as f64 / played);
        let hours = (elapsed.as_secs_f64() / 3600.0).max(1e-9);
        let games = played * 2.0 * self.pairs as f64 / hours;
        format!("{done}/{iterations} iterations, {games:.0} games/h, {} left", HumanDuration(left))
    }
}
