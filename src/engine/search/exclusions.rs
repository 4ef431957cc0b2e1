//! Exclusions: moves that the user forbids the search to play.
//!
//! With exclusions the search uses no static verdicts and no solvers, as these
//! may rely on an excluded move.

use super::request::Exclusions;
use crate::game::Position;
use goren_core::types::{Cell, CellSet, Move};

/// Exclusions, prepared for look-up.
pub struct ExclusionTable {
    /// Excluded cells by colour.
    cells: [CellSet; 2],
    /// Key of a position and the move excluded there.
    at: Vec<(u64, Move)>,
}

impl ExclusionTable {
    /// The exclusions below `root`; `None` if they exclude nothing. The last move
    /// of a line is excluded in the position that the moves before it lead to, in
    /// whatever order they are played; an illegal line excludes nothing.
    pub fn of<P: Position>(root: &P, exclusions: &Exclusions) -> Option<ExclusionTable> {
        let lines =
            exclusions.lines.iter().filter_map(|line| end_of(root, line)).collect::<Vec<_>>();
        let some = !lines.is_empty() || exclusions.cells.iter().any(|cells| !cells.is_empty());
        some.then_some(ExclusionTable { cells: exclusions.cells, at: lines })
    }

    /// Whether the side to move may not play a move that is legal otherwise.
    #[inline]
    pub fn excludes<P: Position>(&self, position: &P, m: Move) -> bool {
        let color = position.to_move();
        self.cells[color.index()].contains(m.cell())
            || self.at.iter().any(|&(key, last)| last == m && key == position.key())
    }
}

/// The key of the position that all moves of a line but the last lead to, and
/// the last.
fn end_of<P: Position>(root: &P, line: &[Cell]) -> Option<(u64, Move)> {
    let (&last, before) = line.split_last()?;
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
