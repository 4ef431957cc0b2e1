//! Search request: limits, exclusions, known results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::control::Control;
use super::time::Budget;
use goren_core::types::{Cell, CellSet, Score};

/// Exclusions: moves the search may not play. Static verdicts and solvers are off
/// then, but a threat is answered even if its execution is excluded.
///
/// In formats of serde it has its fields by name. Those that are missing exclude
/// nothing.
#[derive(Clone, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Exclusions {
    /// Root moves.
    pub here: Vec<Cell>,
    /// Cells, by the colour that may not play there.
    pub cells: [CellSet; 2],
    /// Moves from the position on, the last of which may not be played where
    /// those before it lead.
    pub lines: Vec<Vec<Cell>>,
}

/// A proven result of a position below the root, from outside the search (a
/// database or the user). The search believes it, unless a static verdict
/// contradicts it.
///
/// In formats of serde it has its fields by name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct KnownResult {
    /// The moves that lead there.
    pub path: Vec<Cell>,
    /// Score for the side to move there; beyond [`goren_core::types::PROVEN`].
    pub score: Score,
}

/// A search request: the task of a search and its limits.
///
/// In formats of serde it has its fields by name but for `started` and `control`:
/// it starts when it is read, under a control of its own. Fields that are missing
/// are those of [`Request::default`]; one that is unknown is refused, as a limit
/// may have been meant.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Request {
    /// The time it may take, counted from `started`: see
    /// [`Clock::budget`](super::time::Clock::budget).
    pub budget: Budget,
    /// When the command arrived.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub started: Instant,
    /// Deepest iteration.
    pub max_depth: Option<u32>,
    /// Nodes over all threads; exact on one thread.
    pub max_nodes: Option<u64>,
    /// Search threads, at least 1.
    pub threads: usize,
    /// Restricts the search to these root moves, unless empty.
    pub root_moves: Vec<Cell>,
    /// Moves it may not play.
    #[cfg_attr(feature = "serde", serde(rename = "bans"))]
    pub exclusions: Exclusions,
    /// Results it need not search for. Ignored where cells or lines are excluded:
    /// a proof may use an excluded move.
    #[cfg_attr(feature = "serde", serde(rename = "known"))]
    pub known_results: Vec<KnownResult>,
    /// Number of PVs to report, at least 1.
    pub multi_pv: usize,
    /// Whether to find out of every root move whether it loses.
    pub defend: bool,
    /// Whether the caller uses only the move: then, under a clock, an only move is
    /// searched for a few milliseconds, and the score is that of this brief search
    /// ([`Basis::Brief`](super::Basis::Brief)). Callers that use the score leave it
    /// false.
    pub move_only: bool,
    /// Whether this is pondering: the transposition table is not resized then.
    pub pondering: bool,
    /// Stops or hurries the search while it runs.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub control: Arc<Control>,
}

impl Default for Request {
    /// One PV on one thread, starting now, without limits.
    fn default() -> Request {
        Request {
            budget: Budget::UNLIMITED,
            started: Instant::now(),
            max_depth: None,
            max_nodes: None,
            threads: 1,
            root_moves: Vec::new(),
            exclusions: Exclusions::default(),
            known_results: Vec::new(),
            multi_pv: 1,
            defend: false,
            move_only: false,
            pondering: false,
            control: Arc::default(),
        }
    }
}

impl Request {
    /// One PV on one thread, for so long.
    pub fn per_move(time: Duration) -> Request {
        Request { budget: Budget::per_move(time), ..Request::default() }
    }

    /// One PV on one thread, of so many nodes.
    pub fn nodes(nodes: u64) -> Request {
        Request { max_nodes: Some(nodes), ..Request::default() }
    }
}
