//! Playing by a tree: its move in a position, or in the position without irrelevant
//! stones of the defender.

use super::{Answers, Checker, Way};
use crate::flaw::{Flaw, FlawKind};
use crate::proof_board::Keys;
use goren_core::types::{Cell, CellSet};

impl<A: Answers> Checker<A> {
    /// A winning move of the attacker, who is to move: a five, a move of the tree, or a four.
    /// Each of `bases` is the position of the tree, in which defender's stones off its
    /// relevance cells may be missing; the base of the move is returned with it. A move known
    /// for all stones on the board is returned unchecked. For a base it is checked that the
    /// further stones do not matter; if the check exceeds `visits` positions the move is
    /// returned all the same, but not if it runs out of time.
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
        let four = Way { fours: Some(self.fours.saturating_sub(1)), ..Way::plain(false) };
        let fours = self.board.fours(self.attacker, false);
        if let Some(four) = fours.iter().find(|&cell| self.follow(cell, four).is_ok()) {
            return Some((four, all));
        }
        let before = self.most_visits;
        let mut bases = bases.into_iter();
        let mut found = None;
        while found.is_none()
            && !self.is_late()
            && let Some(base) = bases.next()
        {
            self.most_visits = self.visits.saturating_add(visits);
            found = self.winning(&base).map(|m| (m, base));
        }
        self.most_visits = before;
        found
    }

    /// The moves of the defender, who is to move, that need an answer by a tree made for
    /// the stones of `base`, as in [`Checker::advise`]: against all others the attacker
    /// wins as against a pass. `None`: no win against a pass was found.
    ///
    /// # Errors
    /// The defender has won.
    pub fn to_answer_by(&mut self, base: Keys) -> Result<Option<CellSet>, Flaw> {
        self.begin();
        let base = Some(base).filter(|base| base.own() != self.board.keys().own());
        Ok(self.needed(Way { base, ..Way::plain(false) })?.1)
    }

    /// The move known for a base that wins here; the first one, if that was not looked at
    /// to the end.
    fn winning(&mut self, base: &Keys) -> Option<Cell> {
        let first = self.first_known(base)?;
        let way = Way { base: Some(*base), ..Way::plain(false) };
        match self.follow_any(&self.board.canonical(base), way) {
            Ok((m, _)) => Some(m),
            Err(flaw) => Some(first).filter(|_| flaw.kind == FlawKind::Unfinished),
        }
    }

    /// The first move that is known for some stones and can be played.
    fn first_known(&mut self, keys: &Keys) -> Option<Cell> {
        let canonical = self.board.canonical(keys);
        let moves = self.answers.known(&self.board, &canonical);
        let mut cells = moves.iter().map(|&image| self.board.from_image(&canonical, image));
        let foul = |cell| self.board.fouls(self.attacker, cell).0.any();
        cells.find(|&cell| self.board.empty().contains(cell) && !foul(cell))
    }
}
