//! The clock of a game.

use serde::{Deserialize, Serialize};

/// The time control of a game, the same for both sides.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Milliseconds for the game; absent for no limit.
    #[serde(default)]
    pub game_ms: Option<u64>,
    /// Milliseconds added to the time for the game with each ply.
    #[serde(default)]
    pub increment_ms: u64,
    /// Maximum milliseconds for a ply; absent for no limit.
    #[serde(default)]
    pub move_ms: Option<u64>,
}

/// The state of the clock at the position shown.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClockView {
    /// The time control; absent where the game has no clock.
    pub control: Option<TimeControl>,
    /// Milliseconds that each seat has left for the game; absent without such a limit.
    pub game_ms: [Option<u64>; 2],
    /// Milliseconds that each seat has left for the ply; absent without such a limit.
    pub move_ms: [Option<u64>; 2],
    /// The seat whose time runs; absent while the clock is stopped.
    pub running: Option<usize>,
    /// The seat that has run out of time and so lost.
    pub out: Option<usize>,
}
