//! The engine against code that shares nothing with it: the referee, exhaustive search,
//! the scores of another solver.
//! One program, so that code generic over the rules is compiled once, and both cores
//! have work until its end.

mod connect6;
mod endings;
mod families;
mod fouls;
mod gravity;
mod minimax;
mod patterns;
#[path = "../support/prover.rs"]
mod prover;
mod root;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/toys.rs"]
mod toys;
mod verdicts;
