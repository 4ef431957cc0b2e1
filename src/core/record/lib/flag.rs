//! Flags of a node; see the table of the format in the documentation of [`lib`](super).

/// A sibling follows.
pub(super) const SIBLING: u8 = 0x80;
/// The node has no children.
pub(super) const LEAF: u8 = 0x40;
/// A comment in the old format.
pub(super) const OLD_COMMENT: u8 = 0x20;
/// Marked.
pub(super) const MARK: u8 = 0x10;
/// A comment.
pub(super) const COMMENT: u8 = 0x08;
/// An editor begins to show the library here.
pub(super) const START: u8 = 0x04;
/// No move, only a text for a cell.
pub(super) const NO_MOVE: u8 = 0x02;
/// Two more bytes of flags follow.
pub(super) const EXTENSION: u8 = 0x01;
/// Flags stored in a tree. The others follow from its shape, and comments in the old format are
/// converted.
pub(super) const STORED: u8 = MARK | COMMENT | START | NO_MOVE | EXTENSION;
/// Extension flag, high byte first: a text is shown on the cell.
pub(super) const TEXT: u16 = 0x0001;
