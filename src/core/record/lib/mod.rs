//! Libraries of RenLib (`.lib`): trees of moves with comments, as RenLib 2 and
//! 3 and the editors after it keep them, on a board of 15x15.
//!
//! ```text
//! FF "RenLib" FF  major minor  FF x 10        head, 20 bytes; the oldest files have none
//! place flags [extension x 2] [comment] [text of the cell]           a node, and so on
//! ```
//!
//! Nodes stand in preorder. The place is `16 * row + column`, rows from 0 at
//! the top, columns from 1 at the left; 0 is no cell: the root, where it is the
//! first node, and a pass elsewhere. Files up to 3.0 leave the root out.
//!
//! | flag | says |
//! |---|---|
//! | 80 | a brother follows, after all that is below this node |
//! | 40 | nothing is below this node |
//! | 20 | a comment of the old kind: seven bits a character, the last one with 80 |
//! | 10 | marked |
//! | 08 | a comment, its end a 0 |
//! | 04 | where the editor begins to show the library |
//! | 02 | no move: the node only holds a text for its cell |
//! | 01 | two more bytes of flags follow; 0001 says: a text to be shown on the cell, its end a 0 |
//!
//! Texts take an even number of bytes, the 0 included. A comment has one line,
//! and after a byte 08 more of them. Nothing tells the code page; see
//! [`CodePage`].
//!
//! A part of a library that RenLib saves announces brothers which are not
//! there; see [`Tree::unmet`].

mod build;
mod read;
mod walk;
mod write;

#[cfg(test)]
mod mutations;
#[cfg(test)]
mod tests;

pub use super::text::CodePage;
pub use build::{BadStep, Builder, Notes};
pub use read::{Fault, LibError, Limits};
pub use walk::{Children, Walk};

use std::fmt;

use crate::types::Cell;

/// Columns and rows of a library's board.
pub const SIDE: usize = 15;

/// The flags of a node; see the table above.
mod flag {
    pub const BROTHER: u8 = 0x80;
    pub const LEAF: u8 = 0x40;
    pub const OLD_COMMENT: u8 = 0x20;
    pub const MARK: u8 = 0x10;
    pub const COMMENT: u8 = 0x08;
    pub const START: u8 = 0x04;
    pub const NO_MOVE: u8 = 0x02;
    pub const EXTENSION: u8 = 0x01;
    /// Those that a tree keeps; the others follow from its shape, and old
    /// comments become new ones.
    pub const KEPT: u8 = MARK | COMMENT | START | NO_MOVE | EXTENSION;
    /// Of the extension, first byte high.
    pub const TEXT: u16 = 0x0001;
}

/// The head of a file.
type Header = [u8; 20];

/// What a head begins with.
const MAGIC: [u8; 8] = *b"\xffRenLib\xff";

/// Major and minor number of the newest version, which RenLib 3 writes.
const NEWEST: (u8, u8) = (3, 4);

/// The head of a file of some version.
fn header((major, minor): (u8, u8)) -> Header {
    let mut header = [0xff; 20];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = major;
    header[9] = minor;
    header
}

/// What a node does to the position above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing: it is the root.
    Root,
    /// A stone of the side to move.
    Stone(Cell),
    /// The side to move passes.
    Pass,
    /// Nothing: it only says something about a cell, or about none.
    Label(Option<Cell>),
}

/// A node in eight bytes. Nodes stand in preorder, so that the first child
/// follows its father and a brother stands at `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    /// As in the file.
    place: u8,
    /// [`flag::KEPT`] of them, once the node is closed.
    flags: u8,
    /// Index after the last node below this one.
    end: u32,
}

/// What only some nodes have: those with [`flag::COMMENT`] or
/// [`flag::EXTENSION`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extra {
    /// Whose.
    node: u32,
    /// Where the comment begins in the bytes of all texts.
    start: u32,
    /// Where it ends, and the text of the cell begins, which ends with the
    /// next extra.
    middle: u32,
    /// More flags.
    extension: u16,
}

/// A library: a tree of moves. Whether they can be played is not judged; a
/// place may be taken, and brothers may be alike.
///
/// Eight bytes a node, and sixteen more and the texts where there are any.
#[derive(Clone, PartialEq, Eq)]
pub struct Tree {
    header: Header,
    /// Whether the file has a node for the root.
    rooted: bool,
    /// The root first.
    nodes: Vec<Node>,
    /// By node.
    extras: Vec<Extra>,
    bytes: Vec<u8>,
    unmet: usize,
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

    /// All nodes in preorder, the root first.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
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
    tree: &'a Tree,
    id: u32,
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

    /// The nodes one step below.
    pub fn children(self) -> Children<'a> {
        Children::new(self)
    }

    /// How many nodes are below it.
    pub fn below(self) -> usize {
        (self.node().end - self.id - 1) as usize
    }

    fn node(self) -> Node {
        self.tree.nodes[self.id as usize]
    }

    /// Its extra, and the index of that.
    fn extra(self) -> Option<(usize, Extra)> {
        if self.node().flags & (flag::COMMENT | flag::EXTENSION) == 0 {
            return None;
        }
        let extras = &self.tree.extras;
        let index = extras.binary_search_by_key(&self.id, |extra| extra.node).ok()?;
        Some((index, extras[index]))
    }
}

/// The cell of a place; `None` for no cell, and for what [`is_place`] refuses.
fn cell(place: u8) -> Option<Cell> {
    let (x, y) = (usize::from(place & 15), usize::from(place >> 4));
    (x >= 1 && y < SIDE).then(|| Cell::new(x - 1, y))
}

/// Whether a byte is a cell or the 0 of none.
fn is_place(byte: u8) -> bool {
    byte == 0 || cell(byte).is_some()
}

/// The place of a cell of the board.
fn place(cell: Cell) -> Option<u8> {
    let on_board = cell.x() < SIDE && cell.y() < SIDE;
    on_board.then(|| (16 * cell.y() + cell.x() + 1) as u8)
}
