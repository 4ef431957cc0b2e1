//! Files of winning trees, and walks through them: the attacker plays from the tree, the user
//! plays the defender.
//!
//! - [`open`]: a file of either kind, a table or a packed tree ([`packed`]);
//! - [`replies`]: the replies to the proven position, which are checked one by one;
//! - [`walk`]: a game that a tree plays.

mod file;
pub mod packed;
pub mod replies;
pub mod walk;

pub use file::{MAX_HEAD, TreeFile, claim, open};
