//! Winning trees from the solvers to the checker: built, checked, damaged.

mod built;
mod checkers;
mod names;
mod packed;
mod runs;
#[path = "../../support/sibling.rs"]
mod sibling;
mod solved;
mod statistics;
mod support;
