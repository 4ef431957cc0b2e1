//! The search thread of a page.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

use tokio::sync::mpsc::Sender as Results;

use super::trees::{TreeGuide, Trees};
use crate::model::Searcher;
use crate::search::{Found, Job, Runner};
use goren_engine::{Control, TableHandle, WeightSet, stack};

/// A result of a search: the number of the job, the result and its time.
pub(super) type Finding = (u64, Found, Instant);

/// Runs the searches of a model on its own thread, which ends with it.
pub(super) struct SearchThread {
    jobs: Sender<Job>,
    /// Ends the last search.
    control: Option<Arc<Control>>,
}

impl SearchThread {
    /// Starts a thread that uses a table, weights and winning trees, sends what it finds to
    /// `results`, and counts its running search in `searching`.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(super) fn start(
        (hash, weights): (&TableHandle, &WeightSet),
        trees: &Trees,
        results: Results<Finding>,
        searching: Arc<AtomicUsize>,
    ) -> std::io::Result<SearchThread> {
        let (jobs, waiting) = mpsc::channel();
        let (hash, weights, trees) = (hash.clone(), weights.clone(), trees.clone());
        let work = move || {
            let guide = Box::new(TreeGuide::new(trees));
            let runner = Runner::new(&hash).weighted(weights).guided(guide);
            work(runner, &waiting, &results, &searching);
        };
        stack::spawn("search", work)?;
        Ok(SearchThread { jobs, control: None })
    }
}

fn work(
    mut runner: Runner,
    waiting: &Receiver<Job>,
    results: &Results<Finding>,
    searching: &AtomicUsize,
) {
    while let Ok(job) = waiting.recv() {
        searching.fetch_add(1, Ordering::SeqCst);
        runner.run(&job, &mut |found| {
            let is_last = found.is_last();
            let finding = (job.number, found, Instant::now());
            // A page that does not keep up misses lines, but never the last result.
            if is_last {
                let _ = results.blocking_send(finding);
            } else {
                let _ = results.try_send(finding);
            }
        });
        searching.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Searcher for SearchThread {
    fn begin(&mut self, job: Job) {
        self.stop();
        self.control = Some(job.request.control.clone());
        let _ = self.jobs.send(job);
    }

    fn stop(&mut self) {
        if let Some(control) = &self.control {
            control.stop();
        }
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.stop();
    }
}
