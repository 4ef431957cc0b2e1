//! Searches of an instance that does nothing else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use goren_board::search::{Found, Job, Runner};
use goren_engine::{Budget, Control, Hash};

/// Bytes of the transposition table. There are at least 256 MiB (`wasi.js`), which also
/// hold the table that a larger one replaces.
const TABLE_BYTES: usize = 64 << 20;

/// Runs searches.
pub struct Search {
    runner: Runner,
}

impl Search {
    /// With an empty table.
    pub fn new() -> Search {
        Search { runner: Runner::new(&Hash::up_to(TABLE_BYTES)) }
    }

    /// Runs a search, for at most `most` time if that is given. `begun` is given what
    /// ends it, `tell` what it finds, with its number.
    ///
    /// # Errors
    /// The text is no search.
    pub fn run(
        &mut self,
        job: &str,
        most: Option<Duration>,
        begun: impl FnOnce(&Arc<Control>),
        observer: &mut (dyn FnMut(&(u64, Found)) + Send),
    ) -> Result<()> {
        let mut job: Job = serde_json::from_str(job).context("not a search job")?;
        if let Some(most) = most {
            // Solvers look at the control alone; the budget also bounds the table.
            job.request.budget = Budget::per_move(most);
            job.request.control = Arc::new(Control::until(Instant::now() + most));
        }
        begun(&job.request.control);
        self.runner.run(&job, &mut |found| observer(&(job.number, found)));
        Ok(())
    }
}
