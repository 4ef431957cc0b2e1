//! Trees and their nodes, as they are kept.

use std::fmt;

use super::flag;
use super::header::Header;
use super::place::cell;
use crate::record::text::CodePage;
use crate::types::Cell;

/// The step from a node's parent to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing: it is the root.
    Root,
    /// A stone of the side to move.
    Stone(Cell),
    /// The side to move passes.
    Pass,
    /// No move: the node only carries a text about a cell, or about none.
    Label(Option<Cell>),
}

/// A node in eight bytes. Nodes stand in preorder, so that the first child
/// follows its father and a brother stands at `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// As in the file.
    pub(super) place: u8,
    /// [`flag::KEPT`] of them, once the node is closed.
    pub(super) flags: u8,
    /// Index after the last node below this one.
    pub(super) end: u32,
}

/// Optional data of a node with [`flag::COMMENT`] or [`flag::EXTENSION`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extra {
    /// The number of the node.
    pub(super) node: u32,
    /// Where the comment begins in the bytes of all texts.
    pub(super) start: u32,
    /// Where it ends, and the text of the cell begins, which ends with the
    /// next extra.
    pub(super) middle: u32,
    /// More flags.
    pub(super) extension: u16,
}

/// A library: a tree of moves. Whether they can be played is not judged; a
/// place may be taken, and brothers may be alike.
///
/// Eight bytes a node, and sixteen more and the texts where there are any.
#[derive(Clone, PartialEq, Eq)]
pub struct Tree {
    pub(super) header: Header,
    /// Whether the file has a node for the root.
    pub(super) rooted: bool,
    /// The root first.
    pub(super) nodes: Vec<Node>,
    /// By node.
    pub(super) extras: Vec<Extra>,
    pub(super) bytes: Vec<u8>,
    pub(super) unmet: usize,
}

/// Trees are too long to be printed.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = (self.header[8], self.header[9]);
        let Tree { rooted, unmet, .. } = self;
        write!(f, "Tree {{ version: {version:?}, rooted: {rooted}, unmet: {unmet}, ")?;
        write!(f, "nodes: {}, texts: {} }}", self.len(), self.bytes.len())
    }
}

impl Tree {
    /// Nodes below the root.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Nodes that the file announced and did not hold: 0, but for a part of a
    /// library as RenLib saves it, and for a file that was cut between two
    /// nodes. The two cannot be told apart.
    pub fn unmet(&self) -> usize {
        self.unmet
    }

    /// The root.
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { tree: self, id: 0 }
    }

    /// The code page that suits most texts; see [`CodePage::guess`].
    pub fn code_page(&self) -> CodePage {
        let texts = self.extras.iter().enumerate().flat_map(|(i, extra)| {
            let (start, middle) = (extra.start as usize, extra.middle as usize);
            [&self.bytes[start..middle], &self.bytes[middle..self.end_of_extra(i)]]
        });
        CodePage::guess(texts)
    }

    /// Where the texts of an extra end.
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
    /// What it does to the position.
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

    /// Whether it is marked.
    pub fn is_marked(self) -> bool {
        self.node().flags & flag::MARK != 0
    }

    /// Whether an editor begins to show the library here.
    pub fn is_start(self) -> bool {
        self.node().flags & flag::START != 0
    }

    /// The comment on the position after the node, in the bytes of the file:
    /// one line, and after a byte 08 more of them.
    pub fn comment(self) -> Option<&'a [u8]> {
        let (_, extra) = self.extra()?;
        let range = extra.start as usize..extra.middle as usize;
        (self.node().flags & flag::COMMENT != 0).then(|| &self.tree.bytes[range])
    }

    /// The two parts of [`comment`](Self::comment): one line, and many. Each
    /// may be empty.
    pub fn comment_parts(self) -> (&'a [u8], &'a [u8]) {
        let comment = self.comment().unwrap_or_default();
        match comment.iter().position(|&byte| byte == 8) {
            Some(at) => (&comment[..at], &comment[at + 1..]),
            None => (comment, &[]),
        }
    }

    /// What is to be shown on the cell of the node in the position above it,
    /// in the bytes of the file.
    pub fn board_text(self) -> Option<&'a [u8]> {
        let (index, extra) = self.extra()?;
        let range = extra.middle as usize..self.tree.end_of_extra(index);
        (extra.extension & flag::TEXT != 0).then(|| &self.tree.bytes[range])
    }

    /// How many nodes are below it.
    pub fn below(self) -> usize {
        (self.node().end - self.id - 1) as usize
    }

    pub(super) fn node(self) -> Node {
        self.tree.nodes[self.id as usize]
    }

    /// Its extra, and the index of that.
    pub(super) fn extra(self) -> Option<(usize, Extra)> {
        if self.node().flags & (flag::COMMENT | flag::EXTENSION) == 0 {
            return None;
        }
        let extras = &self.tree.extras;
        let index = extras.binary_search_by_key(&self.id, |extra| extra.node).ok()?;
        Some((index, extras[index]))
    }
}
