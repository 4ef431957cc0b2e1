//! State of the search in progress.

use std::sync::Arc;
use std::time::Duration;

use goren_protocol::Reply;

use super::allowance::Allowance;
use super::database::Proves;
use super::job::Task;
use goren_engine::{Control, Info};

/// A search in progress: the game is with the search thread.
pub(super) struct ActiveSearch {
    pub(super) control: Arc<Control>,
    pub(super) allowance: Allowance,
    /// When it must answer, counted from its start, as the input has ended.
    pub(super) latest_end: Option<Duration>,
    pub(super) height: usize,
    pub(super) task: Task,
    /// What its result says of the position.
    pub(super) proves: Proves,
    /// The best line told of.
    pub(super) told: Option<Info>,
    /// Whether nobody expects its answer any more.
    pub(super) forsaken: bool,
    /// The answer to a question that comes while the game is away.
    pub(super) forbidden: Option<Reply>,
}
