//! RenLib libraries (`.lib`): trees of moves with comments on a 15x15 board, as RenLib 2, RenLib 3
//! and later editors store them.
//!
//! ```text
//! FF "RenLib" FF  major minor  FF x 10        header, 20 bytes; the oldest files have none
//! place flags [extension x 2] [comment] [text of the cell]           a node, and so on
//! ```
//!
//! Nodes are in preorder. The place is `16 * row + column`, rows from 0 at the top, columns from 1
//! at the left. Place 0 is no cell: the root if it is the first node, otherwise a pass. Files up
//! to 3.0 leave the root out.
//!
//! | flag | meaning |
//! |---|---|
//! | 80 | a sibling follows after the subtree of this node |
//! | 40 | the node has no children |
//! | 20 | a comment in the old format: seven bits a character, the last one with 80 |
//! | 10 | marked |
//! | 08 | a comment, terminated by 0 |
//! | 04 | where the editor begins to show the library |
//! | 02 | no move: the node only holds a text for its cell |
//! | 01 | two more bytes of flags follow; 0001: a text to show on the cell, terminated by 0 |
//!
//! Texts are padded to an even number of bytes, including the 0. A comment has one line, and more
//! lines after a byte 08. The file does not name its code page; see
//! [`CodePage`](super::text::CodePage).
//!
//! If RenLib saves a part of a library, the file announces siblings that it does not contain; see
//! [`Tree::unmet`].

mod build;
mod flag;
mod header;
mod limits;
mod place;
mod read;
mod tree;
mod walk;
mod write;

#[cfg(test)]
mod mutations;
#[cfg(test)]
mod tests;

pub use build::{AddNodeError, Builder, Notes};
pub use header::looks;
pub use limits::Limits;
pub use place::SIDE;
pub use read::{LibError, LibFault};
pub use tree::{NodeRef, Step, Tree};
pub use walk::{Children, Preorder};
