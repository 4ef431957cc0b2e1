//! The shared transposition table under all interleavings: an entry that a thread
//! finds under a key was stored whole under that key.

#![cfg(loom)]

#[path = "../../src/engine/tt.rs"]
mod tt;

#[cfg(test)]
mod models;
