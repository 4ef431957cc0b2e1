//! Four In A Row and its options: pieces fall from one side or from all four, and full
//! lines may be cleared.

mod weights;

use std::sync::{Arc, Mutex};

use super::line_game::{LineGame, LineState, Past};
use super::lines::LinePolicy;
use super::position::ThreatLevel;
use crate::board::{Geometry, LineCountBoard};
use crate::eval::tuples::{TupleEval, TupleWeights};
use crate::threat::{Gravity, Meter, Value, Verdict};
use goren_core::rules::{self, Contest, Outcome, Placement};
use weights::{FOUR, SPAN};

use goren_core::types::{Cell, CellSet, Color, DIRECTIONS, Move};
pub(super) use weights::{FAMILIES, family as tuple_family};

/// Size of the exact solver's table. It is not part of the transposition table, whose
/// size follows the memory limit, so it must fit the smallest limit.
const SOLVER_BYTES: usize = 2 << 20;
/// Maximum number of empty cells for the exact solver: with more it would use up its limit
/// without a result.
const SOLVER_CELLS: usize = 36;
/// Positions of the exact solver per node of its limit: it visits this many in the time of
/// one node.
const SOLVER_SPEED: u64 = 4;

/// The exact solver, created on first use and shared by all copies of a position.
type Solver = Arc<Mutex<Option<Gravity>>>;

/// Undo information of a move: the board and the evaluation before full lines were cleared, with
/// the piece on it; `None` if no line was cleared.
type Undo = Option<Box<(LineCountBoard, TupleEval)>>;

/// A position of Four In A Row.
#[derive(Clone)]
pub struct FourInARow {
    game: rules::FourInARow,
    lines: LineState<Undo>,
    solver: Solver,
}

impl FourInARow {
    /// Creates an empty board.
    pub fn new(
        game: rules::FourInARow,
        contest: &Contest,
        weights: Arc<TupleWeights>,
    ) -> FourInARow {
        let (width, height) = (contest.width, contest.height);
        let board = CellSet::board(width, height);
        let geometry = Geometry::new(width, height, false, FOUR, SPAN, &board);
        let options = game.clear as u64 | (game.placement as u64) << 1;
        let lines = LineState::new(geometry, 3 << 8 | options, weights);
        FourInARow { game, lines, solver: Solver::default() }
    }

    /// Returns the empty cells where a piece can come to rest.
    fn landing_cells(&self) -> CellSet {
        let (width, height) =
            (self.lines.board.geometry().width(), self.lines.board.geometry().height());
        let mut landing_cells = CellSet::EMPTY;
        let mut add = |cell: Option<Cell>| {
            if let Some(cell) = cell {
                landing_cells.insert(cell);
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
            Placement::Drop => {
                for x in 0..width {
                    add(self.last_empty((0..height).map(|y| Cell::new(x, y))));
                    add(self.last_empty((0..height).rev().map(|y| Cell::new(x, y))));
                }
                for y in 0..height {
                    add(self.last_empty((0..width).map(|x| Cell::new(x, y))));
                    add(self.last_empty((0..width).rev().map(|x| Cell::new(x, y))));
                }
            }
            Placement::Inward => {
                for cell in self.lines.board.empty().iter() {
                    add(Some(self.slide(cell)));
                }
            }
        }
        landing_cells
    }

    /// Returns the last of the empty cells that `cells` begins with.
    fn last_empty(&self, cells: impl Iterator<Item = Cell>) -> Option<Cell> {
        cells.take_while(|&cell| self.lines.board.is_empty(cell)).last()
    }

    /// Whether a landing cell remains one until it is filled.
    /// Clearing a line can change that, and with `Drop` so can a piece on the way to the cell.
    fn landing_cells_persist(&self) -> bool {
        !self.game.clear && self.game.placement != Placement::Drop
    }

    /// Returns the first empty cell of `cells`.
    fn first_empty(&self, mut cells: impl Iterator<Item = Cell>) -> Option<Cell> {
        cells.find(|&cell| self.lines.board.is_empty(cell))
    }

    /// Returns the cell where a piece stops that slides from an empty cell to the nearest
    /// edge, or diagonally to the corner if two edges are equally near.
    fn slide(&self, start: Cell) -> Cell {
        let geometry = self.lines.board.geometry();
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
        let heading = DIRECTIONS.into_iter().enumerate().find_map(|(d, dir)| match dir.steps() {
            steps if steps == step => Some(2 * d),
            steps if steps == back => Some(2 * d + 1),
            _ => None,
        });
        let Some(heading) = heading else { return start };
        let mut at = start;
        loop {
            let next = geometry.neighbours(at)[heading];
            if !self.lines.board.is_empty(next) {
                return at;
            }
            at = next;
        }
    }

    /// Returns by how many columns to the right and rows down the board moves because lines at
    /// its edges are full.
    fn clear_shift(&self) -> (i32, i32) {
        let (width, height) =
            (self.lines.board.geometry().width(), self.lines.board.geometry().height());
        let full_row = |y: usize| (0..width).all(|x| !self.lines.board.is_empty(Cell::new(x, y)));
        let full_column =
            |x: usize| (0..height).all(|y| !self.lines.board.is_empty(Cell::new(x, y)));
        let sides = self.game.placement != Placement::Gravity;
        let down = full_row(height - 1) as i32 - (sides && full_row(0)) as i32;
        if !sides {
            return (0, down);
        }
        (full_column(width - 1) as i32 - full_column(0) as i32, down)
    }

    /// Clears full lines at the edges until there are none.
    fn clear(&mut self) {
        loop {
            let (dx, dy) = self.clear_shift();
            if (dx, dy) == (0, 0) {
                return;
            }
            let geometry = self.lines.board.geometry();
            let mut moved = Vec::new();
            let (width, height) = (geometry.width() as i32, geometry.height() as i32);
            for cell in CellSet::board(geometry.width(), geometry.height()).iter() {
                let (x, y) = (cell.x() as i32 + dx, cell.y() as i32 + dy);
                let stays = (0..width).contains(&x) && (0..height).contains(&y);
                if let Some(color) = self.lines.board.color(cell).filter(|_| stays) {
                    moved.push((Cell::new(x as usize, y as usize), color));
                }
            }
            self.lines.clear();
            for (cell, color) in moved {
                self.lines.put(cell, color);
            }
        }
    }

    /// Returns the cells where a piece that can be placed now completes a line of a colour.
    fn wins(&self, color: Color) -> CellSet {
        if self.lines.board.level(color, FOUR - 1) == 0 {
            return CellSet::EMPTY;
        }
        self.lines.board.completions(color).intersection(&self.landing_cells())
    }
}

impl LineGame for FourInARow {
    type Undo = Undo;

    const LINE_POLICY: LinePolicy =
        LinePolicy { own: [3, 8, 25, 500, 0, 0, 0, 0], deny: [0, 6, 20, 300, 0, 0, 0, 0] };

    fn lines(&self) -> &LineState<Undo> {
        &self.lines
    }

    fn lines_mut(&mut self) -> &mut LineState<Undo> {
        &mut self.lines
    }

    fn make(&mut self, m: Move) {
        let (cell, color) = (m.cell(), self.lines.to_move);
        self.lines.put(cell, color);
        let mut outcome = (self.lines.board.level(color, FOUR) > 0).then_some(Outcome::Win(color));
        let mut cleared = None;
        if outcome.is_none() && self.game.clear && self.clear_shift() != (0, 0) {
            cleared = Some(Box::new((self.lines.board.clone(), self.lines.eval.clone())));
            self.clear();
        }
        // With `Drop`, pieces along all edges can block the cells inside.
        let is_full = || match self.game.placement {
            Placement::Drop => self.landing_cells().is_empty(),
            _ => self.lines.board.empty().is_empty(),
        };
        if outcome.is_none() && is_full() {
            outcome = Some(Outcome::Draw);
        }
        self.lines.past.push(Past { cell, outcome, undo: cleared });
        self.lines.to_move = !color;
    }

    fn unmake(&mut self) {
        let Some(Past { cell, undo, .. }) = self.lines.past.pop() else { return };
        self.lines.to_move = !self.lines.to_move;
        if let Some(before) = undo {
            (self.lines.board, self.lines.eval) = *before;
        }
        self.lines.lift(cell, self.lines.to_move);
    }

    fn main_moves(&mut self) -> CellSet {
        match self.threat_level() {
            // Include the winning moves: the root does not test for an own win.
            ThreatLevel::Immediate => {
                let me = self.lines.to_move;
                self.wins(me).union(&self.wins(!me))
            }
            _ => self.landing_cells(),
        }
    }

    fn fours(&self) -> CellSet {
        self.landing_cells().intersection(&self.lines.makes_missing(1))
    }

    /// Returns the legal moves that do not answer a threat; none without a threat.
    fn other_moves(&mut self) -> CellSet {
        let main = self.main_moves();
        self.landing_cells().difference(&main)
    }

    fn placements(&self) -> CellSet {
        self.landing_cells()
    }

    fn is_placement(&self, cell: Cell) -> bool {
        self.landing_cells().contains(cell)
    }

    fn verdict(&mut self) -> Verdict {
        if !self.wins(self.lines.to_move).is_empty() {
            return Verdict::Win(1);
        }
        if self.landing_cells_persist() && self.wins(!self.lines.to_move).len() > 1 {
            return Verdict::Loss(2);
        }
        Verdict::Unknown
    }

    fn threat_level(&mut self) -> ThreatLevel {
        if self.landing_cells_persist() && !self.wins(!self.lines.to_move).is_empty() {
            ThreatLevel::Immediate
        } else {
            ThreatLevel::None
        }
    }

    fn solve(&mut self, meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        let is_solvable = self.game.placement == Placement::Gravity && !self.game.clear;
        if !is_solvable || self.lines.board.empty().len() > SOLVER_CELLS {
            return None;
        }
        let (width, height) =
            (self.lines.board.geometry().width(), self.lines.board.geometry().height());
        let pieces = |color: Color| -> Vec<(usize, usize)> {
            let cells = CellSet::board(width, height);
            let own = cells.iter().filter(|&cell| self.lines.board.is(cell, color));
            own.map(|cell| (cell.x(), height - 1 - cell.y())).collect()
        };
        let (own, others) = (pieces(self.lines.to_move), pieces(!self.lines.to_move));
        // The solver serves one thread at a time; the others continue without it.
        let mut solver = self.solver.try_lock().ok()?;
        let solver = match &mut *solver {
            Some(solver) => solver,
            empty => empty.insert(Gravity::new(width, height, SOLVER_BYTES).ok()?),
        };
        meter.convert(|nodes| nodes.saturating_mul(SOLVER_SPEED));
        let (value, column) = solver.solve(&own, &others, meter)?;
        let (Value::Win(plies), Some(x)) = (value, column) else { return None };
        let landing_cells = self.landing_cells();
        let cell = landing_cells.iter().find(|cell| cell.x() == x)?;
        Some((Move::at(cell), plies))
    }

    fn forget(&mut self) {
        self.solver = Solver::default();
    }
}
