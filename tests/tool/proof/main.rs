//! A winning tree from the solvers to the checker: built, checked, spoilt.

mod built;
mod packed;
mod runs;
mod solved;
mod support;
