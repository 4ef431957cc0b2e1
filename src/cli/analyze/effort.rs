//! Search limits as arguments.

use std::time::Duration;

use crate::number::whole;
use crate::seconds::seconds;
use crate::table_size::TableSize;
use goren_core::types::Cell;
use goren_engine::Request;

/// Bounds of a search; where none is given, a time.
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
    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// What is asked of a search that begins now. Without any bound it takes the
    /// time `usual`. Time and nodes are multiplied by `times`.
    pub(crate) fn begin(&self, usual: Duration, root_moves: Vec<Cell>, times: u32) -> Request {
        let bounded = self.depth.is_some() || self.nodes.is_some();
        let request = Request {
            max_depth: self.depth,
            max_nodes: self.nodes.map(|nodes| nodes.saturating_mul(u64::from(times))),
            threads: usize::from(self.threads),
            root_moves,
            // Without a clock, as of a game: all of the time is to be used.
            ..Request::default()
        };
        if let Some(time) = self.time.or((!bounded).then_some(usual)) {
            request.control.set_end(request.started.checked_add(time.saturating_mul(times)));
        }
        request
    }
}
