//! The modules of the command-line tool `goren`: one for each command, and what commands
//! share. Only tests import them, and the tournament engine is built without them.
//!
//! A command is a module with `Args` (read by clap) and `run`, which returns whether
//! it succeeded. For example, [`stats`] judges results of matches:
//!
//! ```
//! use goren_cli::stats::elo_of_games;
//!
//! let elo = elo_of_games([120, 80, 0]);
//! assert_eq!(format!("{elo:.0}"), "+70 [+21, +119]");
//! ```

#![deny(clippy::print_stderr)]

#[macro_use]
pub mod stderr;

pub mod analyze;
pub mod arena;
pub mod baseline;
pub mod bench;
pub mod board;
pub mod check;
pub mod data;
pub mod db;
mod dead_draw;
pub mod engine;
mod forms;
pub mod games;
mod input_path;
mod interrupt;
pub mod list;
mod lock;
pub mod matches;
pub mod merge;
mod number;
pub mod opening_file;
pub mod openings;
pub mod perft;
mod picture;
pub mod play;
pub mod plot;
mod position;
mod progress;
pub mod prove;
pub mod puzzles;
mod replies;
pub mod review;
pub mod run;
mod searched_game;
mod seconds;
pub mod selfplay;
pub mod shell;
pub mod solve;
pub mod sprt;
pub mod spsa;
pub mod stats;
#[cfg(target_os = "linux")]
pub mod stress;
pub mod suite;
mod table_size;
#[cfg(test)]
mod test_args;
pub mod threats;
pub mod trees;
pub mod tune;
mod variant;
pub mod verify;
pub mod walk;
mod weights;

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

use goren_engine::stack;
#[cfg(test)]
use goren_notation::json_example;
use goren_notation::{json_game, lettering, moves, plies, point, turn};

/// Runs `work` on a thread with the stack that a search needs.
///
/// # Errors
/// The system gives no thread, or what `work` returns.
fn with_search_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    stack::run(work).context("cannot start a thread for the search")?
}

/// Number of cores of the machine.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Threads with the stack a search needs; by default one per core.
///
/// # Errors
/// The system gives no threads.
fn search_pool(threads: Option<usize>) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new()
        .stack_size(stack::BYTES)
        .start_handler(|_| stack::mark_large())
        .num_threads(threads.unwrap_or(0));
    Ok(pool.build()?)
}
