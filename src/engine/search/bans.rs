//! What a search may not play.
//!
//! Under bans nothing is proven by threats alone, as threats know nothing of
//! bans.

use super::request::Bans;
use crate::game::Position;
use goren_core::types::{Cell, CellSet, Move};

/// Bans as the search looks them up.
pub struct Barred {
    /// Cells, by the colour that may not play there.
    cells: [CellSet; 2],
    /// Keys of positions, and moves that may not be played there.
    at: Vec<(u64, Move)>,
}

impl Barred {
    /// The bans below `root`; `None` if they bar nothing. A line is barred where
    /// its moves lead, in whatever order they are played; one that cannot be
    /// played bars nothing.
    pub fn of<P: Position>(root: &P, bans: &Bans) -> Option<Barred> {
        let lines = bans.lines.iter().filter_map(|line| end_of(root, line)).collect::<Vec<_>>();
        let some = !lines.is_empty() || bans.cells.iter().any(|cells| !cells.is_empty());
        some.then_some(Barred { cells: bans.cells, at: lines })
    }

    /// Whether the side to move may not play a move that is legal otherwise.
    #[inline]
    pub fn bars<P: Position>(&self, position: &P, m: Move) -> bool {
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
