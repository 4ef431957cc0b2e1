//! Values in commands and events.

use serde::{Deserialize, Serialize};

/// Who acts for a seat.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// A person at the page.
    Person,
    /// The engine.
    Engine,
}

/// A file format of a game.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// SGF, the whole tree.
    Sgf,
    /// The format of Piskvork.
    Psq,
    /// Moves as text.
    Moves,
    /// Goren's JSON: a line of the games that it plays.
    Json,
    /// A RenLib library, the whole tree.
    Lib,
    /// The whole tree with comments and marks, as the page stores it.
    Tree,
}

/// A search that the user starts on demand.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Query {
    /// A ply for the seat to act, also in an opening, at full strength.
    Hint,
    /// The other side's best line if it were to move.
    Threat,
    /// The shortest win by fours of the side to move.
    Vcf,
    /// A win of the other side if the side to move passed: by fours, else by threats.
    OtherWin,
    /// A win by fours and threats of the side to move.
    Vct,
    /// The moves of the side to move that are not proven to lose.
    Defences,
    /// A stone of the side to move that brings the score near 0.
    Balance,
    /// A stone of each side that together bring the score near 0.
    BalanceTwo,
}

/// A mark on a point.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A cross.
    Cross,
}
