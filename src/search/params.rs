//! Every number the search can be tuned by. Depths in plies, margins in
//! points of the evaluation.

/// Half width of the first aspiration window.
pub const ASPIRATION: i32 = 12;
/// From this depth on aspiration windows are used.
pub const ASPIRATION_DEPTH: i32 = 4;
/// Reverse futility: deepest, and margin a ply.
pub const REVERSE_DEPTH: i32 = 9;
/// See [`REVERSE_DEPTH`].
pub const REVERSE_MARGIN: i32 = 25;
/// Razoring: deepest, and margins.
pub const RAZOR_DEPTH: i32 = 6;
/// See [`RAZOR_DEPTH`].
pub const RAZOR_BASE: i32 = 30;
/// See [`RAZOR_DEPTH`].
pub const RAZOR_MARGIN: i32 = 25;
/// Futility of quiet moves: deepest, and margins.
pub const FUTILITY_DEPTH: i32 = 9;
/// See [`FUTILITY_DEPTH`].
pub const FUTILITY_BASE: i32 = 30;
/// See [`FUTILITY_DEPTH`].
pub const FUTILITY_MARGIN: i32 = 20;
/// Moves tried at least before the rest is pruned by their number.
pub const COUNT_BASE: f32 = 4.0;
/// Power of the depth added to [`COUNT_BASE`].
pub const COUNT_POWER: f32 = 1.35;
/// Deepest pruning by number.
pub const COUNT_DEPTH: i32 = 20;
/// Shallowest reduction of late moves.
pub const LMR_DEPTH: i32 = 3;
/// Plies of reduction: base, and factor of the product of the logarithms of
/// depth and number.
pub const LMR_BASE: f64 = 0.4;
/// See [`LMR_BASE`].
pub const LMR_FACTOR: f64 = 0.45;
/// History points that make up for one ply of reduction.
pub const LMR_HISTORY: i32 = 6000;
/// Without a table move the depth shrinks from here on.
pub const IIR_DEPTH: i32 = 4;
/// Bound of history entries.
pub const HISTORY_MAX: i32 = 16384;
/// History is divided by this before it joins the prior.
pub const HISTORY_DIVISOR: i32 = 64;
/// Bonus of a killer move in the ordering.
pub const KILLER_BONUS: i32 = 60;
/// Bonus of the counter move in the ordering.
pub const COUNTER_BONUS: i32 = 50;
/// Quiescence: plies after which only strong fours are tried.
pub const QUIET_PLAIN_FOURS: usize = 4;
/// Quiescence: deepest.
pub const QUIET_PLIES: usize = 40;
/// Nodes of the solver before the search.
pub const ROOT_SOLVER_NODES: u64 = 20_000;
/// Most of them for each millisecond of the longest time the search may take.
pub const ROOT_SOLVER_NODES_PER_MS: u64 = 100;
