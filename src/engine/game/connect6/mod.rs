//! Connect6 and its options: two stones a turn, six in a row.

mod weights;

use std::sync::Arc;

use super::line_game::{LineGame, LineState, Past};
use super::lines::{self, LinePolicy};
use super::position::{DENIED_SHAPES, Ladder, MoveClass, ThreatLevel};
use crate::board::Geometry;
use crate::eval::tuples::TupleWeights;
use crate::threat::turn_threats::{Threats, can_meet, defences, threats};
use crate::threat::{DoubleThreats, Meter, Verdict};
use goren_core::rules::{self, Contest, Outcome, Pairs};
use weights::span;

use goren_core::types::{Cell, CellSet, Color, Move, keys};
pub(super) use weights::{FAMILIES, family as tuple_family};

/// Nodes of a VCF solver in the time of one stone of the double-threat solver.
const NODES_A_STONE: u64 = 8;

/// A position of Connect6.
#[derive(Clone)]
pub struct Connect6 {
    game: rules::Connect6,
    lines: LineState<Undo>,
    /// Number of stones that the side to move has left in this turn.
    left: usize,
    /// Number of stones that the side to move has already placed in this turn.
    placed: usize,
    /// `left` before each pass of the search.
    left_before_passes: Vec<usize>,
    solver: DoubleThreats,
}

/// Undo information of a move.
#[derive(Clone)]
pub(super) struct Undo {
    color: Color,
    /// `left` and `placed` before the stone.
    left: usize,
    placed: usize,
}

impl Connect6 {
    /// Creates an empty board.
    pub fn new(game: rules::Connect6, contest: &Contest, weights: Arc<TupleWeights>) -> Connect6 {
        let (width, height) = (contest.width, contest.height);
        let board = CellSet::board(width, height);
        let geometry = Geometry::new(width, height, game.torus, game.goal(), span(game), &board);
        let geometry = geometry.listing(DoubleThreats::LISTED);
        let options = game.torus as u64 | (game.pairs as u64) << 1;
        let lines = LineState::new(geometry, 2 << 8 | options, weights);
        let solver = DoubleThreats::default();
        Connect6 { game, lines, left: 1, placed: 0, left_before_passes: Vec::new(), solver }
    }

    /// Returns the number of stones that the side to move has left in this turn.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Returns the maximum number of stones that one turn can add to the same line.
    fn stones_per_line(&self) -> usize {
        // With `Pairs::Apart` the two stones of a turn must not share a line.
        if self.game.pairs == Pairs::Apart { 1 } else { 2 }
    }

    /// Whether a colour alone occupies a line that misses at most this many stones.
    fn misses_at_most(&self, color: Color, max_missing: usize) -> bool {
        let goal = self.game.goal();
        (1..=max_missing).any(|missing| self.lines.board.level(color, goal - missing) > 0)
    }

    /// Returns the threats of the opponent. If the two stones of a turn must not share a line,
    /// a stone needs a partner: threats that this turn could stop by filling all partner cells
    /// are left out.
    fn threats(&self) -> Threats {
        if !self.opponent_has_a_turn() {
            return Threats::new();
        }
        let mut threats = threats(&self.lines.board, !self.lines.to_move, self.stones_per_line());
        if self.game.pairs == Pairs::Apart {
            let (board, geometry) = (&self.lines.board, self.lines.board.geometry());
            let partners = |cell: Cell| {
                let empty = board.empty().iter();
                empty.filter(|&other| other != cell && !geometry.collinear(cell, other)).count()
            };
            threats.retain(|gaps| partners(gaps[0]) > self.left);
        }
        threats
    }

    /// Whether there is room for a turn of the opponent after this one: with fewer than two
    /// empty cells the game is drawn.
    fn opponent_has_a_turn(&self) -> bool {
        self.lines.board.empties() >= self.left + 2
    }

    /// Returns the maximum number of stones that the side to move can still add to one line in
    /// this turn.
    fn reach(&self) -> usize {
        self.left.min(self.stones_per_line())
    }

    /// Returns the stones of the last complete turn.
    fn last_turn(&self) -> impl Iterator<Item = &Past<Undo>> {
        let earlier = self.lines.past.iter().rev().skip(self.placed);
        let color = earlier.clone().next().map(|past| past.undo.color);
        earlier.take(2).take_while(move |past| Some(past.undo.color) == color)
    }

    /// Whether the rule for pairs allows a stone on an empty cell.
    fn fits_pair_rule(&self, cell: Cell) -> bool {
        let geometry = self.lines.board.geometry();
        let first = self.lines.past.last().filter(|_| self.placed > 0).map(|past| past.cell);
        match (self.game.pairs, first) {
            (Pairs::Any, _) => true,
            (Pairs::Apart, Some(first)) => !geometry.collinear(first, cell),
            (Pairs::Apart, None) => {
                self.left == 1 || self.has_partner(cell, |a, b| !geometry.collinear(a, b))
            }
            (Pairs::Collinear, Some(first)) => geometry.collinear(first, cell),
            (Pairs::Collinear, None) => {
                let mut before = self.last_turn().peekable();
                let follows =
                    before.peek().is_none() || before.any(|p| geometry.collinear(p.cell, cell));
                let single = self.left == 1;
                follows && (single || self.has_partner(cell, |a, b| geometry.collinear(a, b)))
            }
        }
    }

    /// Whether some empty cell may complete a pair with `cell`.
    fn has_partner(&self, cell: Cell, fits: impl Fn(Cell, Cell) -> bool) -> bool {
        self.lines.board.empty().iter().any(|other| other != cell && fits(cell, other))
    }
}

impl Connect6 {
    /// Places a stone of the side to move. Does not check whether the next turn has a
    /// legal pair.
    fn put(&mut self, cell: Cell) {
        let color = self.lines.to_move;
        let (left, placed) = (self.left, self.placed);
        self.lines.put(cell, color);
        let outcome = if self.lines.board.level(color, self.game.goal()) > 0 {
            Some(Outcome::Win(color))
        } else if self.lines.board.empty().is_empty() {
            Some(Outcome::Draw)
        } else {
            None
        };
        self.lines.past.push(Past { cell, outcome, undo: Undo { color, left, placed } });
        (self.lines.to_move, self.left, self.placed) =
            if left > 1 { (color, left - 1, placed + 1) } else { (!color, 2, 0) };
    }

    /// Whether the side to move has a legal pair, or a legal second stone.
    fn has_legal_pair(&self) -> bool {
        self.lines.board.empty().iter().any(|cell| self.fits_pair_rule(cell))
    }
}

impl LineGame for Connect6 {
    type Undo = Undo;

    const TURN: usize = 2;
    const LADDER: Ladder = [2, 144, 246, 323, 427, 557, 658, 815, 890, 984, 1000];
    const SOLVE_IN_TREE: bool = true;
    const PASSES: bool = true;
    const LINE_POLICY: LinePolicy =
        LinePolicy { own: [1, 5, 16, 40, 60, 900, 0, 0], deny: [0, 4, 12, 30, 200, 300, 0, 0] };

    fn lines(&self) -> &LineState<Undo> {
        &self.lines
    }

    fn lines_mut(&mut self) -> &mut LineState<Undo> {
        &mut self.lines
    }

    fn begins_turn(&self) -> bool {
        self.placed == 0
    }

    fn make(&mut self, m: Move) {
        self.put(m.cell());
        // If the next side has no pair, the game is drawn: fewer than two cells are left, or
        // none is legal as a first stone.
        let stuck = self.placed == 0
            && self.lines.outcome().is_none()
            && (self.lines.board.empties() < 2
                || self.game.pairs != Pairs::Any && !self.has_legal_pair());
        if stuck && let Some(past) = self.lines.past.last_mut() {
            past.outcome = Some(Outcome::Draw);
        }
    }

    fn unmake(&mut self) {
        let Some(Past { cell, undo, .. }) = self.lines.past.pop() else { return };
        (self.lines.to_move, self.left, self.placed) = (undo.color, undo.left, undo.placed);
        self.lines.lift(cell, undo.color);
    }

    fn make_pass(&mut self) {
        self.left_before_passes.push(self.left);
        let next = !self.lines.to_move;
        self.hand_to(next, 2);
    }

    fn unmake_pass(&mut self) {
        let Some(left) = self.left_before_passes.pop() else { return };
        let before = !self.lines.to_move;
        self.hand_to(before, left);
    }

    fn main_moves(&mut self) -> CellSet {
        let board = &self.lines.board;
        if self.game.pairs != Pairs::Collinear {
            let me = self.lines.to_move;
            if self.misses_at_most(me, self.reach()) {
                let lines = (1..=self.reach()).flat_map(|missing| board.lines_missing(me, missing));
                let gaps = lines.flat_map(|line| board.gaps(line));
                let wins: CellSet = gaps.filter(|&cell| self.fits_pair_rule(cell)).collect();
                if !wins.is_empty() {
                    return wins;
                }
            }
            let threats = self.threats();
            if !threats.is_empty() {
                return defences(&threats, self.left);
            }
        }
        lines::near(board)
    }

    fn fours(&self) -> CellSet {
        self.lines.makes_missing(self.stones_per_line())
    }

    fn is_legal(&mut self, m: Move) -> bool {
        self.fits_pair_rule(m.cell())
    }

    fn placements(&self) -> CellSet {
        self.lines.board.empty().iter().filter(|&cell| self.fits_pair_rule(cell)).collect()
    }

    fn verdict(&mut self) -> Verdict {
        match self.game.pairs {
            Pairs::Collinear => return Verdict::Unknown,
            // The stone that completes a line must fit the first stone of the turn, or
            // have a possible partner.
            Pairs::Apart => {
                let me = self.lines.to_move;
                let wins = self.misses_at_most(me, 1)
                    && self
                        .lines
                        .board
                        .completions(me)
                        .iter()
                        .any(|cell| self.fits_pair_rule(cell));
                return if wins { Verdict::Win(1) } else { Verdict::Unknown };
            }
            Pairs::Any => {}
        }
        let goal = self.game.goal();
        if self.misses_at_most(self.lines.to_move, self.reach()) {
            let one_missing = self.lines.board.level(self.lines.to_move, goal - 1) > 0;
            return Verdict::Win(if one_missing { 1 } else { 2 });
        }
        // The opponent completes a line with one or two stones, whatever is placed now.
        if self.misses_at_most(!self.lines.to_move, 2)
            && self.opponent_has_a_turn()
            && !can_meet(&self.threats(), self.left)
        {
            let fives = threats(&self.lines.board, !self.lines.to_move, 1);
            return Verdict::Loss(self.left + 1 + can_meet(&fives, self.left) as usize);
        }
        Verdict::Unknown
    }

    fn threat_level(&mut self) -> ThreatLevel {
        let threatened = self.misses_at_most(!self.lines.to_move, self.stones_per_line())
            && match self.game.pairs {
                Pairs::Any => self.opponent_has_a_turn(),
                Pairs::Apart => !self.threats().is_empty(),
                Pairs::Collinear => false,
            };
        if threatened { ThreatLevel::Immediate } else { ThreatLevel::None }
    }

    fn state(&self) -> usize {
        self.left - 1
    }

    fn move_class(&self, m: Move) -> MoveClass {
        // With two stones a turn a line is a threat one stone earlier.
        let shape = lines::shape(&self.lines.board, self.lines.to_move, m.cell());
        let own = shape / DENIED_SHAPES;
        let forcing = 7 - 1 - self.stones_per_line();
        if own > forcing {
            MoveClass::StrongFour
        } else if own == forcing {
            let full = lines::Fullest::of(&self.lines.board, self.lines.to_move, m.cell());
            if full.lines > 1 { MoveClass::StrongFour } else { MoveClass::Four }
        } else if shape % DENIED_SHAPES >= 3 {
            MoveClass::Threat
        } else if own + 1 == forcing {
            MoveClass::Active
        } else {
            MoveClass::Quiet
        }
    }

    fn key(&self) -> u64 {
        let turn = 2 * self.left as u32 + self.lines.to_move.index() as u32;
        let mut key = self.lines.key(turn);
        if self.game.pairs != Pairs::Any {
            // The legal pairs depend on the first stone of this turn, or on both stones of
            // the last turn. The last three stones include these. They are hashed in the
            // order in which they were placed, so that turns with the same stones in
            // another order have other keys: such transpositions are missed, but no entry
            // is used in a position with other legal pairs.
            let recent = self.lines.past.iter().rev().take(3);
            key ^= recent.fold(1, |key, past| keys::mix(key ^ past.cell.index() as u64));
        }
        key
    }

    /// Omits the last stones that [`LineGame::key`] adds if pairs are restricted: the search
    /// then prefetches the wrong bucket, which only wastes the prefetch.
    fn key_after(&self, m: Move) -> u64 {
        let me = self.lines.to_move;
        let (to_move, left) = if self.left > 1 { (me, self.left - 1) } else { (!me, 2) };
        self.lines.key_with(m.cell(), 2 * left as u32 + to_move.index() as u32)
    }

    fn solve(&mut self, meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        if self.game.pairs != Pairs::Any || self.left > 2 || self.lines.outcome().is_some() {
            return None;
        }
        let (board, me) = (&mut self.lines.board, self.lines.to_move);
        meter.convert(|nodes| nodes / NODES_A_STONE);
        let (cell, plies) = self.solver.solve(board, me, self.left, meter)?;
        Some((Move::at(cell), plies))
    }

    fn place(&mut self, cell: Cell, color: Color) {
        self.hand_to(color, 1);
        self.put(cell);
    }

    fn hand_to(&mut self, color: Color, stones: usize) {
        (self.lines.to_move, self.left, self.placed) = (color, stones, 0);
    }
}
