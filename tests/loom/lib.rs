//! The shared transposition table, tried under all interleavings: what a
//! thread finds under a key was stored whole under that key.

#![cfg(loom)]

#[path = "../../src/tt.rs"]
mod tt;
#[path = "../../src/types/mod.rs"]
mod types;

#[cfg(test)]
mod models;
