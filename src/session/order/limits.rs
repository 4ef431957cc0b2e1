//! Limits: what the settings allow the search of one command.

use std::time::Instant;

use super::allowance::Allowance;
use crate::state::command_error::CommandError;
use goren_engine::{Clock, Request, TableHandle};

#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// When the command arrived and its clock started.
    pub arrived: Instant,
    /// The clock.
    pub clock: Clock,
    /// Maximum depth in plies.
    pub max_depth: Option<u32>,
    /// Maximum number of nodes.
    pub max_nodes: Option<u64>,
    /// Number of search threads.
    pub threads: usize,
    /// Maximum size of the transposition table, in bytes.
    pub table_bytes: usize,
}

impl Limits {
    /// Returns the time of the command for a search of a position with `stones_and_area`:
    /// stones on the board, and cells of the board.
    pub fn allow(&self, stones_and_area: (usize, usize)) -> Allowance {
        Allowance::new(&self.clock, self.arrived, stones_and_area)
    }

    /// Allocates the transposition table, then does the same as [`Limits::allow`]. Commands
    /// that change the position before they search call this first, so that nothing has
    /// changed if there is no memory.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn secure(
        &self,
        stones_and_area: (usize, usize),
        hash: &TableHandle,
    ) -> Result<Allowance, CommandError> {
        let allowance = self.allow(stones_and_area);
        self.secure_table(&allowance, hash)?;
        Ok(allowance)
    }

    /// Allocates the table for a search. A repeated call costs nothing, and is needed if a
    /// winning tree was opened or the table was cleared since the last one.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn secure_table(
        &self,
        allowance: &Allowance,
        hash: &TableHandle,
    ) -> Result<(), CommandError> {
        // Sized by our own budget even for pondering, so that the table keeps its size.
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
