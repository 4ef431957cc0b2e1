//! Winning trees: what the attacker plays in every position that the defender
//! can bring about, where they are kept, and the checker that goes through
//! them. Knows the referee and nothing of boards, searches and solvers.

mod check;
mod claim;
mod file;
mod flaw;
mod ground;
mod memory;
mod script;
#[cfg(test)]
mod tests;
mod tree;

pub use check::{Answers, Checker, Moves};
pub use claim::{Claim, Root};
pub use file::{
    Damage, Fault, Form, Journal, ProofError, ProofFile, head, is_packed, read, read_head, write,
};
pub use flaw::{Flaw, FlawKind};
pub use ground::{Ground, Keys, Spot};
pub use script::{Player, Recorder};
pub use tree::Proof;
