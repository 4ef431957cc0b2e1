//! State of the search in progress.

use std::sync::Arc;
use std::time::Instant;

use goren_protocol::Reply;

use super::allowance::Allowance;
use super::job::Task;
use crate::advice::database::Proves;
use crate::state::settings::RuleVariant;
use goren_core::types::Cell;
use goren_engine::{Control, Info};

/// A search in progress; the game is lent to the search thread.
pub struct ActiveSearch {
    /// Stops the search and limits its time.
    pub control: Arc<Control>,
    /// The time it began with.
    pub allowance: Allowance,
    /// After the end of input: when it must answer.
    pub latest_end: Option<Instant>,
    /// When the client has told the time left of the match since it began.
    pub time_left_at: Option<Instant>,
    /// Number of rows of the board.
    pub height: usize,
    /// The task.
    pub task: Task,
    /// Which scores of the search are those of the position.
    pub proves: Proves,
    /// The last report of each PV, the best first.
    pub lines: Vec<Info>,
    /// The move of a winning tree, if there is one.
    pub tree_move: Option<Cell>,
    /// Whether the client has said that it must end, and not only asked something.
    pub halted: bool,
    /// Whether its answer is no longer expected by the client.
    pub answer_suppressed: bool,
    /// The reply with the forbidden points for a question that comes while the game is
    /// lent, and the rule it was made under.
    pub forbidden: Option<(RuleVariant, Reply)>,
}

impl ActiveSearch {
    /// Notes the report of a PV; those of an iteration come in order, the best first.
    pub fn note(&mut self, info: Info) {
        match self.lines.get_mut(info.pv_index) {
            Some(line) => *line = info,
            None => self.lines.push(info),
        }
    }
}
