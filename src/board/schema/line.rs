//! Lines of stones.

use goren_core::types::{Cell, Color};
use serde::{Deserialize, Serialize};

/// A stone of a line.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineStone {
    /// The point.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// Its colour.
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: Color,
}

/// A line of a search.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// Its stones.
    pub stones: Vec<LineStone>,
    /// The score for the side to move, such as `+35` or `+M5`.
    pub score: String,
    /// Black's win rate, 0 to 1.
    pub black: f64,
    /// Loss of win rate against the best line, for the side to move, 0 to 1.
    pub loss: f64,
    /// The stones as text.
    pub text: String,
}
