//! Limits: what the settings allow the search of a command.

use std::time::Instant;

use crate::command_error::CommandError;
use crate::search::allowance::Allowance;
use goren_engine::{Clock, Hash, Request};

/// The limits of the search of one command.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// When the command arrived: its time runs since then.
    pub arrived: Instant,
    /// The time there is.
    pub clock: Clock,
    /// Deepest iteration.
    pub max_depth: Option<u32>,
    /// Nodes.
    pub max_nodes: Option<u64>,
    /// Search threads.
    pub threads: usize,
    /// Bytes that the table may take, beside the trees in use.
    pub table_bytes: usize,
}

impl Limits {
    /// The allowance of the command, for a search of so many stones on so many
    /// cells.
    pub fn allow(&self, measures: (usize, usize)) -> Allowance {
        Allowance::new(&self.clock, self.arrived, measures)
    }

    /// The same, with its table allocated. Commands that change the position and
    /// then search call it first, so that nothing has changed if there is no
    /// memory.
    ///
    /// # Errors
    /// There is no memory.
    pub fn secure(&self, measures: (usize, usize), hash: &Hash) -> Result<Allowance, CommandError> {
        let allowance = self.allow(measures);
        self.secure_table(&allowance, hash)?;
        Ok(allowance)
    }

    /// Allocates the table for a search. A second call costs nothing, and is needed
    /// if a tree was opened or the table was cleared since the first.
    ///
    /// # Errors
    /// There is no memory.
    pub fn secure_table(&self, allowance: &Allowance, hash: &Hash) -> Result<(), CommandError> {
        // Of our own time even when the opponent's is used: the table stays.
        let request = Request {
            budget: allowance.budget(),
            max_nodes: self.max_nodes,
            threads: self.threads,
            ..Request::default()
        };
        hash.set_limit(self.table_bytes);
        hash.for_search(&request)?;
        Ok(())
    }
}
