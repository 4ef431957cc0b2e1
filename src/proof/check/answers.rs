//! Source of the attacker's moves.

use smallvec::SmallVec;

use crate::proof_board::{CanonicalKey, ProofBoard};
use goren_core::types::Cell;

/// The moves of a position.
pub type Moves = SmallVec<[Cell; 2]>;

/// The moves of the attacker, by position.
pub trait Answers {
    /// The moves that are known for a position, in the image of the canonical key: that of
    /// the board, or without some of its stones.
    fn known(&mut self, board: &ProofBoard, canonical: &CanonicalKey) -> Moves;

    /// The check is over: from now on only what was asked before is answered, and nothing is
    /// read or written down.
    fn close(&mut self) {}

    /// A move that may win where none is known, the attacker to move: it won in
    /// a position much like this one.
    fn suggest(&mut self, _board: &ProofBoard) -> Option<Cell> {
        None
    }

    /// Looks for a move that wins where none is known, the attacker to move,
    /// wherever `extra_stones` stones of the defender are added off the relevance
    /// cells.
    fn seek(&mut self, _board: &ProofBoard, _extra_stones: usize) -> Option<Cell> {
        None
    }

    /// Records a move that has just been found and is being tried; it counts as known until
    /// [`Answers::unlearn`].
    fn learn(&mut self, _canonical: &CanonicalKey, _m: Cell) {}

    /// Removes a recorded move that failed.
    fn unlearn(&mut self, _canonical: &CanonicalKey, _m: Cell) {}

    /// Confirms that a recorded move wins, by moves known or recorded before.
    fn stands(&mut self, _canonical: &CanonicalKey, _m: Cell) {}
}
