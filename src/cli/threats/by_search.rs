//! Threats that the stones alone do not show, found and proven by search, for a colour as if
//! it were to move.
//!
//! - A virtual threat is a stone that makes no four and no open three, and no
//!   win by fours is there before it; but after it, if the opponent did nothing,
//!   there would be one.
//! - A virtual fork is a stone that wins although it makes no fork of its own:
//!   of fours and open threes it makes one at most, the others are still to be
//!   gained. Every answer of the opponent was tried and leaves a win by fours; an
//!   answer that makes a four is stopped, and then again every answer is tried.
//!   Such a fork is never a foul: those count stones that stand.
//! - A spatial fork is a virtual threat by way of another cell, the crossing:
//!   in the win by fours that the threat leads to, a stone on the crossing
//!   belongs to fours of two directions in which the cell is only P22 or P11
//!   by now, one of them P22. With an opponent stone on the crossing there is no
//!   win by fours after the same threat. (The paper's example: a crossing
//!   P22×P22, and a stone on one of its arms, which a third line makes use of.)
//!
//! Nothing is claimed by its looks: a search that runs out of nodes claims
//! nothing, and its cells are told apart. Where the opponent threatens a five,
//! only stones that stop it are looked at.

use super::fours::{FourSequence, FoursSolver, SequenceStone};
use super::linear::{self, Fork, LinearShape, LinearThreat};
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Rule, Visitor, with_rule};
use goren_core::types::{Cell, Color, Direction, Stone};
use goren_engine::board::Board;
use goren_engine::threat::Found;

/// What the proof of a virtual fork may cost: the node limits of this many searches for a
/// win by fours together. Most answers take few of their nodes.
const FORK_SHARE: u64 = 100;

/// A stone that leads to a win by fours if the opponent does nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Virtual {
    pub(super) at: Cell,
    /// Whether it makes a four or an open three itself.
    pub(super) is_plain: bool,
    /// The win by fours that follows if the opponent does nothing.
    pub(super) line: FourSequence,
    /// The win against the answer that holds out longest, from the opponent's
    /// stone on, if it wins against every answer without a fork of its own.
    pub(super) fork: Option<FourSequence>,
}

/// A crossing of weak threats that another stone brings to life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spatial {
    /// The cell where they cross.
    pub(super) crossing: Cell,
    /// What it is in the directions that count.
    pub(super) arms: Vec<(Direction, LinearShape)>,
    /// The stone that makes the virtual threat.
    pub(super) second: Cell,
}

/// All that was found for a colour.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ColorFindings {
    /// The win by fours that is there already; then nothing else is searched for.
    pub(super) vcf: Option<FourSequence>,
    pub(super) virtuals: Vec<Virtual>,
    pub(super) spatial: Vec<Spatial>,
    /// Cells about which the nodes ran out before anything was proven.
    pub(super) undecided: Vec<Cell>,
    /// Whether they ran out before a win by fours was ruled out that is there
    /// already; then nothing else is searched for.
    pub(super) in_the_dark: bool,
}

/// Looks for all of it, with at most `nodes` attacking stones for each win by
/// fours.
pub(super) fn search(referee: &FiveReferee, color: Color, nodes: u64) -> ColorFindings {
    with_rule(referee.setup().rule, Searcher { referee, color, nodes })
}

struct Searcher<'a> {
    referee: &'a FiveReferee,
    color: Color,
    nodes: u64,
}

impl Visitor for Searcher<'_> {
    type Out = ColorFindings;

    fn visit<R: Rule>(self) -> ColorFindings {
        let mut board = Board::<R>::new(self.referee.setup());
        for &(cell, stone) in self.referee.stones() {
            match stone {
                Stone::Of(color) => board.make(cell, color),
                Stone::Wall => board.make_wall(cell),
            }
        }
        let mut solver = FoursSolver::new(board, self.color, self.nodes);
        match solver.solve() {
            Found::Win(..) => {
                return ColorFindings { vcf: solver.line(), ..ColorFindings::default() };
            }
            Found::OutOfNodes => {
                return ColorFindings { in_the_dark: true, ..ColorFindings::default() };
            }
            Found::Nothing => {}
        }
        self.virtuals(&mut solver)
    }
}

impl Searcher<'_> {
    fn virtuals<R: Rule>(&self, solver: &mut FoursSolver<R>) -> ColorFindings {
        let mut found = ColorFindings::default();
        let stops = solver.stops();
        let empty = *solver.board.empty();
        for cell in empty.iter().filter(|&cell| stops.is_none_or(|stops| stops.contains(cell))) {
            if solver.is_forbidden(cell, self.color) {
                continue;
            }
            let own = Fork::crossing(&linear::threats(self.referee, cell, self.color));
            match solver.with(cell, self.color, |solver| self.weigh(solver, cell, own)) {
                Weighed::Nothing => {}
                Weighed::Undecided => found.undecided.push(cell),
                Weighed::Found(one, decided) => {
                    if !decided {
                        found.undecided.push(cell);
                    }
                    if !one.is_plain {
                        found.spatial.extend(self.spatial(solver, &one));
                    }
                    if !one.is_plain || one.fork.is_some() {
                        found.virtuals.push(one);
                    }
                }
            }
        }
        found
    }

    /// What the stone just placed on `at` is; of fours and open threes it makes
    /// `own`.
    fn weigh<R: Rule>(&self, solver: &mut FoursSolver<R>, at: Cell, own: Fork) -> Weighed {
        if solver.opponent_wins() {
            return Weighed::Nothing;
        }
        let line = match solver.solve() {
            Found::Nothing => return Weighed::Nothing,
            Found::OutOfNodes => return Weighed::Undecided,
            Found::Win(..) => match solver.line() {
                Some(line) => line,
                None => return Weighed::Undecided,
            },
        };
        let is_plain = own.fours + own.threes > 0;
        let mut one = Virtual { at, is_plain, line, fork: None };
        if own.fours + own.threes > 1 {
            return Weighed::Found(one, true);
        }
        let first: Vec<Cell> = one.line.iter().map(|ply| ply.cell).collect();
        let left = self.nodes.saturating_mul(FORK_SHARE);
        match (Proof { solver, left }).lost(&first) {
            Ok(line) => one.fork = Some(line),
            Err(Doubt::Refuted) => {}
            Err(Doubt::OutOfNodes) => return Weighed::Found(one, false),
        }
        Weighed::Found(one, true)
    }

    /// The crossings that a virtual threat lives by.
    fn spatial<R: Rule>(&self, solver: &mut FoursSolver<R>, threat: &Virtual) -> Vec<Spatial> {
        let mut found = Vec::new();
        for (crossing, arms) in self.crossings(threat) {
            let needed = solver.with(threat.at, self.color, |solver| {
                solver.with(crossing, !self.color, FoursSolver::solve) == Found::Nothing
            });
            if needed {
                found.push(Spatial { crossing, arms, second: threat.at });
            }
        }
        found
    }

    /// The attacker's stones in the win that follow a virtual threat and belong
    /// to fours of two directions which are weak threats by now.
    fn crossings(&self, threat: &Virtual) -> Vec<(Cell, Vec<(Direction, LinearShape)>)> {
        let mut after = self.referee.clone();
        let mut used = Vec::new();
        let stones = std::iter::once((threat.at, self.color)).chain(
            threat
                .line
                .iter()
                .zip([self.color, !self.color].into_iter().cycle())
                .filter_map(|(ply, color)| (!ply.forbidden).then_some((ply.cell, color))),
        );
        for (cell, color) in stones {
            if color == self.color && cell != threat.at {
                // Three stones and this one: the fours it makes.
                used.extend(linear::lines(&after, cell, color, 3));
            }
            if after.set_up(cell, Stone::Of(color)).is_err() {
                break;
            }
        }
        let mine = threat.line.iter().step_by(2).map(|ply| ply.cell);
        let crossing = |cell: Cell| {
            let serves = |direction: Direction| {
                used.iter().any(|(of, cells)| *of == direction && cells.contains(&cell))
            };
            let weak = |threat: LinearThreat| {
                let is_weak = matches!(threat.shape, LinearShape::P(2, 2) | LinearShape::P(1, 1));
                (is_weak && serves(threat.direction)).then_some((threat.direction, threat.shape))
            };
            let arms: Vec<_> = linear::threats(self.referee, cell, self.color)
                .into_iter()
                .filter_map(weak)
                .collect();
            let a_three = arms.iter().any(|&(_, shape)| shape == LinearShape::P(2, 2));
            (arms.len() >= 2 && a_three).then_some((cell, arms))
        };
        mine.filter_map(crossing).collect()
    }
}

/// What a stone was found to be.
enum Weighed {
    Nothing,
    /// The nodes ran out.
    Undecided,
    /// And whether it is known to be a virtual fork or none.
    Found(Virtual, bool),
}

/// Why a virtual fork is not proven.
enum Doubt {
    /// An answer holds.
    Refuted,
    OutOfNodes,
}

/// The proof that the opponent, who is to move, loses to a VCF against any defence.
struct Proof<'a, R: Rule> {
    solver: &'a mut FoursSolver<R>,
    /// Attacking stones that may still be placed.
    left: u64,
}

impl<R: Rule> Proof<'_, R> {
    /// The answer that holds out longest, and the win against it. The answers
    /// `first` are tried before all others.
    fn lost(&mut self, first: &[Cell]) -> Result<FourSequence, Doubt> {
        if self.solver.opponent_wins() {
            return Err(Doubt::Refuted);
        }
        let opponent = !self.solver.me;
        let empty = *self.solver.board.empty();
        let rest = empty.iter().filter(|cell| !first.contains(cell));
        let mut longest = FourSequence::new();
        for answer in first.iter().copied().chain(rest) {
            if self.solver.is_forbidden(answer, opponent) {
                continue;
            }
            self.solver.board.make(answer, opponent);
            let won = self.won(longest.len());
            self.solver.board.unmake();
            if let Some(line) = won? {
                longest = [vec![SequenceStone::at(answer)], line].concat();
            }
        }
        if longest.is_empty() { Err(Doubt::Refuted) } else { Ok(longest) }
    }

    /// The attacker's win if it is to move now, `None` if it is too short to
    /// make with the opponent's stone a longer line than `longest`.
    fn won(&mut self, longest: usize) -> Result<Option<FourSequence>, Doubt> {
        let found = self.solver.solve();
        let spent = self.solver.spent().max(1);
        self.left = self.left.checked_sub(spent).ok_or(Doubt::OutOfNodes)?;
        match found {
            Found::Win(_, plies) if plies < longest => Ok(None),
            Found::Win(..) => self.solver.line().map(Some).ok_or(Doubt::OutOfNodes),
            Found::OutOfNodes => Err(Doubt::OutOfNodes),
            Found::Nothing => self.stopped().map(|line| Some(line).filter(|l| l.len() >= longest)),
        }
    }

    /// The win after a four of the opponent has been stopped by a stone that is no
    /// four itself.
    fn stopped(&mut self) -> Result<FourSequence, Doubt> {
        let me = self.solver.me;
        let mut doubt = Doubt::Refuted;
        for stop in self.solver.stops().unwrap_or_default().iter() {
            if self.solver.is_forbidden(stop, me) {
                continue;
            }
            self.solver.board.make(stop, me);
            let lost = self.lost(&[]);
            self.solver.board.unmake();
            match lost {
                Ok(line) => return Ok([vec![SequenceStone::at(stop)], line].concat()),
                Err(why) => doubt = why,
            }
        }
        Err(doubt)
    }
}
