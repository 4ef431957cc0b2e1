//! Search limits as arguments.

use std::time::Duration;

use crate::number::whole;
use crate::seconds::seconds;
use crate::table_size::TableSize;
use goren_core::types::Cell;
use goren_engine::Request;

/// Limits of a search; a default time if none is given.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SearchBounds {
    /// Seconds per search, such as 5 or 0.5.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Maximum search depth in plies.
    #[arg(long, value_parser = whole::<u32>(1..))]
    depth: Option<u32>,
    /// Maximum number of nodes per search.
    #[arg(long, value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Search threads. With 1 thread, equal --depth or --nodes gives equal
    /// results.
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..))]
    threads: u16,
    #[command(flatten)]
    table: TableSize,
}

impl SearchBounds {
    /// Size of the transposition table in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Creates the request of a search that begins now. Without any limit the search takes
    /// `default_time`. Time and nodes are multiplied by `factor`.
    pub(crate) fn begin(
        &self,
        default_time: Duration,
        root_moves: Vec<Cell>,
        factor: u32,
    ) -> Request {
        let is_limited = self.depth.is_some() || self.nodes.is_some();
        let request = Request {
            max_depth: self.depth,
            max_nodes: self.nodes.map(|nodes| nodes.saturating_mul(u64::from(factor))),
            threads: usize::from(self.threads),
            root_moves,
            // No clock as in a game: the search uses all of its time.
            ..Request::default()
        };
        if let Some(time) = self.time.or((!is_limited).then_some(default_time)) {
            request.control.set_end(request.started.checked_add(time.saturating_mul(factor)));
        }
        request
    }
}
