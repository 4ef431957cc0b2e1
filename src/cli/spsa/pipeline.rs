//! Distributes the iterations of a run to the threads that play them.
//!
//! An iteration begins with the values learnt up to a fixed number of iterations
//! before it, however many threads play: no thread waits for the end of a
//! game, and the run is the same on any number of threads.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::Result;

use super::tuner::{Trial, Tuner};
use crate::lock::lock;
use crate::run::ordered_jobs::ordered_jobs;
use crate::run::shard::Shard;

/// Iterations that may be in progress at the same time.
const IN_PROGRESS: u64 = 8;

/// The pairs of games that a part of a run plays.
pub(super) struct OwnPairs {
    /// The first pair not yet played, counted among those of the part.
    pub first: u64,
    /// The part of all pairs.
    pub shard: Shard,
    /// Pairs of an iteration.
    pub pairs: u64,
}

/// The iterations of a run.
pub(super) struct Pipeline {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    tuner: Tuner,
    /// The iterations in progress, from the first that is not learnt from.
    trials: VecDeque<Arc<Trial>>,
    ended: bool,
}

impl Pipeline {
    /// The iterations of a run that has just begun.
    pub(super) fn new(tuner: Tuner) -> Pipeline {
        let first = IN_PROGRESS.min(tuner.gains().iterations);
        let trials = (0..first).map(|k| Arc::new(tuner.trial(k))).collect();
        let state = Mutex::new(State { tuner, trials, ended: first == 0 });
        Pipeline { state, changed: Condvar::new() }
    }

    /// The two sides of an iteration, once they are known; `None` if the run ends before,
    /// or the iteration has been learnt from already.
    pub(super) fn trial(&self, iteration: u64) -> Option<Arc<Trial>> {
        let mut state = self.state();
        loop {
            if state.ended {
                return None;
            }
            let at = iteration.checked_sub(state.tuner.done())?;
            if let Some(trial) = state.trials.get(at as usize) {
                return Some(trial.clone());
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Learns the result of the first iteration not learnt from: the games that
    /// its first side won less those that it lost. Returns the state of the run.
    pub(super) fn learn(&self, won: i64) -> Tuner {
        let mut state = self.state();
        state.trials.pop_front();
        state.tuner.learn(won);
        let (done, iterations) = (state.tuner.done(), state.tuner.gains().iterations);
        let next = done + IN_PROGRESS - 1;
        if next < iterations {
            let trial = Arc::new(state.tuner.trial(next));
            state.trials.push_back(trial);
        }
        state.ended |= done == iterations;
        self.changed.notify_all();
        state.tuner.clone()
    }

    /// Plays the pairs of games of the iterations not learnt from, each with a
    /// `state` of its thread, and passes their results to `sink` in order until
    /// it returns false. Pairs are numbered from 0 through the whole run, `pairs`
    /// per iteration; `sink` must call [`Pipeline::learn`].
    ///
    /// # Errors
    /// A thread or its state cannot be made, or what `work` or `sink` returns.
    pub(super) fn play<S, T: Send>(
        &self,
        pairs: u64,
        threads: usize,
        state: impl Fn() -> Result<S> + Sync,
        work: impl Fn(&mut S, u64, &Trial) -> Result<T> + Sync,
        mut sink: impl FnMut(u64, T) -> Result<bool>,
    ) -> Result<()> {
        let all = OwnPairs { first: self.tuner().done() * pairs, shard: Shard::WHOLE, pairs };
        self.play_own(&all, threads, state, work, |pair, result| match result {
            Some(result) => sink(pair, result),
            // A worker failed: its error follows.
            None => Ok(true),
        })
    }

    /// The same for the pairs of a part; `sink` gets their numbers within the part.
    /// Once the run has ended, `sink` gets `None` until it returns false or an
    /// error follows.
    ///
    /// # Errors
    /// Those of [`Pipeline::play`].
    pub(super) fn play_own<S, T: Send>(
        &self,
        own: &OwnPairs,
        threads: usize,
        state: impl Fn() -> Result<S> + Sync,
        work: impl Fn(&mut S, u64, &Trial) -> Result<T> + Sync,
        mut sink: impl FnMut(u64, Option<T>) -> Result<bool>,
    ) -> Result<()> {
        let state = || state().inspect_err(|_| self.end());
        let work = |state: &mut S, number| {
            let pair = own.shard.item(number);
            let trial = self.trial(pair / own.pairs)?;
            Some(work(state, pair, &trial))
        };
        ordered_jobs(own.first, threads, state, work, |number, result| {
            let more = result.transpose().and_then(|result| sink(number, result));
            if !matches!(more, Ok(true)) {
                self.end();
            }
            more
        })
    }

    /// The current state of the run.
    pub(super) fn tuner(&self) -> Tuner {
        self.state().tuner.clone()
    }

    /// Ends the run and wakes all waiting threads.
    pub(super) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use anyhow::bail;

    use super::super::select::select;
    use super::super::tuner::Gains;
    use super::*;
    use goren_engine::Params;

    fn tuner(iterations: u64) -> Tuner {
        let gains = Gains { iterations, rate_end: 0.1, alpha: 0.602, gamma: 0.101 };
        Tuner::new(gains, 5, Params::default(), &select("lmr_*").unwrap())
    }

    /// Games won less lost in an iteration.
    fn won(iteration: u64) -> i64 {
        [5, -2, 0, -7, 3][iteration as usize % 5]
    }

    #[test]
    fn an_iteration_begins_with_the_values_of_eight_before() {
        let pipeline = Pipeline::new(tuner(30));
        let mut plain = tuner(30);
        // All eight are known before the first ends.
        for k in 0..IN_PROGRESS {
            assert_eq!(*pipeline.trial(k).unwrap(), plain.trial(k));
        }
        for k in 0..30 {
            plain.learn(won(k));
            pipeline.learn(won(k));
            assert_eq!(pipeline.trial(k), None, "learnt from already");
            if k + IN_PROGRESS < 30 {
                assert_eq!(*pipeline.trial(k + IN_PROGRESS).unwrap(), plain.trial(k + IN_PROGRESS));
            }
        }
        assert_eq!(pipeline.tuner().axes(), plain.axes());
        assert_eq!(pipeline.trial(30), None, "the run is over");
    }

    #[test]
    fn waiting_threads_are_woken_by_their_iteration_and_by_the_end() {
        let pipeline = Pipeline::new(tuner(30));
        let wait = |iteration| {
            let pipeline = &pipeline;
            move || pipeline.trial(iteration).is_some()
        };
        thread::scope(|scope| {
            let next = scope.spawn(wait(IN_PROGRESS));
            let later = scope.spawn(wait(IN_PROGRESS + 1));
            thread::sleep(Duration::from_millis(20));
            assert!(!next.is_finished() && !later.is_finished());
            pipeline.learn(0);
            assert!(next.join().unwrap());
            pipeline.end();
            assert!(!later.join().unwrap());
        });
    }

    /// Plays a run of 20 iterations of 3 pairs; returns the first sides of all pairs, and
    /// the final state.
    fn run(threads: usize) -> (Vec<(u64, Params)>, Tuner) {
        let pipeline = Pipeline::new(tuner(20));
        let mut seen = Vec::new();
        let work = |_: &mut (), pair: u64, trial: &Trial| {
            // Games differ in length.
            thread::sleep(Duration::from_micros(pair * 7 % 11 * 100));
            Ok(trial.sides[0].clone())
        };
        let sink = |pair: u64, side| {
            seen.push((pair, side));
            Ok(!(pair + 1).is_multiple_of(3) || pipeline.learn(won(pair / 3)).done() < 20)
        };
        pipeline.play(3, threads, || Ok(()), work, sink).unwrap();
        (seen, pipeline.tuner())
    }

    #[test]
    fn a_run_is_the_same_on_any_number_of_threads() {
        let (seen, tuner) = run(1);
        assert_eq!(seen.len(), 60);
        assert!(tuner.axes().iter().any(|axis| axis.rounded() != axis.start));
        for threads in [2, 3, 16] {
            let (others, other) = run(threads);
            assert!(others == seen, "{threads} threads");
            assert_eq!(other.axes(), tuner.axes());
        }
    }

    #[test]
    fn a_run_continues_after_the_iterations_learnt_from() {
        let pipeline = Pipeline::new(tuner(20));
        (0..19).for_each(|k| drop(pipeline.learn(won(k))));
        let mut seen = Vec::new();
        let sink = |pair, ()| {
            seen.push(pair);
            Ok(seen.len() < 3)
        };
        pipeline.play(3, 2, || Ok(()), |(), _, _| Ok(()), sink).unwrap();
        assert_eq!(seen, [57, 58, 59]);
    }

    #[test]
    fn any_error_ends_a_run_and_is_returned() {
        let error = |threads, state: &(dyn Fn() -> Result<()> + Sync), bad_work, bad_sink| {
            let work = |_: &mut (), pair, _: &Trial| {
                if pair == bad_work { bail!("no opening") } else { Ok(()) }
            };
            let sink = |pair, ()| if pair == bad_sink { bail!("disk full") } else { Ok(true) };
            let pipeline = Pipeline::new(tuner(20));
            pipeline.play(1, threads, state, work, sink).unwrap_err().to_string()
        };
        for threads in [1, 3] {
            assert_eq!(error(threads, &|| Ok(()), 5, 99), "no opening");
            assert_eq!(error(threads, &|| Ok(()), 99, 5), "disk full");
            // No result arrives here, so that in the end all threads wait.
            let states = Mutex::new(0);
            let state = || {
                let mut states = states.lock().unwrap();
                *states += 1;
                if *states < threads { Ok(()) } else { bail!("no memory") }
            };
            assert_eq!(error(threads, &state, 99, 99), "no memory");
        }
    }
}
