//! A walk through a winning tree, and the trees that there are.

use std::collections::BTreeMap;

use anyhow::Result;

use super::training::Aside;
use crate::guide::{RemainingReplies, TreeClaim};
use crate::schema::{TreeInfo, WalkState};

/// Winning trees that a model may list.
pub trait TreeList: Send {
    /// The trees in order of their names, each with what it proves or why it cannot be
    /// read.
    ///
    /// # Errors
    /// An I/O error.
    fn trees(&self) -> Result<Vec<TreeInfo>>;
}

/// A walk, and the game that was put aside for it.
pub(super) struct Walking {
    pub(super) name: String,
    pub(super) claim: TreeClaim,
    /// The node of the position that is proven.
    pub(super) root: usize,
    pub(super) state: WalkState,
    pub(super) reported: String,
    /// What is known of positions where the defender is to move.
    pub(super) remaining_replies: BTreeMap<usize, RemainingReplies>,
    pub(super) aside: Aside,
}
