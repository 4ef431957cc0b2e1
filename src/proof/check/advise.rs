//! Playing by a tree: its move in a position, or in the position without irrelevant
//! stones of the defender.

use super::{Answers, Checker, Mode};
use crate::flaw::{Flaw, FlawKind};
use crate::proof_board::Keys;
use goren_core::types::{Cell, CellSet};

impl<A: Answers> Checker<A> {
    /// Returns a winning move of the attacker, who is to move: a five, a move of the tree, or a
    /// four. Each of `bases` is a position of the tree, in which stones of the defender off
    /// its relevance cells may be missing; the base of the move is returned with it. A move
    /// known for all stones on the board is returned unchecked. For a base the checker verifies
    /// that the further stones do not matter; if the check exceeds `visits` positions, the move
    /// is returned all the same, but not if the check runs out of time.
    pub fn advise(
        &mut self,
        bases: impl IntoIterator<Item = Keys>,
        visits: u64,
    ) -> Option<(Cell, Keys)> {
        self.begin();
        let all = self.board.keys();
        if let Some(&five) = self.board.wins(self.attacker).first() {
            return Some((five, all));
        }
        if let Some(m) = self.first_known(&all) {
            return Some((m, all));
        }
        let four = Mode { fours: Some(self.fours.saturating_sub(1)), ..Mode::plain(false) };
        let fours = self.board.fours(self.attacker, false);
        if let Some(four) = fours.iter().find(|&cell| self.follow(cell, four).is_ok()) {
            return Some((four, all));
        }
        let before = self.max_visits;
        let mut bases = bases.into_iter();
        let mut found = None;
        while found.is_none()
            && !self.is_late()
            && let Some(base) = bases.next()
        {
            self.max_visits = self.visits.saturating_add(visits);
            found = self.winning(&base).map(|m| (m, base));
        }
        self.max_visits = before;
        found
    }

    /// Returns the moves of the defender, who is to move, that need an answer by a tree made
    /// for the stones of `base`, as in [`Checker::advise`]. Against all others the attacker
    /// wins as against a pass. `None`: no win against a pass was found.
    ///
    /// # Errors
    /// The defender wins at once.
    pub fn to_answer_by(&mut self, base: Keys) -> Result<Option<CellSet>, Flaw> {
        self.begin();
        let base = Some(base).filter(|base| base.own() != self.board.keys().own());
        Ok(self.needed_replies(Mode { base, ..Mode::plain(false) })?.1)
    }

    /// Returns the move known for a base that wins here; the first known one if the check was
    /// not finished.
    fn winning(&mut self, base: &Keys) -> Option<Cell> {
        let first = self.first_known(base)?;
        let mode = Mode { base: Some(*base), ..Mode::plain(false) };
        match self.follow_any(&self.board.canonical(base), mode) {
            Ok((m, _)) => Some(m),
            Err(flaw) => Some(first).filter(|_| flaw.kind == FlawKind::Unfinished),
        }
    }

    /// Returns the first move that is known for some stones and can be played.
    fn first_known(&mut self, keys: &Keys) -> Option<Cell> {
        let canonical = self.board.canonical(keys);
        let moves = self.answers.known(&self.board, &canonical);
        let mut cells = moves.iter().map(|&image| self.board.from_image(&canonical, image));
        let foul = |cell| self.board.fouls(self.attacker, cell).0.any();
        cells.find(|&cell| self.board.empty().contains(cell) && !foul(cell))
    }
}
