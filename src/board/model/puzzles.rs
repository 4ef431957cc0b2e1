//! Puzzles for the page.

use crate::schema::{PuzzleInfo, PuzzleKind};
use goren_review::puzzle::{Kind, Puzzle, Tier};
use goren_review::shipped::shipped;

/// Describes a puzzle for the page.
pub(super) fn info(puzzle: &Puzzle) -> PuzzleInfo {
    PuzzleInfo {
        kind: match puzzle.kind {
            Kind::Fours => PuzzleKind::Fours,
            Kind::Threats => PuzzleKind::Threats,
            Kind::Win => PuzzleKind::Win,
            Kind::Defence => PuzzleKind::Defence,
        },
        hard: puzzle.tier == Tier::Hard,
        game: puzzle.game_state.contest().variant.to_string(),
        plies: puzzle.plies,
        text: puzzle.write(),
    }
}

/// Returns the puzzles that the program ships.
pub(super) fn all() -> Vec<PuzzleInfo> {
    shipped().iter().map(info).collect()
}
