//! A second checker of winning trees. It was written from the description of the
//! files (`src/proof/FORMAT.md`) and the text of the rules alone, shares no code
//! with the first, and works in another way: sets of cells as words, windows
//! counted by whole boards, fouls by their definition.

mod bits;
mod claim;
mod derive;
mod file;
mod foul;
mod grid;
mod images;
mod memory;
mod source;
#[cfg(test)]
mod tests;

pub use claim::{Options, Verdict, check};
pub use file::Claim;
pub use grid::Rule;
pub use source::Flaw;
