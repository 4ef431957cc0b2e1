//! The search in progress.

use std::sync::Arc;
use std::time::Instant;

use goren_protocol::Reply;

use crate::advice::database::Proves;
use crate::order::allowance::Allowance;
use crate::order::task::Task;
use crate::state::settings::RuleVariant;
use goren_core::types::Cell;
use goren_engine::{Control, Info};

/// A search in progress; the game is lent to the search thread.
pub struct ActiveSearch {
    /// Stops the search and limits its time.
    pub control: Arc<Control>,
    /// The time the search began with.
    pub allowance: Allowance,
    /// After the end of input: when the search must answer.
    pub latest_end: Option<Instant>,
    /// When the client last sent `time_left` during this search.
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
    /// Whether the client ended the search (STOP, `INFO pondering 0`), not just interrupted it
    /// with a query.
    pub halted: bool,
    /// Whether the client no longer expects an answer.
    pub answer_suppressed: bool,
    /// Whether a Yixin-Board that has abandoned the search waits for a move in place of its
    /// answer, which it discards.
    pub discards_move: bool,
    /// The reply with the forbidden points, for a query while the game is lent, and the
    /// rule it holds for.
    pub forbidden: Option<(RuleVariant, Reply)>,
}

impl ActiveSearch {
    /// Stores the report of a PV; the PVs of an iteration come in order, the best first.
    pub fn note(&mut self, info: Info) {
        match self.lines.get_mut(info.pv_index) {
            Some(line) => *line = info,
            None => self.lines.push(info),
        }
    }
}
