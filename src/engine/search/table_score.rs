//! Scores of finished games, and conversion of scores between search and transposition
//! table: in the search the distance of a proven result counts from the root, in the
//! table from the position.

use crate::tt::Bound;
use goren_core::rules::Outcome;
use goren_core::types::{Color, PROVEN, Score, loss_in, win_in};

/// Returns the score of a game that ended `ply` plies below the root, for the side to move.
#[inline]
pub fn score_of(outcome: Outcome, to_move: Color, ply: usize) -> Score {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(color) if color == to_move => win_in(ply),
        Outcome::Win(_) => loss_in(ply),
    }
}

/// Whether a table score with this bound gives a cutoff in the window.
#[inline]
pub fn cuts(bound: Bound, score: Score, alpha: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
        Bound::None => false,
    }
}

/// Converts a score of the search, `ply` plies below the root, to a score of the table.
#[inline]
pub fn to_table(score: Score, ply: usize) -> Score {
    match score {
        s if s >= PROVEN => s + ply as Score,
        s if s <= -PROVEN => s - ply as Score,
        s => s,
    }
}

/// The reverse of [`to_table`].
#[inline]
pub fn from_table(score: Score, ply: usize) -> Score {
    match score {
        s if s >= PROVEN => s - ply as Score,
        s if s <= -PROVEN => s + ply as Score,
        s => s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_in_the_table_count_from_the_position() {
        for score in [0, -350, win_in(9), loss_in(8)] {
            assert_eq!(from_table(to_table(score, 6), 6), score);
        }
        assert_eq!(to_table(win_in(9), 6), win_in(3));
        assert_eq!(to_table(loss_in(8), 6), loss_in(2));
    }
}
