//! VCF stone by stone: the solver returns only the first stone, so it searches again after
//! each answer.

use goren_core::rules::Rule;
use goren_core::types::{Cell, CellSet, Color};
use goren_engine::board::Board;
use goren_engine::pattern::Class;
use goren_engine::threat::{Found, Meter, Vcf, forced_cells};

/// A stone of a sequence of fours.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct SequenceStone {
    /// Point of the stone.
    pub(super) cell: Cell,
    /// Whether the opponent would have to place the stone but may not, as it is a foul.
    pub(super) forbidden: bool,
}

impl SequenceStone {
    /// Creates a stone that is placed.
    pub(super) const fn at(cell: Cell) -> SequenceStone {
        SequenceStone { cell, forbidden: false }
    }
}

/// Stones of the attacker and of the opponent alternately. The attacker's stones are the first
/// and the last, a five.
pub(super) type FourSequence = Vec<SequenceStone>;

/// A position with a solver for wins by fours.
pub(super) struct FoursSolver<R: Rule> {
    pub(super) board: Board<R>,
    vcf: Vcf,
    /// The attacker.
    pub(super) me: Color,
    /// Maximum number of attacking stones per search.
    nodes: u64,
    /// Attacking stones of the last search.
    spent: u64,
}

impl<R: Rule> FoursSolver<R> {
    pub(super) fn new(board: Board<R>, me: Color, nodes: u64) -> FoursSolver<R> {
        FoursSolver { board, vcf: Vcf::default(), me, nodes, spent: 0 }
    }

    /// Searches for a win by fours of the attacker, who is to move.
    pub(super) fn solve(&mut self) -> Found {
        let mut meter = Meter::nodes(self.nodes);
        let found = self.vcf.solve(&mut self.board, self.me, &mut meter);
        self.spent = meter.spent();
        found
    }

    /// Attacking stones of the last search.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether the opponent can make a five with its next stone.
    pub(super) fn opponent_wins(&self) -> bool {
        self.board.count(!self.me, Class::Five) > 0
    }

    /// Whether an empty cell is forbidden for a colour.
    pub(super) fn is_forbidden(&self, cell: Cell, color: Color) -> bool {
        self.board.is_forbidden(color, cell)
    }

    /// Returns the cells where the attacker stops all fives that the opponent threatens; `None`
    /// without such a threat.
    pub(super) fn stops(&self) -> Option<CellSet> {
        forced_cells(&self.board, self.me)
    }

    /// Calls `ask` on the position with one more stone.
    pub(super) fn with<T>(
        &mut self,
        cell: Cell,
        color: Color,
        ask: impl FnOnce(&mut FoursSolver<R>) -> T,
    ) -> T {
        self.board.make(cell, color);
        let answer = ask(self);
        self.board.unmake();
        answer
    }

    /// Returns the win by fours of the attacker, who is to move, against the longest defence.
    /// `None` if none is found.
    pub(super) fn line(&mut self) -> Option<FourSequence> {
        let Found::Win(cell, _) = self.solve() else { return None };
        if self.board.wins(self.me, cell) {
            return Some(vec![SequenceStone::at(cell)]);
        }
        let mut line = vec![SequenceStone::at(cell)];
        line.extend(self.with(cell, self.me, FoursSolver::line_after_four)?);
        Some(line)
    }

    /// Returns the longest defence against a four, and the win against it.
    fn line_after_four(&mut self) -> Option<FourSequence> {
        let fives = *self.board.cells_of(self.me, Class::Five);
        let five = fives.first()?;
        // With several fives the opponent may stop any of them.
        let answers = match fives.len() {
            1 => self.board.five_answers(self.me, five),
            _ => fives.union(&self.board.five_answers(self.me, five)),
        };
        let opponent = !self.me;
        let mut longest: Option<FourSequence> = None;
        for answer in answers.iter() {
            if self.is_forbidden(answer, opponent) {
                continue;
            }
            let rest = self.with(answer, opponent, FoursSolver::line)?;
            if longest.as_ref().is_none_or(|line| line.len() <= rest.len()) {
                longest = Some([vec![SequenceStone::at(answer)], rest].concat());
            }
        }
        Some(longest.unwrap_or(vec![
            SequenceStone { cell: five, forbidden: true },
            SequenceStone::at(five),
        ]))
    }
}
