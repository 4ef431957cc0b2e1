//! Hands the iterations of a run to the threads that play them.
//!
//! An iteration begins from what was learnt up to a fixed number of iterations
//! before it, however many threads play: no thread waits for the end of a
//! game, and the run is the same on any number of threads.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::tuner::{Trial, Tuner};

/// Iterations that may be under way at the same time.
const UNDER_WAY: u64 = 8;

/// The iterations of a run.
pub(super) struct Pipeline {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    tuner: Tuner,
    /// The iterations under way, the first that is not learnt from in front.
    trials: VecDeque<Arc<Trial>>,
    ended: bool,
}

impl Pipeline {
    /// The iterations of a run that has just begun.
    pub(super) fn new(tuner: Tuner) -> Pipeline {
        let first = UNDER_WAY.min(tuner.gains().iterations);
        let trials = (0..first).map(|k| Arc::new(tuner.trial(k))).collect();
        let state = Mutex::new(State { tuner, trials, ended: first == 0 });
        Pipeline { state, changed: Condvar::new() }
    }

    /// What an iteration compares, as soon as it is known; `None` if the run
    /// ends without it. No iteration that has been learnt from.
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

    /// Learns the result of the first iteration not learnt from: games its
    /// first side won more than it lost. Gives the run as it is now.
    pub(super) fn learn(&self, won: i64) -> Tuner {
        let mut state = self.state();
        state.trials.pop_front();
        state.tuner.learn(won);
        let (done, iterations) = (state.tuner.done(), state.tuner.gains().iterations);
        let next = done + UNDER_WAY - 1;
        if next < iterations {
            let trial = Arc::new(state.tuner.trial(next));
            state.trials.push_back(trial);
        }
        state.ended |= done == iterations;
        self.changed.notify_all();
        state.tuner.clone()
    }

    /// The run as it is now.
    pub(super) fn tuner(&self) -> Tuner {
        self.state().tuner.clone()
    }

    /// Lets nobody wait any more.
    pub(super) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
