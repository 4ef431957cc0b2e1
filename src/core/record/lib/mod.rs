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
//! [`CodePage`](super::text::CodePage).
//!
//! A part of a library that RenLib saves announces brothers which are not
//! there; see [`Tree::unmet`].

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

pub use build::{BadStep, Builder, Notes};
pub use header::looks;
pub use limits::Limits;
pub use place::SIDE;
pub use read::{LibError, LibFault};
pub use tree::{NodeRef, Step, Tree};
pub use walk::{Children, Preorder};
