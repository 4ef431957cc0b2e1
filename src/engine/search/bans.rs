//! What a search may not play.
//!
//! Under bans nothing is proven by threats alone, as threats know nothing of
//! bans.

use super::request::Bans;
use super::worker::Worker;
use crate::game::Position;
use goren_core::types::{Cell, CellSet, Move};

/// Bans in the words of the search.
pub struct Barred {
    /// Cells, by the colour that may not play there.
    cells: [CellSet; 2],
    /// Keys of positions, and moves that may not be played there.
    at: Vec<(u64, Move)>,
}

impl<P: Position> Worker<'_, P> {
    /// Keeps to some bans from now on. A line is barred where its moves lead,
    /// in whatever order they are played; one that cannot be played bars
    /// nothing.
    pub fn bar(&mut self, bans: &Bans) {
        let lines = bans.lines.iter().filter_map(|line| self.end_of(line)).collect::<Vec<_>>();
        let some = !lines.is_empty() || bans.cells.iter().any(|cells| !cells.is_empty());
        self.barred = some.then(|| Box::new(Barred { cells: bans.cells, at: lines }));
    }

    /// The key of the position that all moves of a line but the last lead to,
    /// and the last.
    fn end_of(&self, line: &[Cell]) -> Option<(u64, Move)> {
        let (&last, before) = line.split_last()?;
        let mut position = self.position.clone();
        for &cell in before {
            let m = Move::at(cell);
            if position.outcome().is_some() || !position.is_pseudo_legal(m) {
                return None;
            }
            position.make(m);
        }
        Some((position.key(), Move::at(last)))
    }

    /// Whether the side to move may not play a move that is legal otherwise.
    #[inline]
    pub fn is_barred(&self, m: Move) -> bool {
        self.barred.as_ref().is_some_and(|barred| {
            let color = self.position.to_move();
            barred.cells[color.index()].contains(m.cell())
                || barred.at.iter().any(|&(key, last)| last == m && key == self.position.key())
        })
    }

    /// Takes banned moves out of a list of first moves.
    pub fn retain_allowed(&self, moves: &mut Vec<Move>, banned: &[Cell]) {
        moves.retain(|&m| !banned.contains(&m.cell()) && !self.is_barred(m));
    }
}
