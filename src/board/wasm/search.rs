//! The searches of the instance that only searches.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use goren_board::search::{Found, Job, Runner};
use goren_engine::{Budget, Control, TableHandle};

/// Size in bytes of the transposition table. The instance has at least 256 MiB (`wasi.js`),
/// which must also hold the old table while a larger one replaces it.
const TABLE_BYTES: usize = 64 << 20;

/// Runs searches.
pub struct Search {
    runner: Runner,
}

impl Search {
    /// Creates a runner with an empty table.
    pub fn new() -> Search {
        Search { runner: Runner::new(&TableHandle::up_to(TABLE_BYTES)) }
    }

    /// Runs a search, for at most `limit` if given. `on_begin` gets the control that ends it,
    /// `observer` its results with its number.
    ///
    /// # Errors
    /// The text is no search.
    pub fn run(
        &mut self,
        job: &str,
        limit: Option<Duration>,
        on_begin: impl FnOnce(&Arc<Control>),
        observer: &mut (dyn FnMut(&(u64, Found)) + Send),
    ) -> Result<()> {
        let mut job: Job = serde_json::from_str(job).context("not a search job")?;
        if let Some(limit) = limit {
            // Solvers only check the control; the budget also limits the size of the table.
            job.request.budget = Budget::per_move(limit);
            job.request.control = Arc::new(Control::until(Instant::now() + limit));
        }
        on_begin(&job.request.control);
        self.runner.run(&job, &mut |found| observer(&(job.number, found)));
        Ok(())
    }
}
