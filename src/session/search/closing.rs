//! Time limits of searches after the end of input.

use std::time::{Duration, Instant};

/// Maximum time of the search that runs at the end of input, and again of all queued searches
/// together.
pub const MAX_CLOSING_TIME: Duration = Duration::from_secs(5);

/// State after the end of input.
pub struct Closing {
    /// When the last of the queued searches must answer; `None` before the first of them
    /// begins.
    pub until: Option<Instant>,
    /// Number of searches queued behind the current command.
    pub queued_behind: u32,
}

impl Closing {
    /// Time for a search that begins now: an equal share of the rest.
    pub fn share(&self) -> Duration {
        let left = self
            .until
            .map_or(MAX_CLOSING_TIME, |until| until.saturating_duration_since(Instant::now()));
        left / (self.queued_behind + 1)
    }
}
