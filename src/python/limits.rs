//! Limits of searches.

use std::time::Duration;

use pyo3::prelude::*;

use crate::error::bad;

/// Limits of a search as Python passes them.
pub(crate) struct Limits {
    pub(crate) time: Option<f64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u32>,
}

impl Limits {
    /// Returns the time limit.
    ///
    /// # Errors
    /// The time is not positive, or too large.
    pub(crate) fn duration(&self) -> PyResult<Option<Duration>> {
        let seconds = |time: f64| {
            let duration = Duration::try_from_secs_f64(time).ok().filter(|time| !time.is_zero());
            duration.ok_or_else(|| bad(format!("a search cannot take {time} seconds")))
        };
        self.time.map(seconds).transpose()
    }

    /// # Errors
    /// No limit is set, or one is 0.
    pub(crate) fn check(&self) -> PyResult<()> {
        if self.nodes == Some(0) || self.depth == Some(0) {
            return Err(bad("a limit of 0 leaves nothing to search"));
        }
        if self.time.is_none() && self.nodes.is_none() && self.depth.is_none() {
            return Err(bad("a search needs a limit: time, nodes or depth"));
        }
        Ok(())
    }
}
