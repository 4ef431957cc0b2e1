//! [`Request`], the input of a search: limits, exclusions, known results, multi-PV.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::control::Control;
use super::time::Budget;
use goren_core::types::{Cell, CellSet, Score};

/// Exclusions: moves the search may not play. A threat of the opponent is answered even
/// if the move that would carry it out is excluded.
///
/// If cells or sequences are excluded, static verdicts, solvers and known results are not
/// used, and the search's entries in the transposition table are read only under the same
/// exclusions.
///
/// In serde formats it has its fields by name. Missing fields exclude nothing.
#[derive(Clone, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Exclusions {
    /// Excluded root moves.
    #[cfg_attr(feature = "serde", serde(alias = "here"))]
    pub root_moves: Vec<Cell>,
    /// Excluded cells, by the colour that may not play there, in the whole tree.
    pub cells: [CellSet; 2],
    /// Excluded sequences of moves from the root on: the last move of a sequence may not
    /// be played in the position that the moves before it lead to.
    #[cfg_attr(feature = "serde", serde(alias = "lines"))]
    pub sequences: Vec<Vec<Cell>>,
}

/// A proven result of a position below the root, from outside the search (a
/// database or the user). The search trusts it, unless a static verdict contradicts it.
///
/// In serde formats it has its fields by name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct KnownResult {
    /// The moves from the root to the position: at least one, fewer than
    /// [`goren_core::types::MAX_PLY`].
    pub path: Vec<Cell>,
    /// Score for the side to move in the position, distances counted from it. The result is
    /// ignored if the score is not proven, exceeds [`goren_core::types::WIN`], or would not be
    /// proven [`goren_core::types::MAX_PLY`] plies farther from the end.
    pub score: Score,
}

/// A search request: what to search for, and the limits of the search.
///
/// In serde formats it has its fields by name, without `started` and `control`: a request that is
/// read starts at that moment and has its own control. Missing fields are as in
/// [`Request::default`]. Unknown fields are refused, as they may be misspelt limits.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Request {
    /// Time limits, counted from `started`: see
    /// [`Clock::budget`](super::time::Clock::budget).
    pub budget: Budget,
    /// Start of the search: when the command arrived.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub started: Instant,
    /// Depth of the deepest iteration, in plies; clamped to 1 to 120.
    pub max_depth: Option<u32>,
    /// Node limit over all threads; exact on one thread.
    pub max_nodes: Option<u64>,
    /// Number of search threads; 0 means 1.
    pub threads: usize,
    /// Restricts the search to these root moves, unless empty.
    pub root_moves: Vec<Cell>,
    /// Moves the search may not play.
    #[cfg_attr(feature = "serde", serde(alias = "bans"))]
    pub exclusions: Exclusions,
    /// Known results of positions below the root. Ignored if cells or sequences are
    /// excluded, as a proof may use an excluded move.
    #[cfg_attr(feature = "serde", serde(alias = "known"))]
    pub known_results: Vec<KnownResult>,
    /// Number of PVs to report (multi-PV); 0 means 1.
    pub multi_pv: usize,
    /// Whether to find out which root moves lose, and report one PV, the best of the
    /// others. `multi_pv` is ignored then.
    pub defend: bool,
    /// Whether the caller uses the move but not the score. If so, and if time is
    /// limited, an only move is searched for at most 2 ms, and the score is that of
    /// this brief search ([`Basis::Brief`](super::Basis::Brief)). If only fouls are left, no
    /// pass is searched.
    pub move_only: bool,
    /// Whether the search is on the opponent's time (pondering): it does not resize the
    /// transposition table.
    pub pondering: bool,
    /// Stops the search, or changes its time limit, while it runs.
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
    /// One PV on one thread, with a time control of `time` per move.
    pub fn per_move(time: Duration) -> Request {
        Request { budget: Budget::per_move(time), ..Request::default() }
    }

    /// One PV on one thread, with a limit of `nodes` and without a time limit.
    pub fn nodes(nodes: u64) -> Request {
        Request { max_nodes: Some(nodes), ..Request::default() }
    }
}
