//! The parts of events that carry winning trees and walks through them.

use goren_core::types::{Cell, Color};
use serde::{Deserialize, Serialize};

use super::line::Line;

/// A winning tree that can be walked through.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreeInfo {
    /// Its name.
    pub name: String,
    /// What it proves, or why it cannot be read.
    pub text: String,
}

/// The state of a walk.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WalkState {
    /// There is none.
    None,
    /// A tree is being opened.
    Opening,
    /// The tree's move is awaited.
    Waiting,
    /// The defender is to move.
    Asked,
    /// The tree has no move, or none yet.
    Stuck,
    /// The attacker has won.
    Won,
}

/// A walk through a winning tree: the user plays the defender.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Walk {
    /// Its state.
    pub state: WalkState,
    /// The name of the tree.
    pub name: String,
    /// What it proves, in a sentence.
    pub claim: String,
    /// Its state in sentences.
    pub text: String,
    /// The side that plays by the tree.
    #[cfg_attr(test, ts(type = "Color"))]
    pub attacker: Color,
    /// The node of the position.
    pub node: usize,
    /// The replies there that need an answer of their own; absent if unknown.
    #[cfg_attr(test, ts(type = "Cell[] | null"))]
    pub left: Option<Vec<Cell>>,
    /// The forced line: as long as there is a single reply.
    pub forced: Option<Line>,
    /// The attacker's threat.
    pub threat: Option<Line>,
}
