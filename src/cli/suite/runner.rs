//! Distributes the puzzles of a run to jobs, each with its own engines.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};

use super::puzzle::SuitePuzzle;
use super::solver::{Resources, Rival, own_attempt};
use super::verdict::Attempt;
use crate::engine::EngineSpec;
use crate::run::stop::{Stop, signalled_with_a_child};
use goren_engine::{Engine, TableHandle, stack};

/// Tries every puzzle, `jobs` at a time. In each job the engines take turns
/// puzzle by puzzle, so that whatever slows the machine down meets both.
/// Calls `each`, in this thread and in the order in which puzzles end, with the
/// number of every puzzle and the attempts: ours, then that of `rival`, if any.
/// Begins no puzzle after a request to `stop`.
///
/// # Errors
/// No memory or thread, or the first error of `each`, which ends the run.
pub(super) fn run(
    puzzles: &[&SuitePuzzle],
    rival: Option<&EngineSpec>,
    resources: &Resources,
    jobs: usize,
    stop: Stop,
    mut each: impl FnMut(usize, Vec<Attempt>) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (send, done) = mpsc::channel();
        for _ in 0..jobs.clamp(1, puzzles.len().max(1)) {
            let (send, next) = (send.clone(), &next);
            let job = move || {
                let mut rival = rival.map(Rival::new);
                let mut engine = Engine::with_hash(TableHandle::up_to(resources.memory));
                while stop.asked().is_none()
                    && let Some((i, puzzle)) = take(next, puzzles)
                {
                    let attempts: Result<Vec<Attempt>> =
                        own_attempt(puzzle, resources, &mut engine).map(|own| {
                            let other =
                                rival.as_mut().map(|rival| rival.attempt(puzzle, resources));
                            std::iter::once(own).chain(other).collect()
                        });
                    // A signal may have ended the other engine too.
                    let failed = |attempts: &Vec<Attempt>| attempts.iter().any(Attempt::has_failed);
                    if attempts.as_ref().is_ok_and(failed) && signalled_with_a_child() {
                        break;
                    }
                    // After an error the receiver is gone.
                    if send.send((i, attempts)).is_err() {
                        break;
                    }
                }
                if let Some(rival) = rival {
                    rival.close();
                }
            };
            stack::spawn_scoped(scope, job).context("cannot start a thread for a job")?;
        }
        drop(send);
        done.into_iter().try_for_each(|(i, attempts)| each(i, attempts?))
    })
}

fn take<'a>(next: &AtomicUsize, puzzles: &[&'a SuitePuzzle]) -> Option<(usize, &'a SuitePuzzle)> {
    let i = next.fetch_add(1, Relaxed);
    puzzles.get(i).map(|&puzzle| (i, puzzle))
}
