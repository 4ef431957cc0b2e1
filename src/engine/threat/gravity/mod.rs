//! Exact solver of Four In A Row with gravity (Connect Four).
//!
//! Null-window alpha-beta search over bitboards, with a table of bounds. A column has one
//! bit more than it has cells, so that lines never run from one column into the next
//! (J. Tromp, Fhourstones, 2006). The search skips moves that let the opponent win at
//! once and tries moves that make the most threats first; mirrored positions share a
//! table entry (P. Pons, Solving Connect 4, 2015). A follow-up strategy, always
//! answering in the same column, gives a bound without search (after claimeven and
//! zugzwang of L. V. Allis, A Knowledge-based Approach of Connect-Four, 1988).

mod solver;
mod table;
#[cfg(test)]
mod tests;
mod word;

use super::Meter;
use solver::{MAX_COLUMNS, Solve, Solver};
use table::NoMemory;
use word::Word;

/// Maximum height with 128 bits and with 64: three diagonal steps, a shift by
/// `3 * (height + 2)` bits, must stay within the word.
const MAX_ROWS: usize = 40;
const MAX_ROWS_NARROW: usize = 19;

/// The value of a position for the side to move with best play.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// It wins in this many plies; the last piece is its own.
    Win(usize),
    /// Neither side wins.
    Draw,
    /// It loses in this many plies; the last piece is the opponent's.
    Loss(usize),
}

/// Why there is no solver.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GravityError {
    /// The board is too large for the solver.
    #[error(
        "the solver supports boards of at most {MAX_COLUMNS} columns and {MAX_ROWS} rows, with \
             columns * (rows + 1) at most 127"
    )]
    TooLarge,
    /// The table could not be allocated; the number is its size in bytes.
    #[error("no memory for a table of {0} bytes")]
    NoMemory(usize),
}

/// A solver with its table, for one board size.
pub struct Gravity {
    width: usize,
    height: usize,
    solver: Box<dyn Solve>,
}

impl Gravity {
    /// Creates a solver for boards of `width` columns and `height` rows, with a table of
    /// about `bytes` bytes. On large boards the table has at least a few MiB, which exact
    /// keys need.
    ///
    /// # Errors
    /// The board is too large, or the table cannot be allocated.
    pub fn new(width: usize, height: usize, bytes: usize) -> Result<Gravity, GravityError> {
        let (key_bits, cells) = (width * (height + 1), width * height);
        if width > MAX_COLUMNS || height > MAX_ROWS || key_bits > 127 || cells == 0 {
            return Err(GravityError::TooLarge);
        }
        // Scores on 63 cells reach 32, which does not fit a bound of a 64-bit slot.
        let narrow = key_bits <= 64 && cells <= 62 && height <= MAX_ROWS_NARROW;
        let solver = if narrow {
            boxed::<u64>(width, height, bytes)
        } else {
            boxed::<u128>(width, height, bytes)
        }?;
        Ok(Gravity { width, height, solver })
    }

    /// Returns the value of a position for the side to move, and the column of a move that
    /// keeps it (`None` on a full board); `None` if the meter ran out. `own` and `others`
    /// are the pieces of the side to move and of the opponent as column from the left and
    /// row from the bottom, from 0. Nobody may have four in a row yet. A node is a position.
    pub fn solve(
        &mut self,
        own: &[(usize, usize)],
        others: &[(usize, usize)],
        meter: &mut Meter<'_>,
    ) -> Option<(Value, Option<usize>)> {
        let (score, column) = self.solver.solve(own, others, meter)?;
        let left = self.width * self.height - own.len() - others.len();
        // A score is the number of pieces that the winner has left at the win, the
        // winning one included.
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
