//! Builds trees node by node, in preorder.

use super::flag;
use super::header::{NEWEST, header};
use super::limits::{Full, Limits};
use super::place::place;
use super::tree::{Extra, Node, Step, Tree};

/// Annotation of a node of a [`Builder`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Notes<'a> {
    /// Whether the node is marked.
    pub mark: bool,
    /// Whether an editor begins to show the library here.
    pub start: bool,
    /// Comment on the position after the node: one line, and more lines after a byte 08. A byte
    /// 0 cannot be written and becomes a blank.
    pub comment: Option<&'a [u8]>,
    /// Text shown on the cell of the node in the position before it; RenLib has room for five
    /// characters. A byte 0 becomes a blank.
    pub board_text: Option<&'a [u8]>,
}

/// Why a node cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AddNodeError {
    /// A second root, or a cell off the 15x15 board.
    #[error("{0:?} does not fit into a library, whose board is 15x15")]
    Place(Step),
    /// More than the limits allow.
    #[error("the library is too large: {0}")]
    Full(#[from] Full),
}

/// Builds a [`Tree`]. A new child is added to the current open node and becomes the open node.
#[derive(Debug)]
pub struct Builder {
    pub(super) tree: Tree,
    /// The path from the root to the open node. Never empty.
    pub(super) open: Vec<u32>,
    limits: Limits,
}

impl Builder {
    /// Creates a tree with nothing but its root, which is open. The tree has the header of the
    /// newest version, so that it can hold everything RenLib 3 supports.
    pub fn new(limits: Limits) -> Builder {
        let limits = Limits {
            nodes: limits.nodes.min(u32::MAX as usize - 1),
            text: limits.text.min(u32::MAX as usize),
        };
        let tree = Tree {
            header: header(NEWEST),
            rooted: true,
            nodes: vec![Node { place: 0, flags: 0, end: 1 }],
            extras: Vec::new(),
            bytes: Vec::new(),
            unmet: 0,
        };
        Builder { tree, open: vec![0], limits }
    }

    /// Sets the annotation of the root, the position before the first move. Must be called
    /// before children are added.
    ///
    /// # Errors
    /// A limit is reached.
    ///
    /// # Panics
    /// The tree has children, or the root already has texts: texts are stored in node order.
    pub fn annotate_root(&mut self, notes: &Notes) -> Result<(), Full> {
        assert!(self.tree.is_empty() && self.tree.extras.is_empty());
        let (flags, extension) = flags_of(notes);
        self.start_root(flags, extension)?;
        self.texts(notes)
    }

    /// Adds a child to the open node, and opens it.
    ///
    /// # Errors
    /// A library cannot hold the step, or a limit is reached. In the latter case the last node
    /// of the tree may lack its notes.
    pub fn child(&mut self, step: Step, notes: &Notes) -> Result<(), AddNodeError> {
        let bad = AddNodeError::Place(step);
        let (place, flags) = match step {
            Step::Root => return Err(bad),
            Step::Stone(cell) => (place(cell).ok_or(bad)?, 0),
            Step::Pass => (0, 0),
            Step::Label(None) => (0, flag::NO_MOVE),
            Step::Label(Some(cell)) => (place(cell).ok_or(bad)?, flag::NO_MOVE),
        };
        let (note_flags, extension) = flags_of(notes);
        self.push(place, flags | note_flags, extension)?;
        Ok(self.texts(notes)?)
    }

    /// Closes the open node, which opens its parent. The root stays open.
    pub fn up(&mut self) {
        if self.open.len() > 1 {
            self.close();
        }
    }

    /// The tree, all nodes closed.
    pub fn finish(mut self) -> Tree {
        while !self.open.is_empty() {
            self.close();
        }
        self.tree
    }

    /// Sets the flags of the root. Its texts follow through the functions below.
    pub(super) fn start_root(&mut self, flags: u8, extension: u16) -> Result<(), Full> {
        self.tree.nodes[0].flags = flags & flag::STORED;
        self.start_extra(0, flags, extension)
    }

    /// Opens a node. Its texts follow through the functions below.
    pub(super) fn push(&mut self, place: u8, flags: u8, extension: u16) -> Result<(), Full> {
        let nodes = &mut self.tree.nodes;
        // The root is not counted.
        if nodes.len() > self.limits.nodes {
            return Err(Full::Nodes(self.limits.nodes));
        }
        nodes.try_reserve(1).map_err(|_| Full::Memory)?;
        self.open.try_reserve(1).map_err(|_| Full::Memory)?;
        // The limits ensure that this fits.
        let id = nodes.len() as u32;
        nodes.push(Node { place, flags, end: id + 1 });
        self.open.push(id);
        self.start_extra(id, flags, extension)
    }

    fn start_extra(&mut self, id: u32, flags: u8, extension: u16) -> Result<(), Full> {
        if flags & (flag::COMMENT | flag::EXTENSION) != 0 {
            let Tree { extras, bytes, nodes, .. } = &mut self.tree;
            if extras.try_reserve(1).is_err() {
                // Without memory for the extra, the flags that announce it are cleared.
                nodes[id as usize].flags &= !(flag::COMMENT | flag::EXTENSION);
                return Err(Full::Memory);
            }
            let start = bytes.len() as u32;
            extras.push(Extra { node: id, start, middle: start, extension });
        }
        Ok(())
    }

    fn texts(&mut self, notes: &Notes) -> Result<(), Full> {
        let written = |&byte: &u8| if byte == 0 { b' ' } else { byte };
        for byte in notes.comment.unwrap_or_default().iter().map(written) {
            self.comment_byte(byte)?;
        }
        for byte in notes.board_text.unwrap_or_default().iter().map(written) {
            self.text_byte(byte)?;
        }
        Ok(())
    }

    /// Appends a byte to the comment of the node opened last, which must have an extra. Must not
    /// be called after [`text_byte`](Self::text_byte).
    pub(super) fn comment_byte(&mut self, byte: u8) -> Result<(), Full> {
        self.text_byte(byte)?;
        if let Some(extra) = self.tree.extras.last_mut() {
            extra.middle += 1;
        }
        Ok(())
    }

    /// Appends a byte to the cell text of the node opened last, which must have an extra.
    pub(super) fn text_byte(&mut self, byte: u8) -> Result<(), Full> {
        let bytes = &mut self.tree.bytes;
        if bytes.len() >= self.limits.text {
            return Err(Full::Text(self.limits.text));
        }
        bytes.try_reserve(1).map_err(|_| Full::Memory)?;
        bytes.push(byte);
        Ok(())
    }

    /// Closes the open node. Returns whether it announced a sibling.
    pub(super) fn close(&mut self) -> bool {
        let Some(id) = self.open.pop() else { return false };
        let end = self.tree.nodes.len() as u32;
        let node = &mut self.tree.nodes[id as usize];
        node.end = end;
        let announced = node.flags & flag::SIBLING != 0;
        node.flags &= flag::STORED;
        announced
    }
}

/// Returns the flags for some notes, and the extension flags.
fn flags_of(notes: &Notes) -> (u8, u16) {
    let set = |on: bool, flag: u8| if on { flag } else { 0 };
    let text = notes.board_text.is_some();
    let flags = set(notes.mark, flag::MARK)
        | set(notes.start, flag::START)
        | set(notes.comment.is_some(), flag::COMMENT)
        | set(text, flag::EXTENSION);
    (flags, if text { flag::TEXT } else { 0 })
}
