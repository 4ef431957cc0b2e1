//! Threats that the stones alone do not show, found and proven by search, for a colour as if
//! it were to move.
//!
//! - A virtual threat is a stone that makes no four and no open three, in a position without
//!   a win by fours; after it there would be a win by fours if the opponent passed.
//! - A virtual fork is a stone that wins although it makes no fork on the board: it makes
//!   at most one four or open three, and gains the others later. The search has tried every
//!   answer of the opponent, and each leaves a win by fours; if an answer makes a four, it is
//!   stopped, and again every answer is tried. A virtual fork is never a foul, as fouls
//!   depend on the stones on the board.
//! - A spatial fork is a virtual threat through another cell, the crossing: in the win by
//!   fours after the threat, a stone on the crossing belongs to fours of two directions in
//!   which the cell is now only P22 or P11, at least one of them P22. With an opponent stone
//!   on the crossing there is no win by fours after the same threat. (The paper's example: a
//!   crossing P22×P22, and a stone on one of its arms that a third line uses.)
//!
//! All findings are proven: a search that runs out of nodes claims nothing, and its cells are
//! reported as undecided. If the opponent threatens a five, only stones that stop it are tried.

use super::fours::{FourSequence, FoursSolver, SequenceStone};
use super::linear::{self, Fork, LinearShape, LinearThreat};
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Rule, Visitor, with_rule};
use goren_core::types::{Cell, Color, Direction, Stone};
use goren_engine::board::Board;
use goren_engine::threat::Found;

/// Node limit of the proof of a virtual fork, in multiples of the limit of a search for a win
/// by fours. Most answers need few nodes.
const FORK_SHARE: u64 = 100;

/// A stone after which there is a win by fours if the opponent passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Virtual {
    pub(super) at: Cell,
    /// Whether the stone itself makes a four or an open three.
    pub(super) is_plain: bool,
    /// The win by fours if the opponent passes.
    pub(super) line: FourSequence,
    /// The win against the longest defence, from the opponent's answer on, if the stone is a
    /// virtual fork.
    pub(super) fork: Option<FourSequence>,
}

/// A crossing of weak threats that another stone makes effective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spatial {
    /// The cell where the threats cross.
    pub(super) crossing: Cell,
    /// Directions and shapes of the crossing threats.
    pub(super) arms: Vec<(Direction, LinearShape)>,
    /// The stone that makes the virtual threat.
    pub(super) second: Cell,
}

/// Findings for a colour.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ColorFindings {
    /// An existing win by fours; nothing else is searched for in that case.
    pub(super) vcf: Option<FourSequence>,
    pub(super) virtuals: Vec<Virtual>,
    pub(super) spatial: Vec<Spatial>,
    /// Cells whose search ran out of nodes before it proved anything.
    pub(super) undecided: Vec<Cell>,
    /// Whether the search for an existing win by fours ran out of nodes; nothing else is
    /// searched for in that case.
    pub(super) vcf_unknown: bool,
}

/// Searches for all kinds of threats, with at most `nodes` attacking stones per search for a
/// win by fours.
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
                return ColorFindings { vcf_unknown: true, ..ColorFindings::default() };
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
            match solver.with(cell, self.color, |solver| self.judge(solver, cell, own)) {
                StoneVerdict::Nothing => {}
                StoneVerdict::Undecided => found.undecided.push(cell),
                StoneVerdict::Found(threat, decided) => {
                    if !decided {
                        found.undecided.push(cell);
                    }
                    if !threat.is_plain {
                        found.spatial.extend(self.spatial(solver, &threat));
                    }
                    if !threat.is_plain || threat.fork.is_some() {
                        found.virtuals.push(threat);
                    }
                }
            }
        }
        found
    }

    /// Judges the stone just placed on `at`, which makes the fours and open threes of `own`.
    fn judge<R: Rule>(&self, solver: &mut FoursSolver<R>, at: Cell, own: Fork) -> StoneVerdict {
        if solver.opponent_wins() {
            return StoneVerdict::Nothing;
        }
        let line = match solver.solve() {
            Found::Nothing => return StoneVerdict::Nothing,
            Found::OutOfNodes => return StoneVerdict::Undecided,
            Found::Win(..) => match solver.line() {
                Some(line) => line,
                None => return StoneVerdict::Undecided,
            },
        };
        let is_plain = own.fours + own.threes > 0;
        let mut threat = Virtual { at, is_plain, line, fork: None };
        if own.fours + own.threes > 1 {
            return StoneVerdict::Found(threat, true);
        }
        let first: Vec<Cell> = threat.line.iter().map(|ply| ply.cell).collect();
        let left = self.nodes.saturating_mul(FORK_SHARE);
        match (Proof { solver, left }).prove_loss(&first) {
            Ok(line) => threat.fork = Some(line),
            Err(ProofFailure::Refuted) => {}
            Err(ProofFailure::OutOfNodes) => return StoneVerdict::Found(threat, false),
        }
        StoneVerdict::Found(threat, true)
    }

    /// Returns the crossings without which a virtual threat fails.
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

    /// Returns the attacker's stones in the win after a virtual threat that belong to fours of
    /// two directions in which they are now weak threats.
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
                // Lines of three stones, which this one makes fours.
                used.extend(linear::lines(&after, cell, color, 3));
            }
            if after.set_up(cell, Stone::Of(color)).is_err() {
                break;
            }
        }
        let own_stones = threat.line.iter().step_by(2).map(|ply| ply.cell);
        let crossing = |cell: Cell| {
            let is_used = |direction: Direction| {
                used.iter().any(|(of, cells)| *of == direction && cells.contains(&cell))
            };
            let weak = |threat: LinearThreat| {
                let is_weak = matches!(threat.shape, LinearShape::P(2, 2) | LinearShape::P(1, 1));
                (is_weak && is_used(threat.direction)).then_some((threat.direction, threat.shape))
            };
            let arms: Vec<_> = linear::threats(self.referee, cell, self.color)
                .into_iter()
                .filter_map(weak)
                .collect();
            let has_three = arms.iter().any(|&(_, shape)| shape == LinearShape::P(2, 2));
            (arms.len() >= 2 && has_three).then_some((cell, arms))
        };
        own_stones.filter_map(crossing).collect()
    }
}

/// Verdict on a stone.
enum StoneVerdict {
    Nothing,
    /// The nodes ran out.
    Undecided,
    /// The threat, and whether it is known if it is a virtual fork.
    Found(Virtual, bool),
}

/// Reason why a virtual fork is not proven.
enum ProofFailure {
    /// An answer refutes it.
    Refuted,
    OutOfNodes,
}

/// A proof that the opponent, who is to move, loses to a VCF against any defence.
struct Proof<'a, R: Rule> {
    solver: &'a mut FoursSolver<R>,
    /// Attacking stones left of the node limit.
    left: u64,
}

impl<R: Rule> Proof<'_, R> {
    /// Returns the longest defence and the win against it. Tries the answers in `first` before
    /// all others.
    fn prove_loss(&mut self, first: &[Cell]) -> Result<FourSequence, ProofFailure> {
        if self.solver.opponent_wins() {
            return Err(ProofFailure::Refuted);
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
            let win = self.prove_win(longest.len());
            self.solver.board.unmake();
            if let Some(line) = win? {
                longest = [vec![SequenceStone::at(answer)], line].concat();
            }
        }
        if longest.is_empty() { Err(ProofFailure::Refuted) } else { Ok(longest) }
    }

    /// Returns the win of the attacker, who is to move; `None` if the line, with the
    /// opponent's stone before it, is not longer than `longest`.
    fn prove_win(&mut self, longest: usize) -> Result<Option<FourSequence>, ProofFailure> {
        let found = self.solver.solve();
        let spent = self.solver.spent().max(1);
        self.left = self.left.checked_sub(spent).ok_or(ProofFailure::OutOfNodes)?;
        match found {
            Found::Win(_, plies) if plies < longest => Ok(None),
            Found::Win(..) => self.solver.line().map(Some).ok_or(ProofFailure::OutOfNodes),
            Found::OutOfNodes => Err(ProofFailure::OutOfNodes),
            Found::Nothing => {
                self.stop_four().map(|line| Some(line).filter(|line| line.len() >= longest))
            }
        }
    }

    /// Stops a four of the opponent by a stone that is no four, and returns the win after it.
    fn stop_four(&mut self) -> Result<FourSequence, ProofFailure> {
        let me = self.solver.me;
        let mut failure = ProofFailure::Refuted;
        for stop in self.solver.stops().unwrap_or_default().iter() {
            if self.solver.is_forbidden(stop, me) {
                continue;
            }
            self.solver.board.make(stop, me);
            let loss = self.prove_loss(&[]);
            self.solver.board.unmake();
            match loss {
                Ok(line) => return Ok([vec![SequenceStone::at(stop)], line].concat()),
                Err(why) => failure = why,
            }
        }
        Err(failure)
    }
}
