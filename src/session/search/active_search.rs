//! State of the search in progress.

use std::sync::Arc;
use std::time::Duration;

use goren_protocol::Reply;

use super::allowance::Allowance;
use super::job::Task;
use crate::advice::database::Proves;
use crate::state::settings::RuleVariant;
use goren_engine::{Control, Info};

/// A search in progress: the game is with the search thread.
pub struct ActiveSearch {
    /// Stops it and caps its time.
    pub control: Arc<Control>,
    /// The time it began with.
    pub allowance: Allowance,
    /// When it must answer, counted from its start, as the input has ended.
    pub latest_end: Option<Duration>,
    /// Rows of the board.
    pub height: usize,
    /// What it decides.
    pub task: Task,
    /// What its result says of the position.
    pub proves: Proves,
    /// The best line told of.
    pub told: Option<Info>,
    /// Whether nobody expects its answer any more.
    pub forsaken: bool,
    /// The points forbidden to Black, for the question that comes while the game is
    /// away, and the rule by which they are.
    pub forbidden: Option<(RuleVariant, Reply)>,
}
