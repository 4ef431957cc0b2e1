//! Values that stand in commands and events.

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

/// A form in which a game is saved.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// SGF, the whole tree.
    Sgf,
    /// The form of Piskvork.
    Psq,
    /// Moves as text.
    Moves,
    /// Goren's JSON: a line of the games that it plays.
    Json,
    /// A library of RenLib, the whole tree.
    Lib,
    /// The whole tree with comments and marks, as the page keeps it.
    Tree,
}

/// What is searched for on demand.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Query {
    /// A ply of the seat to act, by an opening's rules too, at full strength.
    Hint,
    /// What the other side would do if it were to move.
    Threat,
    /// A win by fours of the side to move, the shortest.
    Vcf,
    /// A win of the other side if the side to move passed: by fours, else by threats.
    OtherWin,
    /// A win by fours and threats of the side to move.
    Vct,
    /// The moves of the side to move that are not proven to lose.
    Defences,
    /// A stone of the side to move that brings the score near 0.
    Balance,
    /// A stone of each side that together bring it there.
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
