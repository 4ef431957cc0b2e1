//! The clock of a game.

use serde::{Deserialize, Serialize};

/// The time that both sides have in a game.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Milliseconds for the game; absent for no limit.
    #[serde(default)]
    pub game_ms: Option<u64>,
    /// Milliseconds that are added to these with each ply.
    #[serde(default)]
    pub increment_ms: u64,
    /// Most milliseconds for a ply; absent for no limit.
    #[serde(default)]
    pub move_ms: Option<u64>,
}

/// How the clock stands at the position shown.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClockView {
    /// The time control; absent where the game has no clock.
    pub control: Option<TimeControl>,
    /// Milliseconds that the seats have left for the game; absent without that limit.
    pub game_ms: [Option<u64>; 2],
    /// Milliseconds that they have left for a ply; absent without that limit.
    pub move_ms: [Option<u64>; 2],
    /// The seat whose time runs; absent while the clock is stopped.
    pub running: Option<usize>,
    /// The seat whose time is out: it has lost.
    pub out: Option<usize>,
}
