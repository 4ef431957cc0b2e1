//! [`Guide`]: the interface by which a search runner asks a winning tree for moves and replies.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use goren_core::rules::Setup;
use goren_core::types::{Cell, Color};
use goren_engine::Control;

/// What a winning tree is about.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct TreeClaim {
    /// The rule and the board.
    pub setup: Setup,
    /// Who is said to win.
    pub attacker: Color,
    /// The stones of the position, in order.
    pub stones: Vec<(Cell, Color)>,
    /// Who is to move there.
    pub to_move: Color,
    /// Replies that are read when they are played, if it is a packed tree of those.
    pub parts: Option<usize>,
}

/// What came of the question for the move of a winning tree.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub enum TreeMove {
    /// A move, and whether it was read in the tree; else the engine found it.
    Move(Cell, bool),
    /// The tree has none.
    None,
    /// None yet, and the memory is full.
    Full,
    /// None until the wait was ended.
    Ended,
}

/// What the defender can do in a position of a winning tree.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
pub struct RemainingReplies {
    /// The replies that need an answer of their own; `None` where that is not known.
    pub left: Option<Vec<Cell>>,
    /// All replies that are no fouls.
    pub all: usize,
    /// What follows as long as there is a single reply, that reply first.
    pub forced: Vec<Cell>,
    /// What the attacker plays against a pass, with the only replies to it.
    pub threat: Vec<Cell>,
    /// Whether more of the tree is being read, so that more may be known later.
    pub reading: bool,
}

/// Knows winning trees.
pub trait Guide: Send {
    /// Opens a tree in place of the one that may be open; `None` where `control` has ended
    /// that meanwhile: the other one stays.
    ///
    /// # Errors
    /// There is none of this name, or it cannot be read: the other one stays.
    fn open(&mut self, name: &str, control: &Control) -> Result<Option<TreeClaim>>;
    /// The move of the open tree; `tell` hears how much is read.
    ///
    /// # Errors
    /// No tree is open, the moves are not those of a walk through it, or it is wrong.
    fn tree_move(
        &mut self,
        moves: &[Cell],
        control: &Control,
        observer: &mut dyn FnMut(f64),
    ) -> Result<TreeMove>;
    /// What the defender can do.
    ///
    /// # Errors
    /// As in [`Guide::tree_move`].
    fn remaining_replies(&mut self, moves: &[Cell], control: &Control) -> Result<RemainingReplies>;
    /// Frees what the open tree takes.
    fn close(&mut self);
}
