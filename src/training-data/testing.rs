//! Games for the tests of this crate and others (feature `testing`).

// Only tests use it.
#![allow(clippy::unwrap_used)]

use crate::{PackedGame, PackedPly};
use goren_core::rules::{Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color};

/// Returns a renju game; different seeds give different moves.
pub fn packed_game(seed: u64) -> PackedGame {
    let cell = |i: u64| Cell::new((seed + 3 * i) as usize % 15, (2 * seed + i) as usize % 15);
    let ply = |i| PackedPly { played: cell(i), best: cell(i + i % 3), score: 100 - 30 * i as i32 };
    PackedGame {
        setup: Setup::new(RuleId::Renju, 15, 15).unwrap(),
        seed,
        opening: (0..4).map(cell).collect(),
        plies: (4..20).map(ply).collect(),
        sampled: Vec::new(),
        result: Outcome::Win(Color::ALL[seed as usize % 2]),
        played_out: seed.is_multiple_of(3),
    }
}
