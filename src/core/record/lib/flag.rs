//! The flags of a node; see the table of the format at the head of [`lib`](super).

/// A brother follows.
pub(super) const BROTHER: u8 = 0x80;
/// The node has no children.
pub(super) const LEAF: u8 = 0x40;
/// A comment of the old kind.
pub(super) const OLD_COMMENT: u8 = 0x20;
/// Marked.
pub(super) const MARK: u8 = 0x10;
/// A comment.
pub(super) const COMMENT: u8 = 0x08;
/// An editor begins here.
pub(super) const START: u8 = 0x04;
/// No move, only a text for a cell.
pub(super) const NO_MOVE: u8 = 0x02;
/// Two more bytes of flags follow.
pub(super) const EXTENSION: u8 = 0x01;
/// Those that a tree keeps; the others follow from its shape, and old
/// comments become new ones.
pub(super) const KEPT: u8 = MARK | COMMENT | START | NO_MOVE | EXTENSION;
/// A bit of the extension, whose first byte is the high one.
pub(super) const TEXT: u16 = 0x0001;
