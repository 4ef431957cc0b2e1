//! Winning trees, their files and their checker. A tree has a move of the attacker for every
//! position that the defender can reach. The crate uses the referee, but no board, search or
//! solver of the engine.
//!
//! A tree ([`Proof`]) is a table of moves for positions with the attacker to move, by the
//! least key of their symmetric images. The [`Checker`] trusts no claim: it plays the tree out
//! on its own board ([`ProofBoard`]: stones, counts of lines, the referee's wins and fouls).
//! It need not play every reply; the documentation of `check.rs` says why.
//!
//! In this example Black makes two open threes with one stone, which no reply can stop. The
//! tree has one move; the checker finds wins by the last two fours itself.
//!
//! ```
//! use goren_core::rules::{RuleId, Setup};
//! use goren_core::types::{Cell, Color};
//! use goren_proof::{Checker, Claim, Proof, Root};
//!
//! let setup = Setup::new(RuleId::Freestyle, 15, 15)?;
//! let black = [(5, 7), (6, 7), (7, 5), (7, 6)].map(|at| (at, Color::Black));
//! let white = [(0, 0), (0, 14), (14, 0), (14, 14)].map(|at| (at, Color::White));
//! let stones = black.into_iter().chain(white);
//! let stones: Vec<_> = stones.map(|((x, y), color)| (Cell::new(x, y), color)).collect();
//! let root = Root { stones: stones.clone(), to_move: Color::Black };
//! let mut proof = Proof::new(Claim { setup, attacker: Color::Black, root });
//!
//! let mut checker = Checker::new(setup, Color::Black, &proof);
//! for (cell, color) in stones {
//!     checker.board.place(cell, color)?;
//! }
//! assert!(checker.attack(false).is_err(), "there is no move yet");
//!
//! let board = checker.board;
//! let canonical = board.canonical(&board.keys());
//! proof.insert(canonical.key(), board.to_image(&canonical, Cell::new(7, 7)));
//!
//! // Write the tree as a file and read it back.
//! let mut bytes = Vec::new();
//! goren_proof::write(&proof, &mut bytes)?;
//! let (proof, damage) = goren_proof::read(&bytes)?;
//! assert!(damage.is_none());
//!
//! let mut checker = Checker::new(setup, Color::Black, &proof);
//! checker.board = board;
//! assert!(checker.attack(false).is_ok(), "Black wins");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)
)]

mod check;
mod claim;
mod file;
mod flaw;
mod memory;
mod named;
mod proof_board;
mod script;
#[cfg(test)]
mod tests;
mod tree;

pub use check::{Answers, Checker, LinePly, Measure, Moves, Plies};
pub use claim::{Claim, Root, has_free_passes};
pub use file::{
    Damage, Form, Journal, ProofError, ProofFile, TableFault, head, is_packed, is_tree, read,
    read_head, write,
};
pub use flaw::{Flaw, FlawKind};
pub use named::{Entry, FOLDER_VARIABLE, NameError, NamedTrees, is_name};
pub use proof_board::{CanonicalKey, Keys, ProofBoard};
pub use script::{Playback, Recorder, counts};
pub use tree::Proof;
