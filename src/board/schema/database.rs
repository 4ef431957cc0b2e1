//! The parts of events that carry a database of positions.

use goren_core::types::{Cell, Color};
use serde::{Deserialize, Serialize};

/// The database record of a position.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Known {
    /// Its label, a letter, for the side that has just moved: `w` wins, `l` loses, `d` is
    /// a draw, `x` is a move that the engine must not play, `!` the move that it must play;
    /// empty for none.
    pub label: String,
    /// Points for the side to move; absent for none.
    pub value: Option<i16>,
    /// Search depth of the value, in plies.
    pub depth: i16,
    /// Whether the value is `exact`, or a `lower` or `upper` bound.
    pub bound: String,
    /// The comment; may be empty.
    pub comment: String,
}

/// The database's knowledge of a move from the position shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KnownMove {
    /// The point.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// The label of the position after it, with the plies to the end, or the win rate of
    /// the side that moves there: `w13`, `l*`, `57%`; empty for none.
    pub shown: String,
    /// The text on the point; may be empty.
    pub text: String,
    /// Whether the position after it has a comment.
    pub commented: bool,
}

/// The database's knowledge of a position of the tree.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KnownBranch {
    /// Its node.
    pub node: usize,
    /// As in [`KnownMove`], for the side that moved to this node.
    pub shown: String,
}

/// The open database and its knowledge of the position shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Database {
    /// Its name; absent if none is open.
    pub name: Option<String>,
    /// Number of records.
    pub records: usize,
    /// Whether it has changes that are not saved to its file.
    pub unsaved: bool,
    /// Why it cannot be changed; empty if it can.
    pub locked: String,
    /// The node of the position.
    pub node: usize,
    /// The side that has just moved there, to which the labels refer.
    #[cfg_attr(test, ts(type = "Color"))]
    pub mover: Color,
    /// Why a database cannot hold this position; empty if it can.
    pub foreign: String,
    /// The record of the position; absent for none.
    pub here: Option<Known>,
    /// The known moves from it.
    pub moves: Vec<KnownMove>,
    /// The known positions of the line shown, and of the branches off it.
    pub branches: Vec<KnownBranch>,
}
