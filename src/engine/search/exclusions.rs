//! Exclusions: moves that the user forbids the search to play.
//!
//! With excluded cells or sequences the search uses no static verdicts, solvers or known
//! results, as these may rely on an excluded move.

use super::request::Exclusions;
use crate::game::Position;
use goren_core::types::{Cell, CellSet, Move, keys};

/// Excluded cells and sequences, prepared for look-up in the tree.
pub struct ExclusionTable {
    /// Excluded cells by colour.
    cells: [CellSet; 2],
    /// The cells of the last moves of excluded sequences.
    ends: CellSet,
    /// Excluded sequences: key of a position and the move that is excluded there. Sorted for binary
    /// search, as there may be thousands if a turn has two stones.
    sequences: Vec<(u64, Move)>,
    /// Mixed into the keys of table entries.
    salt: u64,
}

impl ExclusionTable {
    /// Prepares the excluded cells and sequences below `root`; `None` if there are none.
    /// The last move of a sequence is excluded in the position that the moves before it
    /// lead to, transpositions included. A sequence that cannot be played, because a cell is
    /// occupied or the game is over, excludes nothing.
    pub fn of<P: Position>(root: &P, exclusions: &Exclusions) -> Option<ExclusionTable> {
        let mut sequences = exclusions
            .sequences
            .iter()
            .filter_map(|sequence| end_of(root, sequence))
            .collect::<Vec<_>>();
        sequences.sort_unstable();
        let ends = sequences.iter().map(|&(_, last)| last.cell()).collect();
        let any = !sequences.is_empty() || exclusions.cells.iter().any(|cells| !cells.is_empty());
        let salt = salt(&exclusions.cells, &sequences);
        any.then_some(ExclusionTable { cells: exclusions.cells, ends, sequences, salt })
    }

    /// Salt that is mixed into the keys of table entries, as scores hold only under the same
    /// exclusions.
    pub fn salt(&self) -> u64 {
        self.salt
    }

    /// Whether a move is excluded for the side to move.
    #[inline]
    pub fn excludes<P: Position>(&self, position: &P, m: Move) -> bool {
        let color = position.to_move();
        self.cells[color.index()].contains(m.cell())
            || self.ends.contains(m.cell())
                && self.sequences.binary_search(&(position.key(), m)).is_ok()
    }
}

/// Hashes excluded cells and excluded moves in positions, whatever their order.
fn salt(cells: &[CellSet; 2], moves: &[(u64, Move)]) -> u64 {
    let cells = cells.iter().enumerate().flat_map(|(color, cells)| {
        cells.iter().map(move |cell| keys::mix((2 * cell.index() + color + 1) as u64))
    });
    let mut moves: Vec<u64> =
        moves.iter().map(|(key, m)| keys::mix(key ^ m.cell().index() as u64)).collect();
    // A sequence may be given twice, or two may lead to the same position.
    moves.sort_unstable();
    moves.dedup();
    keys::mix(cells.chain(moves).fold(0, |salt, key| salt ^ key))
}

/// Returns the key of the position before the last move of a sequence, and that move; `None` if the
/// sequence is empty or cannot be played.
fn end_of<P: Position>(root: &P, sequence: &[Cell]) -> Option<(u64, Move)> {
    let (&last, before) = sequence.split_last()?;
    let mut position = root.clone();
    for &cell in before {
        let m = Move::at(cell);
        if position.outcome().is_some() || !position.is_pseudo_legal(m) {
            return None;
        }
        position.make(m);
    }
    Some((position.key(), Move::at(last)))
}
