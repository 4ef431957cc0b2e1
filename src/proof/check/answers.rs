//! Source of the attacker's moves.

use smallvec::SmallVec;

use crate::proof_board::{CanonicalKey, ProofBoard};
use goren_core::types::Cell;

/// Moves of a position.
pub type Moves = SmallVec<[Cell; 2]>;

/// Source of the attacker's moves, by position.
pub trait Answers {
    /// Returns the known moves of a position, in the image of the canonical key. The position
    /// is that of the board, or lacks some of its stones.
    fn known(&mut self, board: &ProofBoard, canonical: &CanonicalKey) -> Moves;

    /// Ends the check: from now on, only positions that were asked for before have moves, and
    /// nothing is read or recorded.
    fn close(&mut self) {}

    /// Suggests a move where none is known, with the attacker to move: it won in a similar
    /// position.
    fn suggest(&mut self, _board: &ProofBoard) -> Option<Cell> {
        None
    }

    /// Searches a winning move where none is known, with the attacker to move. It must win
    /// wherever `extra_stones` stones of the defender are added off the relevance cells.
    fn seek(&mut self, _board: &ProofBoard, _extra_stones: usize) -> Option<Cell> {
        None
    }

    /// Records a move that has just been found and is being tried; it counts as known until
    /// [`Answers::unlearn`].
    fn learn(&mut self, _canonical: &CanonicalKey, _m: Cell) {}

    /// Removes a recorded move that failed.
    fn unlearn(&mut self, _canonical: &CanonicalKey, _m: Cell) {}

    /// Confirms that a recorded move wins, by moves known or recorded before.
    fn confirm(&mut self, _canonical: &CanonicalKey, _m: Cell) {}
}
