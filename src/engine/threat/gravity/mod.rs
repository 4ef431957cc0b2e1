//! Solver of Four In A Row where pieces fall to the bottom and stay: exact
//! values.
//!
//! Null-window alpha-beta over bitboards with a table of bounds. A column takes
//! one bit more than it has cells, so that lines never run from one column into
//! the next (J. Tromp, Fhourstones, 2006). Moves after which the opponent wins
//! at once are skipped, those that make the most threats come first, mirrored
//! positions share an entry (P. Pons, Solving Connect 4, 2015). A bound from
//! always answering in the same column needs no search (after claimeven and the
//! zugzwang of L. V. Allis, A Knowledge-based Approach of Connect-Four, 1988).

mod solver;
mod table;
#[cfg(test)]
mod tests;
mod word;

use super::Meter;
use solver::{MOST_COLUMNS, Solve, Solver};
use table::NoMemory;
use word::Word;

/// Highest boards: three steps along a diagonal must be a shift within a word.
const MOST_ROWS: usize = 40;
const MOST_ROWS_NARROW: usize = 19;

/// What a position is worth to the side to move, when both play best.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// It wins with its own piece in so many plies.
    Win(usize),
    /// Nobody wins.
    Draw,
    /// It loses to a piece of the opponent in so many plies.
    Loss(usize),
}

/// Why there is no solver.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GravityError {
    /// The board is too large for the solver.
    #[error(
        "solved are boards of at most {MOST_COLUMNS} columns and {MOST_ROWS} rows that have at most \
             127 cells with one more for each column"
    )]
    TooLarge,
    /// The memory for the table could not be had.
    #[error("no memory for a table of {0} bytes")]
    NoMemory(usize),
}

/// A solver for one size of board, with its table.
pub struct Gravity {
    width: usize,
    height: usize,
    solver: Box<dyn Solve>,
}

impl Gravity {
    /// For boards of a size, with a table of about so many bytes; large boards
    /// need a few MiB at least for keys to be exact.
    ///
    /// # Errors
    /// The board does not fit, or there is no memory for the table.
    pub fn new(width: usize, height: usize, bytes: usize) -> Result<Gravity, GravityError> {
        let (key_bits, cells) = (width * (height + 1), width * height);
        if width > MOST_COLUMNS || height > MOST_ROWS || key_bits > 127 || cells == 0 {
            return Err(GravityError::TooLarge);
        }
        // Scores of 63 pieces would not fit beside the keys.
        let narrow = key_bits <= 64 && cells <= 62 && height <= MOST_ROWS_NARROW;
        let solver = if narrow {
            boxed::<u64>(width, height, bytes)
        } else {
            boxed::<u128>(width, height, bytes)
        }?;
        Ok(Gravity { width, height, solver })
    }

    /// The value of a position for the side to move, and the column of a move
    /// that keeps it, given the pieces of both sides as columns from the left
    /// and rows from the bottom; a node is a position. `None` if they run out.
    /// Nobody may have four in a row yet.
    pub fn solve(
        &mut self,
        own: &[(usize, usize)],
        others: &[(usize, usize)],
        meter: &mut Meter<'_>,
    ) -> Option<(Value, Option<usize>)> {
        let (score, column) = self.solver.solve(own, others, meter)?;
        let left = self.width * self.height - own.len() - others.len();
        // A score is the number of pieces the winner has left, with the one
        // that wins.
        let value = match score {
            0 => Value::Draw,
            1.. => Value::Win(2 * (left.div_ceil(2) + 1 - score as usize) - 1),
            _ => Value::Loss(2 * (left / 2 + 1 - score.unsigned_abs() as usize)),
        };
        Some((value, column))
    }
}

fn boxed<W: Word>(
    width: usize,
    height: usize,
    bytes: usize,
) -> Result<Box<dyn Solve>, GravityError> {
    match Solver::<W>::new(width, height, bytes) {
        Ok(solver) => Ok(Box::new(solver)),
        Err(NoMemory { bytes }) => Err(GravityError::NoMemory(bytes)),
    }
}
