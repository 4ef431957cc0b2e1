//! A second checker of winning trees. It was written only from the description of the files
//! (`src/proof/FORMAT.md`) and the text of the rules, shares no code with the first, and works
//! differently: sets of cells as words, windows counted on the whole board at once, fouls by
//! their definition.

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
