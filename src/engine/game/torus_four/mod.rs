//! Four in a row on a torus. The smallest game, and the example for adding a game.

mod weights;

use std::sync::Arc;

use super::line_game::{LineGame, LineState, Past};
use super::lines::{self, LinePolicy};
use super::position::ThreatLevel;
use crate::board::Geometry;
use crate::eval::tuples::TupleWeights;
use crate::threat::Verdict;
use goren_core::rules::{self, Contest, Outcome};
use goren_core::types::{CellSet, Color, Move};
use weights::SPAN;

pub(super) use weights::{FAMILIES, family as tuple_family};

/// Stones in a row that win.
const FOUR: usize = rules::TorusFour::GOAL;

/// A position of four on a torus.
#[derive(Clone)]
pub struct TorusFour {
    lines: LineState<()>,
}

impl TorusFour {
    /// Creates an empty board.
    pub fn new(
        _game: rules::TorusFour,
        contest: &Contest,
        weights: Arc<TupleWeights>,
    ) -> TorusFour {
        let (width, height) = (contest.width, contest.height);
        let board = CellSet::board(width, height);
        let geometry = Geometry::new(width, height, true, FOUR, SPAN, &board);
        // Game 5, without options.
        TorusFour { lines: LineState::new(geometry, 5 << 8, weights) }
    }

    /// Returns the empty cells that complete a line of a colour.
    fn wins(&self, color: Color) -> CellSet {
        self.lines.board.completions(color)
    }
}

impl LineGame for TorusFour {
    type Undo = ();

    const LINE_POLICY: LinePolicy =
        LinePolicy { own: [3, 8, 25, 500, 0, 0, 0, 0], deny: [0, 6, 20, 300, 0, 0, 0, 0] };

    fn lines(&self) -> &LineState<()> {
        &self.lines
    }

    fn lines_mut(&mut self) -> &mut LineState<()> {
        &mut self.lines
    }

    fn make(&mut self, m: Move) {
        let (cell, color) = (m.cell(), self.lines.to_move);
        self.lines.put(cell, color);
        let won = self.lines.board.level(color, FOUR) > 0;
        let full = self.lines.board.empty().is_empty();
        let outcome = won.then_some(Outcome::Win(color)).or(full.then_some(Outcome::Draw));
        self.lines.past.push(Past { cell, outcome, undo: () });
        self.lines.to_move = !color;
    }

    fn unmake(&mut self) {
        let Some(Past { cell, .. }) = self.lines.past.pop() else { return };
        let color = !self.lines.to_move;
        self.lines.to_move = color;
        self.lines.lift(cell, color);
    }

    fn main_moves(&mut self) -> CellSet {
        if self.threat_level() == ThreatLevel::None {
            return lines::near(&self.lines.board);
        }
        // Include the winning moves: the root does not test for an own win.
        let me = self.lines.to_move;
        self.wins(me).union(&self.wins(!me))
    }

    fn verdict(&mut self) -> Verdict {
        let me = self.lines.to_move;
        if !self.wins(me).is_empty() {
            Verdict::Win(1)
        } else if self.wins(!me).len() > 1 {
            Verdict::Loss(2)
        } else {
            Verdict::Unknown
        }
    }

    fn threat_level(&mut self) -> ThreatLevel {
        let threatened = !self.wins(!self.lines.to_move).is_empty();
        if threatened { ThreatLevel::Immediate } else { ThreatLevel::None }
    }
}
