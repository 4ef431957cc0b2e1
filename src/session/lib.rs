//! A game in progress: what each command does, and what is answered.
//!
//! Commands and the thoughts of the search come in as events, replies go out
//! through a function; each command that asks for a decision gets exactly one
//! answer, and between answers nothing is said. Never reads or writes a
//! stream, and never waits for the search.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod axes;
mod balance;
mod closing;
mod database;
pub mod decide;
mod dispatch;
mod end_of_input;
mod gomocup;
mod help;
mod job;
mod out;
mod ponder;
mod position;
mod proofs;
mod report;
mod running;
mod settings;
mod start;
mod state;
mod strength;
mod swap2;
mod table;
mod table_game;
mod teller;
mod thinker;
mod thinking;
mod trouble;
mod voice;
mod wanted;
mod weights;
pub mod wire;
mod yixin;

pub use job::Thought;
pub use out::Out;
pub use state::{Flow, Session};
pub use yixin::hash;
