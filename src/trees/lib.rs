//! Files of winning trees, and walks through them: the attacker plays by the tree, a
//! person plays the defender.
//!
//! - [`open`]: a file of either kind, a table or a packed tree ([`packed`]);
//! - [`replies`]: the replies to the position that is proven, which are gone through one
//!   by one;
//! - [`walk`]: a game that a tree plays.

mod file;
pub mod packed;
pub mod replies;
pub mod walk;

pub use file::{MOST_HEAD, TreeFile, claim, open};
