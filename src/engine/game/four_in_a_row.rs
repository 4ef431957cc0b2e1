//! Four In A Row: pieces that fall, from one side or from four, and lines
//! that are cleared.

use std::sync::{Arc, Mutex};

use super::lines::{self, LinePolicy};
use super::{GenType, Meter, MoveClass, MoveList, Position, Replay, Scored, ThreatLevel};
use crate::board::{Geometry, LineCountBoard};
use crate::eval::tuples::{TupleEval, TupleWeights};
use crate::threat::{Gravity, Value, Verdict};
use goren_core::rules::{self, Contest, Outcome, Placement};
use goren_core::types::{Cell, CellSet, Color, DIRECTIONS, Move, Score, keys};

/// Pieces in a row that win.
const FOUR: usize = 4;
/// Cells of the evaluation's tuples.
const SPAN: usize = 5;

/// Worths of lines by hand, until weights are tuned: points by pieces.
const STEPS: [i32; FOUR + 1] = [0, 2, 8, 30, 0];

/// How moves look by the lines they are on.
const LINE_POLICY: LinePolicy =
    LinePolicy { own: [3, 8, 25, 500, 0, 0, 0, 0], deny: [0, 6, 20, 300, 0, 0, 0, 0] };

/// Bytes of the exact solver's table.
const SOLVER_BYTES: usize = 8 << 20;
/// Empty cells from which on the exact solver is not asked: it would only
/// spend its positions.
const SOLVER_CELLS: usize = 36;
/// Positions of the exact solver for each node it is asked to spend: so many
/// take no longer, with much to spare.
const SOLVER_SPEED: u64 = 4;

/// The exact solver, made when it is first asked; copies of a position share
/// it.
type Solver = Arc<Mutex<Option<Gravity>>>;

/// What a piece changed.
#[derive(Clone)]
struct Past {
    cell: Cell,
    outcome: Option<Outcome>,
    /// The board before lines were cleared, with the piece on it.
    cleared: Option<Box<(LineCountBoard, TupleEval)>>,
}

/// A game of Four In A Row.
#[derive(Clone)]
pub struct FourInARow {
    game: rules::FourInARow,
    board: LineCountBoard,
    eval: TupleEval,
    weights: Arc<TupleWeights>,
    to_move: Color,
    base: u64,
    past: Vec<Past>,
    solver: Solver,
}

impl FourInARow {
    /// The value of tuples until weights are tuned.
    pub fn weights_by_hand() -> TupleWeights {
        TupleWeights::by_count(SPAN, FOUR, &STEPS)
    }

    /// An empty board.
    ///
    /// # Panics
    /// The contest is of another game.
    pub fn new(contest: &Contest, weights: Arc<TupleWeights>) -> FourInARow {
        let rules::Variant::FourInARow(game) = contest.variant else { panic!("no Four In A Row") };
        let (width, height) = (contest.width, contest.height);
        let board = CellSet::board(width, height);
        let geometry = Geometry::new(width, height, false, FOUR, SPAN, &board);
        let board = LineCountBoard::new(Arc::new(geometry));
        let eval = TupleEval::new(&board, weights.clone());
        let options = game.clear as u64 | (game.placement as u64) << 1;
        let base = keys::mix(3 << 40 | options << 32 | (width as u64) << 16 | height as u64);
        let (to_move, past, solver) = (Color::Black, Vec::new(), Solver::default());
        FourInARow { game, board, eval, weights, to_move, base, past, solver }
    }

    /// The pieces.
    pub fn board(&self) -> &LineCountBoard {
        &self.board
    }

    /// The running evaluation.
    pub(super) fn eval(&self) -> &TupleEval {
        &self.eval
    }

    /// The empty cells where a piece can come to rest.
    fn rests(&self) -> CellSet {
        let (width, height) = (self.board.geometry().width(), self.board.geometry().height());
        let mut rests = CellSet::EMPTY;
        let mut add = |cell: Option<Cell>| {
            if let Some(cell) = cell {
                rests.insert(cell);
            }
        };
        match self.game.placement {
            Placement::Gravity => {
                for x in 0..width {
                    add(self.first_empty((0..height).rev().map(|y| Cell::new(x, y))));
                }
            }
            Placement::Edges => {
                for x in 0..width {
                    add(self.first_empty((0..height).rev().map(|y| Cell::new(x, y))));
                    add(self.first_empty((0..height).map(|y| Cell::new(x, y))));
                }
                for y in 0..height {
                    add(self.first_empty((0..width).map(|x| Cell::new(x, y))));
                    add(self.first_empty((0..width).rev().map(|x| Cell::new(x, y))));
                }
            }
            Placement::Inward => {
                for cell in self.board.empty().iter() {
                    add(Some(self.slide(cell)));
                }
            }
        }
        rests
    }

    /// The first of some cells that is empty.
    fn first_empty(&self, mut cells: impl Iterator<Item = Cell>) -> Option<Cell> {
        cells.find(|&cell| self.board.is_empty(cell))
    }

    /// Where a piece that slides from an empty cell to the nearest edge, or to
    /// the corner from a diagonal, is stopped.
    fn slide(&self, start: Cell) -> Cell {
        let geometry = self.board.geometry();
        let (right, down) = (geometry.width() - 1 - start.x(), geometry.height() - 1 - start.y());
        let nearest = start.x().min(start.y()).min(right).min(down);
        let towards = |low: usize, high: usize| {
            if low == nearest {
                -1
            } else if high == nearest {
                1
            } else {
                0
            }
        };
        let step = (towards(start.x(), right), towards(start.y(), down));
        let back = (-step.0, -step.1);
        let way = DIRECTIONS.into_iter().enumerate().find_map(|(d, dir)| match dir.steps() {
            steps if steps == step => Some(2 * d),
            steps if steps == back => Some(2 * d + 1),
            _ => None,
        });
        let Some(way) = way else { return start };
        let mut at = start;
        loop {
            let next = geometry.neighbours(at)[way];
            if !self.board.is_empty(next) {
                return at;
            }
            at = next;
        }
    }

    /// How far the board moves to the right and down because lines at its
    /// edges are full.
    fn drift(&self) -> (i32, i32) {
        let (width, height) = (self.board.geometry().width(), self.board.geometry().height());
        let full_row = |y: usize| (0..width).all(|x| !self.board.is_empty(Cell::new(x, y)));
        let full_column = |x: usize| (0..height).all(|y| !self.board.is_empty(Cell::new(x, y)));
        let sides = self.game.placement != Placement::Gravity;
        let down = full_row(height - 1) as i32 - (sides && full_row(0)) as i32;
        if !sides {
            return (0, down);
        }
        (full_column(width - 1) as i32 - full_column(0) as i32, down)
    }

    /// Takes off full lines at the edges as long as there are any.
    fn clear(&mut self) {
        loop {
            let (dx, dy) = self.drift();
            if (dx, dy) == (0, 0) {
                return;
            }
            let geometry = self.board.geometry();
            let mut moved = self.board.emptied();
            let (width, height) = (geometry.width() as i32, geometry.height() as i32);
            for cell in CellSet::board(geometry.width(), geometry.height()).iter() {
                let (x, y) = (cell.x() as i32 + dx, cell.y() as i32 + dy);
                let stays = (0..width).contains(&x) && (0..height).contains(&y);
                if let Some(color) = self.board.color(cell).filter(|_| stays) {
                    moved.put(Cell::new(x as usize, y as usize), color, |_, _| {});
                }
            }
            self.board = moved;
            self.eval = TupleEval::new(&self.board, self.weights.clone());
        }
    }

    /// The cells that complete a line of a colour now.
    fn wins(&self, color: Color) -> CellSet {
        if self.board.level(color, FOUR - 1) == 0 {
            return CellSet::EMPTY;
        }
        self.board.completions(color).intersection(&self.rests())
    }
}

impl Position for FourInARow {
    fn to_move(&self) -> Color {
        self.to_move
    }

    fn key(&self) -> u64 {
        self.board.key() ^ self.base.rotate_left(self.to_move.index() as u32)
    }

    fn key_after(&self, m: Move) -> u64 {
        let stone = keys::stone(goren_core::types::Stone::Of(self.to_move), m.cell());
        self.board.key() ^ stone ^ self.base.rotate_left((!self.to_move).index() as u32)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.past.last().and_then(|past| past.outcome)
    }

    fn make(&mut self, m: Move) {
        let (cell, color) = (m.cell(), self.to_move);
        let eval = &mut self.eval;
        self.board.put(cell, color, |a, b| eval.change(a, b));
        let mut outcome = (self.board.level(color, FOUR) > 0).then_some(Outcome::Win(color));
        let mut cleared = None;
        if outcome.is_none() && self.game.clear && self.drift() != (0, 0) {
            cleared = Some(Box::new((self.board.clone(), self.eval.clone())));
            self.clear();
        }
        if outcome.is_none() && self.board.empty().is_empty() {
            outcome = Some(Outcome::Draw);
        }
        self.past.push(Past { cell, outcome, cleared });
        self.to_move = !color;
    }

    fn unmake(&mut self) {
        let Some(past) = self.past.pop() else { return };
        self.to_move = !self.to_move;
        if let Some(before) = past.cleared {
            (self.board, self.eval) = *before;
        }
        let eval = &mut self.eval;
        self.board.lift(past.cell, self.to_move, |a, b| eval.change(a, b));
    }

    fn is_legal(&mut self, _m: Move) -> bool {
        true
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        m.is_some() && self.board.is_empty(m.cell()) && self.rests().contains(m.cell())
    }

    fn moves(&mut self, gen_type: GenType, out: &mut MoveList) {
        let set = match gen_type {
            GenType::Main => match self.threat_level() {
                // The root has not asked for a win of its own.
                ThreatLevel::Immediate => self.wins(self.to_move).union(&self.wins(!self.to_move)),
                _ => self.rests(),
            },
            GenType::Fours | GenType::StrongFours => {
                let (board, me) = (&self.board, self.to_move);
                let forcing: CellSet =
                    board.lines_missing(me, 2).flat_map(|line| board.gaps(line)).collect();
                let rests = self.rests().intersection(&forcing);
                let strong =
                    |&cell: &Cell| self.move_class(Move::at(cell)) == MoveClass::StrongFour;
                rests.iter().filter(|cell| gen_type == GenType::Fours || strong(cell)).collect()
            }
            // All that can be played is worth a search.
            GenType::Threats | GenType::Attacks | GenType::Rest => CellSet::EMPTY,
        };
        out.extend(set.iter().map(Move::at).map(|m| Scored::new(m, self.policy_score(m))));
    }

    fn verdict(&mut self) -> Verdict {
        if !self.wins(self.to_move).is_empty() {
            return Verdict::Win(1);
        }
        // A line that is cleared may take a threat away.
        if !self.game.clear && self.wins(!self.to_move).len() > 1 {
            return Verdict::Loss(2);
        }
        Verdict::Unknown
    }

    fn threat_level(&mut self) -> ThreatLevel {
        if !self.game.clear && !self.wins(!self.to_move).is_empty() {
            ThreatLevel::Immediate
        } else {
            ThreatLevel::None
        }
    }

    fn evaluate(&mut self) -> Score {
        self.eval.score(self.to_move, 0)
    }

    fn policy_score(&self, m: Move) -> i32 {
        LINE_POLICY.of(&self.board, self.to_move, m.cell())
    }

    fn move_class(&self, m: Move) -> MoveClass {
        lines::move_class(&self.board, self.to_move, m.cell())
    }

    fn shape(&self, m: Move) -> usize {
        lines::shape(&self.board, self.to_move, m.cell())
    }

    fn solve(&mut self, meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        let plain = self.game.placement == Placement::Gravity && !self.game.clear;
        if !plain || self.board.empty().len() > SOLVER_CELLS {
            return None;
        }
        let (width, height) = (self.board.geometry().width(), self.board.geometry().height());
        let pieces = |color: Color| -> Vec<(usize, usize)> {
            let cells = CellSet::board(width, height);
            let own = cells.iter().filter(|&cell| self.board.is(cell, color));
            own.map(|cell| (cell.x(), height - 1 - cell.y())).collect()
        };
        let (own, others) = (pieces(self.to_move), pieces(!self.to_move));
        // One thread at a time; the others search on without it.
        let mut solver = self.solver.try_lock().ok()?;
        let solver = match &mut *solver {
            Some(solver) => solver,
            none => none.insert(Gravity::new(width, height, SOLVER_BYTES).ok()?),
        };
        meter.convert(|nodes| nodes.saturating_mul(SOLVER_SPEED));
        let (value, column) = solver.solve(&own, &others, meter)?;
        let (Value::Win(plies), Some(x)) = (value, column) else { return None };
        let rests = self.rests();
        let cell = rests.iter().find(|cell| cell.x() == x)?;
        Some((Move::at(cell), plies))
    }

    fn last(&self) -> Option<Cell> {
        self.past.last().map(|past| past.cell)
    }
}

impl Replay for FourInARow {
    fn place(&mut self, cell: Cell, color: Color) {
        self.to_move = color;
        self.make(Move::at(cell));
    }

    fn lay(&mut self, cell: Cell, color: Color) {
        let eval = &mut self.eval;
        self.board.put(cell, color, |a, b| eval.change(a, b));
    }

    fn placements(&self) -> CellSet {
        self.rests()
    }

    fn hand_to(&mut self, color: Color, _stones: usize) {
        self.to_move = color;
    }

    fn forget(&mut self) {
        self.solver = Solver::default();
    }
}
