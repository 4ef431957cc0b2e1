//! Training games, which self-play writes and tuning and other programs read.
//!
//! - [`games`]: the games of a file of either kind; [`PackedReader`]: those of a packed one;
//!   [`GameReader`]: those of several files;
//! - [`positions`]: searched positions as columns of numbers.
//!
//! ```no_run
//! use goren_training_data::positions::{PositionColumns, PositionReader};
//!
//! let mut reader = PositionReader::new(vec!["caro.games".into()], false);
//! let mut batch = PositionColumns::default();
//! while { batch.clear(); reader.read(8_192, &mut batch)? } || !batch.is_empty() {
//!     println!("{} positions, {} games so far", batch.len(), reader.games());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The packed file
//! A packed file is a sequence of frames, one for each game, with nothing before, between or
//! after them, so files are merged by concatenation. A truncated file is readable up to its last
//! whole game; `goren selfplay` repairs it, which must be done before it is merged with others.
//! Numbers of fixed size are little endian. A frame is
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `GRN1` |
//! | 4 | length of the packed game in bytes |
//! | 4 | CRC-32 of the packed game |
//! | that length | the game, packed as an LZ4 block with its unpacked length (4 bytes) in front |
//!
//! An unpacked game is a sequence of bytes and varints (LEB128); a cell is the varint
//! `width * y + x`:
//!
//! | what | how |
//! |---|---|
//! | rule | a byte: the number of `INFO rule` |
//! | width, height | a byte each |
//! | flags | a byte: 0 draw, 1 Black won, 2 White won; plus 4 if played out, plus 8 if positions were sampled |
//! | seed | 8 bytes |
//! | opening | number of stones, then their cells |
//! | plies | number of plies, then each |
//! | a ply | varint `2 * cell + differs`; the cell of the best move if `differs` is 1; the score as a zigzag varint |
//! | sampled positions | with flag 8: their number, then each |
//! | a sampled position | number of plies before it; number of cells of its line, then these; the cell of the best move; the score as a zigzag varint |
//!
//! Damaged files never cause a panic; every error names its file.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod codec;
mod file;
mod files;
mod lines;
pub mod positions;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod training_game;

pub use codec::Malformed;
pub use file::{DataError, FrameFault, MAGIC, PackedReader, frame};
pub use files::{Damaged, GamePlace, GameReader};
pub use lines::{FORMAT, JsonGame, players};
pub use training_game::{
    SearchedPosition, StoredGame, TrainingGame, TrainingGames, games, other_kind,
};

use goren_core::rules::{Outcome, Setup};
use goren_core::types::{Cell, Score};

/// A training game of five in a row, as stored in a packed file.
#[derive(Clone, PartialEq, Debug)]
pub struct PackedGame {
    /// Rule and board size.
    pub setup: Setup,
    /// Random seed of the game.
    pub seed: u64,
    /// Stones before the search took over, Black's first.
    pub opening: Vec<Cell>,
    /// Searched positions after the opening and the moves played there, in order.
    pub plies: Vec<PackedPly>,
    /// Random sample of the positions that the searches evaluated.
    pub sampled: Vec<SampledPosition>,
    /// The result.
    pub result: Outcome,
    /// Whether the result was played out to the last stone; otherwise it was
    /// proven, or nobody could make a five any more.
    pub played_out: bool,
}

impl PackedGame {
    /// Returns the stones before ply number `ply`, in order.
    pub fn stones_before(&self, ply: usize) -> impl Iterator<Item = Cell> + '_ {
        self.opening.iter().copied().chain(self.plies.iter().take(ply).map(|ply| ply.played))
    }
}

/// A position that did not occur in a [`PackedGame`]: the search of a position of the game
/// evaluated it, and then it was searched itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampledPosition {
    /// Number of plies of the game before the position whose search evaluated it.
    pub ply: usize,
    /// Moves from there to the sampled position.
    pub line: Vec<Cell>,
    /// Best move of its own search.
    pub best: Cell,
    /// Score of its own search for the side to move, proven ones included.
    pub score: Score,
}

/// A searched position of a [`PackedGame`] and the move that was played there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PackedPly {
    /// The stone placed.
    pub played: Cell,
    /// Best move of the search; differs from `played` if a random move was played.
    pub best: Cell,
    /// Score of the search for the side to move, proven ones included.
    pub score: Score,
}
