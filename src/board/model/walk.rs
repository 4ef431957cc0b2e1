//! A walk through a winning tree, and the list of trees.

use std::collections::BTreeMap;

use anyhow::Result;

use super::training::Aside;
use crate::guide::{RemainingReplies, TreeClaim};
use crate::schema::{TreeInfo, WalkState};

/// Winning trees that a model may list.
pub trait TreeList: Send {
    /// Returns the trees in order of their names, each with its claim or the reason why it
    /// cannot be read.
    ///
    /// # Errors
    /// An I/O error.
    fn trees(&self) -> Result<Vec<TreeInfo>>;
}

/// A walk, and the game that was set aside for it.
pub(super) struct Walking {
    pub(super) name: String,
    pub(super) claim: TreeClaim,
    /// The node of the proven position.
    pub(super) root: usize,
    pub(super) state: WalkState,
    pub(super) message: String,
    /// The known replies, by the nodes where the defender is to move.
    pub(super) remaining_replies: BTreeMap<usize, RemainingReplies>,
    pub(super) aside: Aside,
}
