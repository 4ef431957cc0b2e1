//! Trees and their nodes in memory.

use std::fmt;

use super::flag;
use super::header::Header;
use super::place::cell;
use crate::record::text::CodePage;
use crate::types::Cell;

/// The step from a node's parent to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The root, which has no step.
    Root,
    /// A stone of the side to move.
    Stone(Cell),
    /// The side to move passes.
    Pass,
    /// No move: the node only carries a text about a cell, or about no cell.
    Label(Option<Cell>),
}

/// A node in eight bytes. Nodes are in preorder, so that the first child follows its parent and
/// the next sibling is at `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// As in the file.
    pub(super) place: u8,
    /// Flags of the file; once the node is closed, only those in [`flag::STORED`].
    pub(super) flags: u8,
    /// Index after the last node below this one.
    pub(super) end: u32,
}

/// Optional data of a node with [`flag::COMMENT`] or [`flag::EXTENSION`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extra {
    /// Index of the node.
    pub(super) node: u32,
    /// Where the comment begins in the bytes of all texts.
    pub(super) start: u32,
    /// Where the comment ends and the text of the cell begins. The latter ends where the next
    /// extra starts.
    pub(super) middle: u32,
    /// Extension flags.
    pub(super) extension: u16,
}

/// A library: a tree of moves. The moves are not checked: a cell may be occupied, and siblings may
/// be equal.
///
/// A node takes eight bytes; with texts, sixteen bytes more and the texts themselves.
#[derive(Clone, PartialEq, Eq)]
pub struct Tree {
    pub(super) header: Header,
    /// Whether the file has a node for the root.
    pub(super) rooted: bool,
    /// Nodes in preorder, the root first.
    pub(super) nodes: Vec<Node>,
    /// By node.
    pub(super) extras: Vec<Extra>,
    pub(super) bytes: Vec<u8>,
    pub(super) unmet: usize,
}

/// Prints a summary, as trees are too long.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = (self.header[8], self.header[9]);
        let Tree { rooted, unmet, .. } = self;
        write!(f, "Tree {{ version: {version:?}, rooted: {rooted}, unmet: {unmet}, ")?;
        write!(f, "nodes: {}, texts: {} }}", self.len(), self.bytes.len())
    }
}

impl Tree {
    /// Returns the number of nodes below the root.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether the tree has nothing but its root.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of nodes that the file announced but did not contain. It is 0 except for
    /// a part of a library saved by RenLib, and a file cut off between two nodes. The two cannot
    /// be distinguished.
    pub fn unmet(&self) -> usize {
        self.unmet
    }

    /// Returns the root.
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { tree: self, id: 0 }
    }

    /// Guesses the code page of the texts; see [`CodePage::guess`].
    pub fn code_page(&self) -> CodePage {
        let texts = self.extras.iter().enumerate().flat_map(|(i, extra)| {
            let (start, middle) = (extra.start as usize, extra.middle as usize);
            [&self.bytes[start..middle], &self.bytes[middle..self.end_of_extra(i)]]
        });
        CodePage::guess(texts)
    }

    /// Returns where the texts of an extra end.
    fn end_of_extra(&self, index: usize) -> usize {
        self.extras.get(index + 1).map_or(self.bytes.len(), |next| next.start as usize)
    }
}

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct NodeRef<'a> {
    pub(super) tree: &'a Tree,
    pub(super) id: u32,
}

impl<'a> NodeRef<'a> {
    /// Returns the step that leads to the node.
    pub fn step(self) -> Step {
        if self.id == 0 {
            return Step::Root;
        }
        let node = self.node();
        match (cell(node.place), node.flags & flag::NO_MOVE != 0) {
            (cell, true) => Step::Label(cell),
            (Some(cell), false) => Step::Stone(cell),
            (None, false) => Step::Pass,
        }
    }

    /// Whether the node is marked.
    pub fn is_marked(self) -> bool {
        self.node().flags & flag::MARK != 0
    }

    /// Whether an editor begins to show the library here.
    pub fn is_start(self) -> bool {
        self.node().flags & flag::START != 0
    }

    /// Returns the comment on the position after the node, in the bytes of the file: one line,
    /// and more lines after a byte 08.
    pub fn comment(self) -> Option<&'a [u8]> {
        let (_, extra) = self.extra()?;
        let range = extra.start as usize..extra.middle as usize;
        (self.node().flags & flag::COMMENT != 0).then(|| &self.tree.bytes[range])
    }

    /// Splits [`comment`](Self::comment) into its first line and the lines after the byte 08. Each
    /// part may be empty.
    pub fn comment_parts(self) -> (&'a [u8], &'a [u8]) {
        let comment = self.comment().unwrap_or_default();
        match comment.iter().position(|&byte| byte == 8) {
            Some(at) => (&comment[..at], &comment[at + 1..]),
            None => (comment, &[]),
        }
    }

    /// Returns the text to show on the cell of the node in the position before it, in the bytes of
    /// the file.
    pub fn board_text(self) -> Option<&'a [u8]> {
        let (index, extra) = self.extra()?;
        let range = extra.middle as usize..self.tree.end_of_extra(index);
        (extra.extension & flag::TEXT != 0).then(|| &self.tree.bytes[range])
    }

    /// Returns the number of nodes below this one.
    pub fn below(self) -> usize {
        (self.node().end - self.id - 1) as usize
    }

    pub(super) fn node(self) -> Node {
        self.tree.nodes[self.id as usize]
    }

    /// Returns the extra of the node and its index.
    pub(super) fn extra(self) -> Option<(usize, Extra)> {
        if self.node().flags & (flag::COMMENT | flag::EXTENSION) == 0 {
            return None;
        }
        let extras = &self.tree.extras;
        let index = extras.binary_search_by_key(&self.id, |extra| extra.node).ok()?;
        Some((index, extras[index]))
    }
}
