//! VCF stone by stone: the solver gives the first stone and is asked again after
//! each answer.

use goren_core::rules::Rule;
use goren_core::types::{Cell, CellSet, Color};
use goren_engine::board::Board;
use goren_engine::pattern::Class;
use goren_engine::threat::{Found, Meter, Vcf, forced_cells};

/// A stone of a sequence of fours.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct SequenceStone {
    /// Its point.
    pub(super) cell: Cell,
    /// The opponent would have to place it, and may not: it would be a foul.
    pub(super) forbidden: bool,
}

impl SequenceStone {
    /// A stone that is placed.
    pub(super) const fn at(cell: Cell) -> SequenceStone {
        SequenceStone { cell, forbidden: false }
    }
}

/// Stones of the attacker and of the opponent by turns, the attacker's first and
/// last, which is a five.
pub(super) type FourSequence = Vec<SequenceStone>;

/// A position, and a solver that looks for wins by fours in it.
pub(super) struct FoursSolver<R: Rule> {
    pub(super) board: Board<R>,
    vcf: Vcf,
    /// Who attacks.
    pub(super) me: Color,
    /// Most attacking stones of a search.
    nodes: u64,
    /// Attacking stones of the last search.
    spent: u64,
}

impl<R: Rule> FoursSolver<R> {
    pub(super) fn new(board: Board<R>, me: Color, nodes: u64) -> FoursSolver<R> {
        FoursSolver { board, vcf: Vcf::default(), me, nodes, spent: 0 }
    }

    /// Looks for a win by fours of the attacker, whose move it is.
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

    /// Whether the opponent of the attacker makes a five with its next stone.
    pub(super) fn opponent_wins(&self) -> bool {
        self.board.count(!self.me, Class::Five) > 0
    }

    /// Whether a colour may not place a stone on an empty cell.
    pub(super) fn is_forbidden(&self, cell: Cell, color: Color) -> bool {
        self.board.is_forbidden(color, cell)
    }

    /// Where the attacker stops all fives that the opponent threatens; `None` if
    /// it threatens none.
    pub(super) fn stops(&self) -> Option<CellSet> {
        forced_cells(&self.board, self.me)
    }

    /// What `ask` says of the position with one more stone.
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

    /// The win by fours of the attacker, whose move it is, against the answers
    /// that hold out longest. `None` if none is found.
    pub(super) fn line(&mut self) -> Option<FourSequence> {
        let Found::Win(cell, _) = self.solve() else { return None };
        if self.board.wins(self.me, cell) {
            return Some(vec![SequenceStone::at(cell)]);
        }
        let mut line = vec![SequenceStone::at(cell)];
        line.extend(self.with(cell, self.me, FoursSolver::answered)?);
        Some(line)
    }

    /// The opponent's longest answer to a four, and how the win goes on.
    fn answered(&mut self) -> Option<FourSequence> {
        let fives = *self.board.cells_of(self.me, Class::Five);
        let five = fives.first()?;
        // Of several fives the opponent may stop any one.
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
