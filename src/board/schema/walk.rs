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

/// How a walk stands.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WalkState {
    /// There is none.
    None,
    /// A tree is opened.
    Opening,
    /// The move of the tree is awaited.
    Waiting,
    /// The defender is to move.
    Asked,
    /// The tree has no move, or none yet.
    Stuck,
    /// The attacker has won.
    Won,
}

/// A walk through a winning tree: a person plays the defender.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Walk {
    /// How it stands.
    pub state: WalkState,
    /// The name of the tree.
    pub name: String,
    /// What it proves, in a sentence.
    pub claim: String,
    /// How it stands, in sentences.
    pub text: String,
    /// Who plays by the tree.
    #[cfg_attr(test, ts(type = "Color"))]
    pub attacker: Color,
    /// The node whose position is spoken of.
    pub node: usize,
    /// The replies that are left there; absent where that is not known.
    #[cfg_attr(test, ts(type = "Cell[] | null"))]
    pub left: Option<Vec<Cell>>,
    /// What follows as long as there is a single reply.
    pub forced: Option<Line>,
    /// What the attacker threatens.
    pub threat: Option<Line>,
}
