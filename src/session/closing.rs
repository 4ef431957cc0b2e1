//! Time of searches after the end of input.

use std::time::{Duration, Instant};

/// Most time for the search that is running at the end of the input, and for
/// all that wait behind it together.
pub(super) const LONGEST: Duration = Duration::from_secs(5);

/// That the input has ended.
pub(super) struct Closing {
    /// When the last of the searches that waited has to answer; not known before
    /// the first begins.
    pub(super) until: Option<Instant>,
    /// Searches that wait behind the command that is being obeyed.
    pub(super) behind: u32,
}

impl Closing {
    /// Time for a search that begins now.
    pub(super) fn share(&self) -> Duration {
        let left =
            self.until.map_or(LONGEST, |until| until.saturating_duration_since(Instant::now()));
        left / (self.behind + 1)
    }
}
