//! [`Guide`]: the interface by which a search runner asks a winning tree for moves and replies.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use goren_core::rules::Setup;
use goren_core::types::{Cell, Color};
use goren_engine::Control;

/// The claim that a winning tree proves.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct TreeClaim {
    /// The rule and the board.
    pub setup: Setup,
    /// The side that wins.
    pub attacker: Color,
    /// The stones of the root position, in order.
    pub stones: Vec<(Cell, Color)>,
    /// The side to move in the root position.
    pub to_move: Color,
    /// Number of replies whose part of the tree is read only when they are played; `None` for
    /// a tree that is not packed by replies.
    pub parts: Option<usize>,
}

/// Answer to a request for the move of a winning tree.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub enum TreeMove {
    /// A move, and whether it was read from the tree; else the engine found it.
    Move(Cell, bool),
    /// The tree has no move.
    None,
    /// No move yet, and the memory is full.
    Full,
    /// The wait was ended before a move was found.
    Ended,
}

/// The defender's replies in a position of a winning tree.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
pub struct RemainingReplies {
    /// The replies that need an answer of their own; `None` if unknown.
    pub left: Option<Vec<Cell>>,
    /// Number of replies that are not fouls.
    pub all: usize,
    /// The forced line: as long as there is a single reply, that reply first.
    pub forced: Vec<Cell>,
    /// The attacker's moves against a pass, with the only replies to them.
    pub threat: Vec<Cell>,
    /// Whether the tree is still being read, so that more may be known later.
    pub reading: bool,
}

/// Gives the moves of winning trees.
pub trait Guide: Send {
    /// Opens a tree in place of the open one. Returns `None` if `control` ended the opening:
    /// the old tree stays open.
    ///
    /// # Errors
    /// No tree has this name, or it cannot be read: the old tree stays open.
    fn open(&mut self, name: &str, control: &Control) -> Result<Option<TreeClaim>>;
    /// Returns the move of the open tree; `observer` gets the share that has been read.
    ///
    /// # Errors
    /// No tree is open, the moves are not in it, or the tree is wrong.
    fn tree_move(
        &mut self,
        moves: &[Cell],
        control: &Control,
        observer: &mut dyn FnMut(f64),
    ) -> Result<TreeMove>;
    /// Returns the defender's replies.
    ///
    /// # Errors
    /// As in [`Guide::tree_move`].
    fn remaining_replies(&mut self, moves: &[Cell], control: &Control) -> Result<RemainingReplies>;
    /// Closes the open tree and frees its memory.
    fn close(&mut self);
}
