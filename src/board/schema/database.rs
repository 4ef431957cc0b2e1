//! The parts of events that carry a database of positions.

use goren_core::types::{Cell, Color};
use serde::{Deserialize, Serialize};

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Known {
    /// Its label, a letter, for the side that has just moved: `w` wins, `l` loses, `d` is
    /// a draw, `x` is a move that the engine must not play, `!` the one that it must; empty
    /// for none.
    pub label: String,
    /// Points for the side to move; absent where there are none.
    pub value: Option<i16>,
    /// Plies that the value was searched to.
    pub depth: i16,
    /// Whether the value is `exact`, or a `lower` or `upper` bound.
    pub bound: String,
    /// The comment; may be empty.
    pub comment: String,
}

/// What is known of a move from the position shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KnownMove {
    /// Where.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// The label of the position after it, with the plies to the end, or the chances of
    /// the side that moves there: `w13`, `l*`, `57%`; empty where it has none.
    pub shown: String,
    /// The text on the point; may be empty.
    pub text: String,
    /// Whether the position after it has a comment.
    pub commented: bool,
}

/// What is known of a position of the tree.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KnownBranch {
    /// Its node.
    pub node: usize,
    /// As in [`KnownMove`], of the side that moved there.
    pub shown: String,
}

/// The open database and what it knows of the position shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Database {
    /// Its name; absent where none is open.
    pub name: Option<String>,
    /// Its records.
    pub records: usize,
    /// Whether there are changes that its file does not have.
    pub unsaved: bool,
    /// Why it cannot be changed; empty if it can.
    pub locked: String,
    /// The node whose position is spoken of.
    pub node: usize,
    /// The side that has just moved there, of which labels speak.
    #[cfg_attr(test, ts(type = "Color"))]
    pub mover: Color,
    /// Why a database cannot know this position; empty if it can.
    pub foreign: String,
    /// What is known of the position; absent for nothing.
    pub here: Option<Known>,
    /// What is known of the moves from it.
    pub moves: Vec<KnownMove>,
    /// What is known of the positions of the line shown, and of those that branch off it.
    pub branches: Vec<KnownBranch>,
}
